import { readName, writeName } from "@rowhouse/access/written-name";
import type { TimeUnit } from "../model/open-panel.ts";
import { bucketUnits } from "./draft.ts";

export const aggregateFunctions = ["count", "count_distinct", "sum", "avg", "min", "max"] as const;
export type AggregateFunction = (typeof aggregateFunctions)[number];

/** `sum(price)`. Without a field, the number of rows. */
interface AggregateTerm {
  readonly apply: AggregateFunction;
  /** The path of the field, unquoted. */
  readonly field: string | null;
}

/** `status`, or `date_trunc(month,placed_at)`. */
interface GroupTerm {
  readonly field: string;
  readonly unit: TimeUnit | null;
}

/** `-price`; names of results or fields. */
interface OrderTerm {
  readonly field: string;
  readonly isDescending: boolean;
}

const callForm = /^([a-z_]+)\((.+)\)$/s;

/** Reads `count`, `count(*)`, `sum(price)`; undefined for any other text. */
export function readAggregate(term: string): AggregateTerm | undefined {
  if (term === "count" || term === "count(*)") return { apply: "count", field: null };
  const [, call = "", written = ""] = callForm.exec(term) ?? [];
  const apply = aggregateFunctions.find((one) => one === call);
  return apply === undefined ? undefined : { apply, field: readName(written) };
}

/** Writes a term of `aggregate`. `count(*)` cannot be confused with a group of the name `count`. */
export function writeAggregate({ apply, field }: AggregateTerm): string {
  return field === null ? "count(*)" : `${apply}(${writeName(field)})`;
}

/** The name under which rows have the result of a term; undefined for a text that is no term. */
export function aggregateName(term: string): string | undefined {
  if (term === "count") return "count";
  const read = readAggregate(term);
  return read === undefined ? undefined : `${read.apply}_${read.field ?? "*"}`;
}

/** Reads `status`, `date_trunc(month,placed_at)`; undefined for any other call. */
export function readGroup(term: string): GroupTerm | undefined {
  const [, call, inner = ""] = callForm.exec(term) ?? [];
  if (call === undefined) return { field: readName(term), unit: null };
  const comma = inner.indexOf(",");
  const unit = bucketUnits.find((one) => one === inner.slice(0, comma));
  if (call !== "date_trunc" || unit === undefined) return undefined;
  return { field: readName(inner.slice(comma + 1).trimStart()), unit };
}

/** Writes a term of `groupBy`, `rows` or `columns`. */
export function writeGroup({ field, unit }: GroupTerm): string {
  return unit === null ? writeName(field) : `date_trunc(${unit},${writeName(field)})`;
}

/** The name under which rows have a group; undefined for a text that is no term. */
export function groupName(term: string): string | undefined {
  const read = readGroup(term);
  if (read === undefined) return undefined;
  return read.unit === null ? read.field : `${read.field}_${read.unit}`;
}

const nulls = /:nulls_(?:first|last)$/;

/** Reads `-price`; a place of nulls is dropped. */
export function readOrder(term: string): OrderTerm {
  const isDescending = term.startsWith("-");
  return { field: readName(term.slice(isDescending ? 1 : 0).replace(nulls, "")), isDescending };
}

/** Writes a term of `orderBy`. */
export function writeOrder({ field, isDescending }: OrderTerm): string {
  return `${isDescending ? "-" : ""}${writeName(field)}`;
}
