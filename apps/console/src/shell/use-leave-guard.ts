import { useBlocker } from "@tanstack/react-router";

interface Place {
  readonly pathname: string;
  readonly search: object;
}

/**
 * Asks before a page with unsaved changes is left. Another tab of the same page keeps them.
 *
 * @param question the words of the question
 * @param isLeft whether the changes are lost between two places of one page
 * @param onLeave called after the person has chosen to lose them
 */
export function useLeaveGuard(
  isUnsaved: boolean,
  question: string,
  isLeft: (current: Place, next: Place) => boolean = () => false,
  onLeave?: () => void,
): void {
  useBlocker({
    enableBeforeUnload: isUnsaved,
    disabled: !isUnsaved,
    shouldBlockFn: ({ current, next }) => {
      if (current.pathname === next.pathname && !isLeft(current, next)) return false;
      if (!confirm(question)) return true;
      onLeave?.();
      return false;
    },
  });
}
