import { type ColorName, colorOf } from "../../records/values/color-of.ts";
import { isDecimal } from "../../records/values/decimal.ts";
import type { ValueColumn } from "../../records/values/value-kind.ts";
import { labelOfAggregate, labelOfGroup } from "./labels.ts";
import type { AggregateTerm, GroupTerm, Mark, OpenPanel } from "./open-panel.ts";
import { columnOfAggregate, columnOfGroup } from "./panel-columns.ts";
import { axisText, groupText, type PanelWays } from "./panel-ways.ts";

/** One position on the axis of a chart. */
interface ChartPoint {
  readonly text: string;
  readonly axis: string;
  readonly value: unknown;
  /** The color of the value, if its column has one. */
  readonly color: ColorName | undefined;
}

/** The values of one color: of an aggregate, and of one value of the second group. */
export interface ChartSeries {
  readonly text: string;
  /** Names the aggregate alone. */
  readonly kindText: string;
  readonly color: ColorName;
  readonly aggregate: AggregateTerm;
  readonly column: ValueColumn;
}

/** A value of a chart. */
export interface ChartCell {
  readonly point: number;
  readonly series: number;
  /** As the service answered it. */
  readonly value: unknown;
  /** For the height of a bar alone; null for a value that has none. */
  readonly size: number | null;
  readonly mark: Mark;
}

/** The content of a chart. */
export interface ChartData {
  readonly axis: string;
  readonly axisTerm: GroupTerm;
  readonly axisColumn: ValueColumn;
  readonly isTime: boolean;
  readonly points: readonly ChartPoint[];
  readonly series: readonly ChartSeries[];
  /** By point, then by series; undefined where the chart has no value. */
  readonly cells: readonly (readonly (ChartCell | undefined)[])[];
}

/** The colors of series, in an order in which neighbors differ. */
const palette = [
  ...(["blue", "orange", "teal", "violet", "amber", "pink", "green"] as const),
  ...(["indigo", "red", "cyan", "lime", "yellow", "gray"] as const),
] satisfies readonly ColorName[];

/** Returns the color of a series by its place. */
export function paletteColor(index: number): ColorName {
  return palette[index % palette.length] ?? "blue";
}

/** Reads the content of a chart; undefined for a panel without groups or without rows. */
export function readChart(panel: OpenPanel, ways: PanelWays): ChartData | undefined {
  const { terms, rows, fields = [] } = panel;
  const [axis, split] = terms?.groups ?? [];
  if (terms === undefined || rows === undefined || axis === undefined) return undefined;
  const axisColumn = columnOfGroup(axis, fields);
  const points = distinct(rows, axis.name);
  const splits = split === undefined ? undefined : distinct(rows, split.name);
  const splitColumn = split === undefined ? undefined : columnOfGroup(split, fields);
  const kinds = terms.aggregates.map((aggregate) => ({
    ...{ aggregate, column: columnOfAggregate(aggregate, fields) },
    kindText: labelOfAggregate(aggregate, fields, ways),
  }));
  const series = splitSeries();
  const cells = points.values.map(() => new Array<ChartCell | undefined>(series.length));
  for (const row of rows) {
    const point = points.indexOf(row[axis.name]);
    const at = split === undefined ? 0 : (splits?.indexOf(row[split.name]) ?? 0);
    const mark = Object.fromEntries(terms.groups.map(({ name }) => [name, row[name] ?? null]));
    for (const [kind, { aggregate }] of kinds.entries()) {
      const value = row[aggregate.name];
      const index = at * kinds.length + kind;
      const line = cells[point];
      if (line !== undefined && value !== undefined) {
        line[index] = { point, series: index, value, size: sizeOf(value), mark };
      }
    }
  }
  return {
    ...{ axis: labelOfGroup(axis, fields), axisTerm: axis, axisColumn, isTime: axis.unit !== null },
    points: points.values.map((value) => ({
      value,
      text: groupText(axis, axisColumn, value, ways),
      axis: axisText(axis, axisColumn, value, ways),
      color: axis.unit === null ? colorOf(axisColumn, value) : undefined,
    })),
    ...{ series, cells },
  };

  function splitSeries(): ChartSeries[] {
    if (split === undefined || splits === undefined || splitColumn === undefined) {
      return kinds.map((kind, index) => ({
        ...{ ...kind, text: kind.kindText, color: paletteColor(index) },
      }));
    }
    return splits.values.flatMap((value, index) =>
      kinds.map((kind, position) => {
        const text = groupText(split, splitColumn, value, ways);
        const own = kinds.length === 1 ? colorOf(splitColumn, value) : undefined;
        return {
          ...kind,
          text: kinds.length === 1 ? text : `${text} · ${kind.kindText}`,
          color: own ?? paletteColor(index * kinds.length + position),
        };
      }),
    );
  }
}

/** Returns the size in which a value is drawn; null if it is no number. */
function sizeOf(value: unknown): number | null {
  const text = String(value);
  if (value === null || !isDecimal(text)) return null;
  const size = Number(text);
  return Number.isFinite(size) ? size : null;
}

/** The different values of a group, in the order of the rows. */
function distinct(rows: readonly Mark[], name: string) {
  const places = new Map<string, number>();
  const values: unknown[] = [];
  for (const row of rows) {
    const value = row[name] ?? null;
    const key = JSON.stringify(value);
    if (places.has(key)) continue;
    places.set(key, values.length);
    values.push(value);
  }
  return {
    values: values as readonly unknown[],
    indexOf: (value: unknown) => places.get(JSON.stringify(value ?? null)) ?? -1,
  };
}
