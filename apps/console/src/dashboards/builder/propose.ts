import { valueKindOf } from "../../records/values/value-kind.ts";
import type { TimeUnit } from "../model/open-panel.ts";
import type { ChartForm } from "./draft.ts";
import type { Field } from "./fields.ts";
import { chartOf, figureOf, listOf, type Proposal, pivotOf } from "./proposal.ts";
import { writeAggregate } from "./terms.ts";

/** What is known of the values of a resource's fields, by path. A field may be missing. */
export interface Facts {
  /** The days between the first and the last value of a time. */
  readonly days: ReadonlyMap<string, number>;
  /** The number of distinct values. */
  readonly distinct: ReadonlyMap<string, number>;
}

export const noFacts: Facts = { days: new Map(), distinct: new Map() };

/** A donut with more parts cannot be read. */
const donutMax = 6;
/** As many series have a color of their own. */
const seriesMax = 8;
const aggregatesMax = 4;

/** Returns the unit that shows a span of time in some dozens of steps. */
export function unitFor(days: number | undefined): TimeUnit {
  if (days === undefined) return "month";
  if (days <= 2) return "hour";
  if (days <= 62) return "day";
  if (days <= 270) return "week";
  if (days <= 5 * 366) return "month";
  if (days <= 15 * 366) return "quarter";
  return "year";
}

/** Returns the panels that fit the chosen fields, the best first. Without fields, the number of rows. */
export function propose(fields: readonly Field[], facts: Facts = noFacts): readonly Proposal[] {
  const times = fields.filter(({ role }) => role === "TIME");
  const categories = fields.filter(({ role }) => role === "CATEGORY");
  const numbers = fields.filter(({ role }) => role === "NUMBER");
  const measured = numbers[0];
  const aggregate = aggregatesOf(numbers);
  const [time] = times;
  const [category, second] = categories;
  const found: Proposal[] = [];
  if (time !== undefined) {
    const unit = unitFor(facts.days.get(time.path));
    const first = { field: time, unit };
    const series = category === undefined ? [] : [{ field: category, unit: null }];
    const isStackable = category !== undefined && numbers.length <= 1;
    const forms: readonly ChartForm[] = isStackable
      ? ["stacked", "line", "bar"]
      : ["line", "bar", "area"];
    for (const chart of forms) {
      found.push(chartOf(chart, { measured, aggregate, by: [first, ...series] }));
    }
    if (category !== undefined) {
      found.push(pivotOf({ measured, aggregate, rows: [first], columns: series }));
    }
  } else if (category !== undefined) {
    const by = [category, ...(second === undefined ? [] : [second])].map((field) => ({
      field,
      unit: null,
    }));
    const few = (countOf(category, facts) ?? Number.POSITIVE_INFINITY) <= donutMax;
    if (second === undefined) {
      found.push(chartOf("bar", { measured, aggregate, by, isLong: isLong(category, facts) }));
      if (few && numbers.length <= 1) found.push(chartOf("donut", { measured, aggregate, by }));
    } else {
      found.push(chartOf("stacked", { measured, aggregate, by }));
      found.push(chartOf("bar", { measured, aggregate, by }));
    }
    found.push(pivotOf({ measured, aggregate, rows: by.slice(0, 1), columns: by.slice(1) }));
  }
  const figures = (["sum", "avg", "max"] as const).map((apply) => figureOf(measured, apply, time));
  if (fields.length === numbers.length + times.length) {
    const ownFigures = measured === undefined ? figures.slice(0, 1) : figures;
    // A time alone is an axis; a number alone, or nothing, is a figure.
    if (time === undefined) found.unshift(...ownFigures);
    else found.push(...ownFigures.slice(0, 1));
  }
  if (fields.length > 0) found.push(listOf(fields, time));
  return found;
}

/** Returns the number of values that a field can have or has; undefined if that is not known. */
function countOf({ path, column }: Field, { distinct }: Facts): number | undefined {
  const known = distinct.get(path);
  if (known !== undefined) return known;
  if (column.values !== null && !column.array) return column.values.length;
  return valueKindOf(column) === "BOOLEAN" ? 2 : undefined;
}

/** Whether the names are texts of people, of which only the most frequent ones fit. */
function isLong(field: Field, facts: Facts): boolean {
  return (countOf(field, facts) ?? Number.POSITIVE_INFINITY) > seriesMax;
}

function aggregatesOf(numbers: readonly Field[]): readonly string[] {
  if (numbers.length === 0) return [writeAggregate({ apply: "count", field: null })];
  return numbers
    .slice(0, aggregatesMax)
    .map(({ path }) => writeAggregate({ apply: "sum", field: path }));
}
