import { type ColumnType, quoteLiteral } from "@rowhouse/db";

const names = ["year", "quarter", "month", "week", "day", "weekday", "hour"] as const;

/** A number that a date has in its calendar: the weekday from 1, Monday, to 7; the week of ISO 8601 from 1 to 53. */
export type DatePart = (typeof names)[number];

/** The parts of dates that groups and conditions can have. */
export const dateParts: readonly DatePart[] = names;

const known: ReadonlySet<string> = new Set(names);

export function isDatePart(name: string): name is DatePart {
  return known.has(name);
}

/**
 * Returns SQL for a part of a date: a number in the caller's time zone for `timestamptz`, of dates and local times as they
 * are. `infinity` has none.
 *
 * @param value SQL of a value of a type for which `isTemporal` is true
 * @param timeZoneSql SQL of the name of the time zone
 */
export function datePartSql(
  part: DatePart,
  value: string,
  { base }: Pick<ColumnType, "base">,
  timeZoneSql: () => string,
): string {
  // PostgreSQL rejects the hour of a date.
  if (base === "date" && part === "hour") {
    return `case when pg_catalog.isfinite(${value}) then 0 end`;
  }
  const local =
    base === "timestamp with time zone" ? `pg_catalog.timezone(${timeZoneSql()}, ${value})` : value;
  const field = quoteLiteral(part === "weekday" ? "isodow" : part);
  // A date may be too late for a timestamp, which is what `date_part` converts it to.
  const read = base === "date" ? "extract" : "date_part";
  const number = `pg_catalog.${read}(${field}, ${local})::integer`;
  // The other parts of `infinity` are null in PostgreSQL; its year is no integer.
  return part === "year" ? `case when pg_catalog.isfinite(${value}) then ${number} end` : number;
}
