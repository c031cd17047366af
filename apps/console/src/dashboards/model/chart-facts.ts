import { addDecimals, compareDecimals, isDecimal } from "../../records/values/decimal.ts";
import type { ValueColumn } from "../../records/values/value-kind.ts";
import type { ChartCell, ChartData } from "./chart-data.ts";
import { isAdditive } from "./panel-columns.ts";

/** A value of a chart with its place in words. */
export interface Extreme {
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
