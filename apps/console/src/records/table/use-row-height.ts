import { useSyncExternalStore } from "react";

const usual = 30;

/** The pixels of a row, which the person's density sets. */
export function useRowHeight(): number {
  return useSyncExternalStore(subscribe, rowHeight);
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-density"] });
  return () => observer.disconnect();
}

function rowHeight(): number {
  const height = Number.parseFloat(
    getComputedStyle(document.documentElement).getPropertyValue("--row"),
  );
  return Number.isFinite(height) ? height : usual;
}
