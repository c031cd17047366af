import type { Box, Point } from "./geometry.ts";

/** Pixels between tables, and between levels. */
export const gaps = { table: 28, level: 72 };

/** How far a line runs straight away from a table. */
const lead = gaps.level / 2;

/**
 * Breaks levels of many tables, such as those that refer to one table of users, into columns side by side. Returns
 * undefined if no level is that long.
 *
 * @param boxes the tables of one part, by their position in the graph
 */
export function wrapLevels(boxes: ReadonlyMap<number, Box>): ReadonlyMap<number, Box> | undefined {
  const most = Math.max(8, Math.ceil(Math.sqrt(boxes.size) * 1.3));
  const levels = new Map<number, (readonly [number, Box])[]>();
  for (const [table, box] of boxes) {
    const level = Math.round(box.x + box.width / 2);
    levels.set(level, [...(levels.get(level) ?? []), [table, box]]);
  }
  if ([...levels.values()].every((level) => level.length <= most)) return undefined;
  const wrapped = new Map<number, Box>();
  let x = 0;
  for (const [, level] of [...levels].toSorted(([one], [other]) => one - other)) {
    const ordered = level.toSorted(([, one], [, other]) => one.y - other.y);
    // Columns of the same length look calmer than a last one of few tables.
    const length = Math.ceil(ordered.length / Math.ceil(ordered.length / most));
    for (let from = 0; from < ordered.length; from += length) {
      const column = ordered.slice(from, from + length);
      let y = 0;
      for (const [table, box] of column) {
        wrapped.set(table, { ...box, x, y });
        y += box.height + gaps.table;
      }
      x += Math.max(...column.map(([, { width }]) => width)) + gaps.table;
    }
    x += gaps.level - gaps.table;
  }
  return wrapped;
}

/** Returns a line from a table to the one that it refers to, which stands to the left of it, or else is led around. */
export function lineBetween(from: Box, to: Box): readonly Point[] {
  const isLeft = to.x + to.width < from.x;
  const start = { x: isLeft ? from.x : from.x + from.width, y: from.y + from.height * 0.4 };
  const end = { x: to.x + to.width, y: to.y + to.height * 0.6 };
  const away = isLeft ? -lead : lead;
  return [start, { ...start, x: start.x + away }, { ...end, x: end.x + lead }, end];
}
