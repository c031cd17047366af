import { useEffect, useRef } from "react";
import type { RowChanges } from "./use-row-changes.ts";

/**
 * Ctrl Z and Ctrl Shift Z of a page that shows rows. The grid handles them itself. Where a text is typed they belong to the
 * text, except in the form of a record whose changes are all saved: there the last of them is taken back.
 */
export function useUndoKeys(changes: Pick<RowChanges, "undo" | "redo">): void {
  const latest = useRef(changes);
  latest.current = changes;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, shiftKey, target } = event;
      if (event.defaultPrevented || key.toLowerCase() !== "z" || !(ctrlKey || metaKey)) return;
      if (document.querySelector("dialog:modal") !== null) return;
      if (target instanceof HTMLElement && isTyped(target)) return;
      event.preventDefault();
      void (shiftKey ? latest.current.redo() : latest.current.undo());
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

/** Whether the browser takes back what was typed there. */
function isTyped(target: HTMLElement): boolean {
  const isText = target.isContentEditable || target.matches("input, textarea, select");
  const form = target.closest<HTMLElement>("form[data-record]");
  return isText && (form === null || form.dataset.record === "unsaved");
}
