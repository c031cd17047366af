import type { ChartCell } from "./chart-data.ts";

/** Returns the place of the value to which a key moves along the axis; undefined for other keys. */
export function steppedIndex(key: string, index: number, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ...{ Home: 0, End: count - 1 },
    ...{ PageDown: index + 10, PageUp: index - 10 },
  };
  const next = steps[key];
  return next === undefined ? undefined : Math.max(0, Math.min(count - 1, next));
}

/**
 * Returns the place of the value that an arrow key leads to: left and right to the next point, with the same series if it
 * has a value there; up and down within a point.
 */
export function besideIn(
  key: string,
  cells: readonly ChartCell[],
  index: number,
): number | undefined {
  const own = cells[index];
  const sign = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
  if (own === undefined || sign === undefined) return undefined;
  if (key === "ArrowUp" || key === "ArrowDown") {
    return cells[index + sign]?.point === own.point ? index + sign : index;
  }
  let next = index + sign;
  while (cells[next]?.point === own.point) next += sign;
  const point = cells[next]?.point;
  if (point === undefined) return index;
  const places = cells.flatMap((cell, at) => (cell.point === point ? [at] : []));
  return places.find((at) => cells[at]?.series === own.series) ?? places[0] ?? index;
}
