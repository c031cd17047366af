import { useBlocker } from "@tanstack/react-router";

/**
 * Asks before a page with unsaved changes is left. Another tab of the same page keeps them.
 *
 * @param question the words of the question
 */
export function useLeaveGuard(isUnsaved: boolean, question: string): void {
  useBlocker({
    enableBeforeUnload: isUnsaved,
    disabled: !isUnsaved,
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && !confirm(question),
  });
}
