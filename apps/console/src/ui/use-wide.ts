import { useSyncExternalStore } from "react";

/** From the breakpoint `md` on, pages have a sidebar. */
const wide = matchMedia("(min-width: 48rem)");

/** Whether the window is wide enough for a sidebar; the component renders again when that changes. */
export function useWide(): boolean {
  return useSyncExternalStore(onChange, () => wide.matches);
}

function onChange(listener: () => void): () => void {
  wide.addEventListener("change", listener);
  return () => wide.removeEventListener("change", listener);
}
