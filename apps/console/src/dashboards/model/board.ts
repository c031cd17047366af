import type { OpenPanel, PanelLayout } from "./open-panel.ts";

/** Pixels of a row of the board, and between two panels. */
export const boardRow = 48;
export const boardGap = 12;

/** Returns the panels as people read them: from the top, then from the left. */
export function inReadingOrder(panels: readonly OpenPanel[]): readonly OpenPanel[] {
  return [...panels].sort(
    ({ layout: one }, { layout: other }) => one.y - other.y || one.x - other.x,
  );
}

/** The custom properties from which the classes of the board place a panel. */
export function placeStyle({ x, y, w, h }: PanelLayout): Readonly<Record<string, string>> {
  return {
    "--column": `${x + 1} / span ${w}`,
    "--rows": `${y + 1} / span ${h}`,
    "--height": `${h * boardRow + (h - 1) * boardGap}px`,
  };
}
