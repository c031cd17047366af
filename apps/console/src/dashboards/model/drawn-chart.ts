import type { ColorName } from "../../records/values/color-of.ts";
import { addDecimals, compareDecimals, isDecimal } from "../../records/values/decimal.ts";
import type { ValueColumn } from "../../records/values/value-kind.ts";
import { type ChartCell, type ChartData, paletteColor } from "./chart-data.ts";
import type { ChartKind } from "./open-panel.ts";
import { isAdditive } from "./panel-columns.ts";

/** A color of a chart with its meaning. */
export interface LegendItem {
  readonly key: string;
  readonly text: string;
  readonly color: ColorName;
}

/** The part of a chart that is drawn: more colors than a person can tell apart are not. */
export interface DrawnChart {
  readonly kind: ChartKind;
  /** In the order in which the arrow keys visit them: by point, then by series. */
  readonly cells: readonly ChartCell[];
  /** The places of the drawn series. */
  readonly series: readonly number[];
  readonly legend: readonly LegendItem[];
  /** How much of the chart is drawn; null if all of it is. */
  readonly leftOut: {
    readonly what: "series" | "slices";
    readonly shown: number;
    readonly count: number;
  } | null;
  /** Whether a donut leaves out values below zero. */
  readonly hasNegative: boolean;
  /** The color of a value. */
  readonly colorOf: (cell: ChartCell) => ColorName;
}

const seriesMax = 13;
const slicesMax = 13;

/** Returns the part of a chart that is drawn. */
export function drawnChart(data: ChartData, kind: ChartKind): DrawnChart {
  return kind === "donut" ? drawnDonut(data) : drawnSeries(data, kind);
}

function drawnSeries(data: ChartData, kind: ChartKind): DrawnChart {
  const weight = (index: number) =>
    data.cells.reduce((sum, line) => sum + Math.abs(line[index]?.size ?? 0), 0);
  const all = data.series.map((_, index) => index);
  const heaviest = [...all].sort((one, other) => weight(other) - weight(one)).slice(0, seriesMax);
  const series = all.length > seriesMax ? all.filter((index) => heaviest.includes(index)) : all;
  const isOne = data.series.length === 1;
  const cells = data.cells.flatMap((line) =>
    series.flatMap((index) => {
      const cell = line[index];
      return cell === undefined || cell.size === null ? [] : [cell];
    }),
  );
  return {
    ...{ kind, cells, series, hasNegative: false },
    legend: isOne
      ? []
      : series.map((index) => ({
          key: String(index),
          text: data.series[index]?.text ?? "",
          color: data.series[index]?.color ?? "blue",
        })),
    leftOut:
      series.length < all.length
        ? { what: "series", shown: series.length, count: all.length }
        : null,
    colorOf: ({ point, series: index }) => {
      const own =
        isOne && (kind === "bar" || kind === "stacked") ? data.points[point]?.color : undefined;
      return own ?? data.series[index]?.color ?? "blue";
    },
  };
}

/** A donut shows parts of a whole: the values of its first aggregate above zero. */
function drawnDonut(data: ChartData): DrawnChart {
  const name = data.series[0]?.aggregate.name;
  const all = data.cells
    .flat()
    .filter(
      (cell): cell is ChartCell =>
        cell !== undefined &&
        data.series[cell.series]?.aggregate.name === name &&
        cell.size !== null,
    );
  const above = all.filter(({ size }) => (size ?? 0) > 0);
  const largest = [...above].sort((one, other) => (other.size ?? 0) - (one.size ?? 0));
  const cells = above.length > slicesMax ? largest.slice(0, slicesMax) : above;
  const hasSeries = data.series.filter(({ aggregate }) => aggregate.name === name).length > 1;
  const colors = new Map(
    cells.map((cell, index) => {
      const own = hasSeries ? undefined : data.points[cell.point]?.color;
      return [cell, own ?? paletteColor(index)];
    }),
  );
  const colorOf = (cell: ChartCell) => colors.get(cell) ?? "gray";
  return {
    ...{ kind: "donut", cells, series: [...new Set(cells.map((cell) => cell.series))], colorOf },
    legend: cells.map((cell) => ({
      key: `${cell.point}.${cell.series}`,
      text: placeOf(data, cell, hasSeries),
      color: colorOf(cell),
    })),
    leftOut:
      cells.length < above.length
        ? { what: "slices", shown: cells.length, count: above.length }
        : null,
    hasNegative: all.some(({ size }) => (size ?? 0) < 0),
  };
}

/** A value of a chart with its place in words. */
interface Extreme {
  readonly where: string;
  readonly value: unknown;
}

/** What a chart says about one of its aggregates. */
export interface ChartFacts {
  /** Names the aggregate. */
  readonly name: string;
  readonly column: ValueColumn;
  readonly count: number;
  readonly highest: Extreme;
  readonly lowest: Extreme;
  /** With every digit; undefined for values that do not add up. */
  readonly total: string | undefined;
}

/** Returns what a chart says, by aggregate; those without a number are left out. */
export function chartFacts(data: ChartData): readonly ChartFacts[] {
  const names = [...new Set(data.series.map(({ aggregate }) => aggregate.name))];
  return names.flatMap((name) => factsOf(data, name) ?? []);
}

function factsOf(data: ChartData, name: string): ChartFacts | undefined {
  const own = data.series.filter(({ aggregate }) => aggregate.name === name);
  const [first] = own;
  if (first === undefined) return undefined;
  const cells = data.cells
    .flat()
    .filter(
      (cell): cell is ChartCell =>
        cell !== undefined &&
        data.series[cell.series]?.aggregate.name === name &&
        cell.value !== null &&
        isDecimal(String(cell.value)),
    );
  const [start] = cells;
  if (start === undefined) return undefined;
  const extreme = (sign: 1 | -1): Extreme => {
    const found = cells.reduce((best, cell) =>
      sign * compareDecimals(String(cell.value), String(best.value)) > 0 ? cell : best,
    );
    return { where: placeOf(data, found, own.length > 1), value: found.value };
  };
  const { aggregate, column } = first;
  return {
    ...{ name: first.kindText, column, count: cells.length },
    ...{ highest: extreme(1), lowest: extreme(-1) },
    total: isAdditive(aggregate) ? addDecimals(cells.map(({ value }) => String(value))) : undefined,
  };
}

/** Names the place of a value: its point, and its series if there are several. */
export function placeOf(data: ChartData, cell: ChartCell, hasSeries: boolean): string {
  const point = data.points[cell.point]?.text ?? "";
  return hasSeries ? `${point}, ${data.series[cell.series]?.text ?? ""}` : point;
}

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
