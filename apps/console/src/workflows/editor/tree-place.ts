import type { Place } from "../model/edit-steps.ts";
import type { OutlineRow } from "../model/outline.ts";
import { splitPointer } from "../model/pointer.ts";

/** A place for a step between two rows of the tree. */
export interface RowPlace extends Place {
  /** The row before which the line of the place is drawn. */
  readonly before: number;
  readonly level: number;
}

/**
 * Returns the place that a pointer names: above or below the middle of a row. Below an open row its first inner place
 * follows.
 */
export function placeAtRow(
  rows: readonly OutlineRow[],
  index: number,
  isBelow: boolean,
): RowPlace | undefined {
  const row = rows[index];
  if (row === undefined) return undefined;
  switch (row.type) {
    case "trigger":
      return { list: "/steps", index: 0, before: index + 1, level: 1 };
    case "add":
      return { list: row.list, index: row.index, before: index, level: row.level };
    case "branch": {
      const previous = rows[index - 1];
      // Above the second list of a step is the end of the first one.
      if (!isBelow && previous !== undefined && row.position > 1) return endBefore(rows, index);
      const before = index + 1;
      return { list: row.list, index: 0, before, level: row.level + 1 };
    }
    case "step": {
      const own = splitPointer(row.pointer);
      if (!isBelow) return { ...own, before: index, level: row.level };
      if (row.isOpen === true) return placeAtRow(rows, index + 1, true);
      return { list: own.list, index: own.index + 1, before: index + 1, level: row.level };
    }
  }
}

/** The place at the end of the list that precedes a branch. */
function endBefore(rows: readonly OutlineRow[], index: number): RowPlace | undefined {
  const level = rows[index]?.level;
  for (let at = index - 1; at >= 0; at -= 1) {
    const row = rows[at];
    if (row?.type === "add" && at === index - 1) return placeAtRow(rows, at, true);
    if (row?.type === "step" && row.level === (level ?? 0) + 1) {
      const own = splitPointer(row.pointer);
      return { list: own.list, index: own.index + 1, before: index, level: row.level };
    }
    if (row?.type === "branch" && row.level === level) {
      return { list: row.list, index: 0, before: index, level: row.level + 1 };
    }
  }
  return undefined;
}
