/**
 * A half-open interval of whole days in the caller's time zone: the unit to truncate to, and the offsets of its start
 * and end from the start of the current unit.
 */
interface PeriodRule {
  readonly unit: "day" | "week" | "month" | "quarter" | "year";
  readonly start: string;
  readonly end: string;
}

/** Weeks begin on Monday; the last n days include today. */
export const periods = {
  today: { unit: "day", start: "0 days", end: "1 day" },
  yesterday: { unit: "day", start: "-1 day", end: "0 days" },
  tomorrow: { unit: "day", start: "1 day", end: "2 days" },
  this_week: { unit: "week", start: "0 days", end: "7 days" },
  last_week: { unit: "week", start: "-7 days", end: "0 days" },
  next_week: { unit: "week", start: "7 days", end: "14 days" },
  this_month: { unit: "month", start: "0 days", end: "1 month" },
  last_month: { unit: "month", start: "-1 month", end: "0 days" },
  next_month: { unit: "month", start: "1 month", end: "2 months" },
  this_quarter: { unit: "quarter", start: "0 days", end: "3 months" },
  last_quarter: { unit: "quarter", start: "-3 months", end: "0 days" },
  this_year: { unit: "year", start: "0 days", end: "1 year" },
  last_year: { unit: "year", start: "-1 year", end: "0 days" },
  last_7_days: { unit: "day", start: "-6 days", end: "1 day" },
  last_30_days: { unit: "day", start: "-29 days", end: "1 day" },
  last_90_days: { unit: "day", start: "-89 days", end: "1 day" },
} as const satisfies Record<string, PeriodRule>;

export type Period = keyof typeof periods;

/** Whether `name` is a period. Only own keys count. */
export function isPeriod(name: string): name is Period {
  return Object.hasOwn(periods, name);
}

/** The types that can be compared with a period. */
const temporal: ReadonlySet<string> = new Set([
  "date",
  "timestamp without time zone",
  "timestamp with time zone",
]);

/** Whether a period can be compared with values of the type. */
export function isTemporal(type: { readonly base: string; readonly array: boolean }): boolean {
  return !type.array && temporal.has(type.base);
}

/** The types that PostgreSQL converts a timestamp to; for text, its text form. */
const momentary: ReadonlySet<string> = new Set([
  ...temporal,
  "time without time zone",
  "time with time zone",
  "text",
  "character varying",
  "bpchar",
]);

/** Whether `$NOW` can be compared with values of the type. */
export function isMoment(type: { readonly base: string; readonly array: boolean }): boolean {
  return !type.array && momentary.has(type.base);
}

/**
 * Returns SQL for the first instant at which the clocks of a time zone show a time, or a later one. The conversion of
 * PostgreSQL returns the second of two, such as of the midnights of Havana on the day on which its clocks are set back from
 * 1 to 0 o'clock. The offset of three hours before gives the first, unless the clocks then show the day before.
 *
 * @param local SQL of a timestamp without time zone
 */
export function firstInstantSql(local: string, timeZoneSql: string): string {
  const converted = `(${local} at time zone ${timeZoneSql})`;
  const before = `((${local} - interval '3 hours') at time zone ${timeZoneSql} + interval '3 hours')`;
  return `(case when (${before} at time zone ${timeZoneSql}) < ${local} then ${converted} else least(${before}, ${converted}) end)`;
}

/**
 * Returns SQL for the start and the end of a period as values of a type. A period of timestamps with time zone begins
 * with the first instant of its first day, also where midnight occurs twice or not at all.
 *
 *
 * @param timeZoneSql the name of the time zone whose midnights count
 */
export function periodSql(
  period: Period,
  typeBase: string,
  timeZoneSql: string,
): { readonly start: string; readonly end: string } {
  const { unit, start, end } = periods[period];
  const bound = (shift: string): string => {
    const local = `(pg_catalog.date_trunc('${unit}', pg_catalog.now() at time zone ${timeZoneSql}) + interval '${shift}')`;
    if (typeBase === "date") return `${local}::date`;
    // Local midnight is converted to a timestamp with time zone last, so that days of 23 or 25 hours are correct.
    return typeBase === "timestamp with time zone" ? firstInstantSql(local, timeZoneSql) : local;
  };
  return { start: bound(start), end: bound(end) };
}
