import { useEffect, useRef } from "react";

/** Takes a paste on a page whose list is empty, where no grid has the focus. @param paste null for a list with rows */
export function useEmptyPaste(paste: ((text: string) => void) | null): void {
  const latest = useRef(paste);
  latest.current = paste;
  const isEmpty = paste !== null;
  useEffect(() => {
    if (!isEmpty) return;
    const take = (event: ClipboardEvent) => {
      const { target } = event;
      const isElsewhere =
        target instanceof Element &&
        target.closest("input, textarea, select, dialog, [contenteditable], [role=dialog]") !==
          null;
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (isElsewhere || event.defaultPrevented || text === "") return;
      event.preventDefault();
      latest.current?.(text);
    };
    document.addEventListener("paste", take);
    return () => document.removeEventListener("paste", take);
  }, [isEmpty]);
}
