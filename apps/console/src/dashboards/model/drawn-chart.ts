import type { ColorName } from "../../records/values/color-of.ts";
import { type ChartCell, type ChartData, paletteColor } from "./chart-data.ts";
import { placeOf } from "./chart-facts.ts";
import type { ChartKind } from "./open-panel.ts";

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
