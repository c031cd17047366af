import type { Place } from "./layout.ts";

/** Pixels. */
interface Shift {
  readonly x: number;
  readonly y: number;
}

/** A panel that is being dragged, and how far. */
export interface Drag {
  readonly id: string;
  readonly way: "move" | "resize";
  /** Its place when the drag began. */
  readonly from: Place;
  readonly shift: Shift;
  /** The place that it would get. */
  readonly to: Place;
}

/** Returns the place that a panel has after it was dragged by some pixels. */
export function draggedTo(from: Place, way: Drag["way"], shift: Shift, cell: Shift): Place {
  const columns = Math.round(shift.x / cell.x);
  const rows = Math.round(shift.y / cell.y);
  return way === "move"
    ? { ...from, x: from.x + columns, y: Math.max(0, from.y + rows) }
    : { ...from, w: Math.min(from.w + columns, 12 - from.x), h: from.h + rows };
}
