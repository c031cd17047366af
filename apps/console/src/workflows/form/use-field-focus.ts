import { type RefObject, useEffect } from "react";

const patienceMs = 3000;

/** Gives the focus to the field of a pointer, or to the nearest one around it, as soon as its editor is loaded. */
export function useFieldFocus(
  root: RefObject<HTMLElement | null>,
  field: string | undefined,
): void {
  useEffect(() => {
    const place = root.current;
    if (place === null || field === undefined) return;
    const attempt = () => {
      const input = inputAt(place, field);
      if (input === undefined) return false;
      input.focus();
      input.scrollIntoView({ block: "center" });
      return true;
    };
    if (attempt()) return;
    const observer = new MutationObserver(() => {
      if (attempt()) observer.disconnect();
    });
    observer.observe(place, { childList: true, subtree: true });
    const timer = setTimeout(() => observer.disconnect(), patienceMs);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [root, field]);
}

/** The first input of the innermost field that contains a pointer. An editor that loads has none yet. */
function inputAt(root: HTMLElement, field: string): HTMLElement | undefined {
  let best: { readonly place: HTMLElement; readonly length: number } | undefined;
  for (const place of root.querySelectorAll<HTMLElement>("[data-pointer]")) {
    const pointer = place.dataset.pointer ?? "";
    const isAround = field === pointer || field.startsWith(`${pointer}/`);
    if (isAround && pointer.length > (best?.length ?? -1)) best = { place, length: pointer.length };
  }
  if (best === undefined) return undefined;
  const { place } = best;
  if (place.querySelector("[data-loading]") !== null) return undefined;
  const value = place.querySelector<HTMLElement>("[data-entry-value]") ?? place;
  return (
    value.querySelector<HTMLElement>(
      "input:not([disabled]), select:not([disabled]), textarea, .cm-content[contenteditable=true], button",
    ) ?? undefined
  );
}
