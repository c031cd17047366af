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

type NamedPeriod = keyof typeof periods;

declare const dated: unique symbol;

/** One of `periods`, or a period of the calendar: `2026-02`. */
export type Period = NamedPeriod | (string & { readonly [dated]: true });

/** Whether `name` is a period. Only own keys count. */
export function isPeriod(name: string): name is Period {
  return isNamed(name) || readCalendarPeriod(name) !== undefined;
}

/** Whether a period is an hour or a minute. */
export function isWithinDay(period: Period): boolean {
  return period.includes("T");
}

function isNamed(name: string): name is NamedPeriod {
  return Object.hasOwn(periods, name);
}

/** Local times of the calendar, as PostgreSQL reads them; the offset from UTC, if the period has one. */
interface CalendarPeriod {
  readonly start: string;
  /** Exclusive. */
  readonly end: string;
  readonly offset: string | null;
}

const calendarForm =
  /^([0-9]{4})(?:-Q([1-4])|-W([0-9]{2})|-([0-9]{2})(?:-([0-9]{2})(?:T([0-9]{2})(?::([0-9]{2}))?([+-][0-9]{2}:[0-9]{2}|Z)?)?)?)?$/;

/**
 * Reads a period of the calendar as ISO 8601 writes it, and as `labels=local` returns it: a year `2026`, a quarter `2026-Q1`,
 * a month `2026-02`, a week `2026-W07`, a day `2026-02-14`, an hour `2026-02-14T09`, a minute `2026-02-14T09:30`. The last two
 * may have an offset from UTC, for the hours that occur twice. Undefined for any other text, and for a day that does not exist.
 */
function readCalendarPeriod(text: string): CalendarPeriod | undefined {
  const [, year, quarter, week, month, day, hour, minute, offset = null] =
    calendarForm.exec(text) ?? [];
  if (year === undefined || year === "0000") return undefined;
  const at = (m: number, d: number, h = 0, min = 0): number => {
    const date = new Date(Date.UTC(2000, m, d, h, min));
    // `Date.UTC` takes the years up to 99 for those of the last century.
    return date.setUTCFullYear(Number(year), m, d);
  };
  const between = (start: number, end: number): CalendarPeriod => ({
    ...{ start: localText(start), end: localText(end), offset },
  });
  if (week !== undefined) {
    // The first week has January 4th; weeks begin on Monday.
    const fourth = at(0, 4);
    const weekday = (new Date(fourth).getUTCDay() + 6) % 7;
    const monday = fourth + ((Number(week) - 1) * 7 - weekday) * dayMs;
    const thursday = new Date(monday + 3 * dayMs).getUTCFullYear();
    return week === "00" || thursday !== Number(year)
      ? undefined
      : between(monday, monday + 7 * dayMs);
  }
  if (quarter !== undefined) {
    const first = (Number(quarter) - 1) * 3;
    return between(at(first, 1), at(first + 3, 1));
  }
  if (month === undefined) return between(at(0, 1), at(12, 1));
  const [m, d] = [Number(month) - 1, Number(day ?? 1)];
  const start = at(m, d, Number(hour ?? 0), Number(minute ?? 0));
  // A day or an hour that does not exist belongs to the next month or day.
  const written = `${year}-${month}-${day ?? "01"} ${hour ?? "00"}:${minute ?? "00"}`;
  if (!localText(start).startsWith(written)) return undefined;
  if (offset !== null && !isOffset(offset)) return undefined;
  if (day === undefined) return between(start, at(m + 1, 1));
  const lengthMs = hour === undefined ? dayMs : minute === undefined ? 3_600_000 : 60_000;
  return between(start, start + lengthMs);
}

const dayMs = 86_400_000;

/** Offsets that PostgreSQL reads. */
function isOffset(offset: string): boolean {
  return offset === "Z" || (Number(offset.slice(1, 3)) < 16 && Number(offset.slice(4)) < 60);
}

function localText(ms: number): string {
  // The year after 9999 has a sign in ISO 8601, and none in PostgreSQL.
  return new Date(ms).toISOString().replace(/^[+]0/, "").slice(0, -5).replace("T", " ");
}

function calendarPeriod(text: string): CalendarPeriod {
  const period = readCalendarPeriod(text);
  if (period === undefined) throw new TypeError("A period of a filter must be one");
  return period;
}

/** Forms of `to_char` in which a truncated date is the name of its period. */
const labelForms = {
  year: "YYYY",
  quarter: 'YYYY-"Q"Q',
  month: "YYYY-MM",
  week: 'IYYY-"W"IW',
  day: "YYYY-MM-DD",
  hour: 'YYYY-MM-DD"T"HH24',
  minute: 'YYYY-MM-DD"T"HH24:MI',
} as const;

/**
 * Returns SQL for the name of a truncated date, which `$PERIOD` takes: `2026-02`. Hours and minutes of a `timestamptz` have
 * their offset from UTC, because one hour of a year occurs twice. Years before Christ and `infinity` have the form of
 * PostgreSQL.
 *
 * @param value SQL of the truncated value
 * @param timeZoneSql SQL of the name of the time zone
 */
export function periodLabelSql(
  unit: keyof typeof labelForms,
  value: string,
  { base }: { readonly base: string },
  timeZoneSql: () => string,
): string {
  const hasZone = base === "timestamp with time zone";
  const local = hasZone
    ? `pg_catalog.timezone(${timeZoneSql()}, ${value})`
    : `${value}::timestamp without time zone`;
  const isShort = unit === "hour" || unit === "minute";
  const form = labelForms[isShort && base === "date" ? "day" : unit];
  const label = `pg_catalog.to_char(${local}, '${form}')`;
  const offset = `(${local} - pg_catalog.timezone('UTC', ${value}))`;
  const suffix =
    hasZone && isShort
      ? ` || case when ${offset} < interval '0' then '-' else '+' end || pg_catalog.to_char(greatest(${offset}, -${offset}), 'HH24:MI')`
      : "";
  return `case when pg_catalog.isfinite(${value}) and ${local} >= timestamp '0001-01-01' then ${label}${suffix} else ${local}::text end`;
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
  const bound = (local: string): string => {
    if (typeBase === "date") return `${local}::date`;
    // Local midnight is converted to a timestamp with time zone last, so that days of 23 or 25 hours are correct.
    return typeBase === "timestamp with time zone" ? firstInstantSql(local, timeZoneSql) : local;
  };
  if (!isNamed(period)) {
    const { start, end, offset } = calendarPeriod(period);
    const [first, last] = [start, end].map((time) => `timestamp '${time}'`) as [string, string];
    if (offset === null || typeBase !== "timestamp with time zone") {
      return { start: bound(first), end: bound(last) };
    }
    const instant = (time: string) => `timestamp with time zone '${time}${offset}'`;
    return { start: instant(start), end: instant(end) };
  }
  const { unit, start, end } = periods[period];
  const current = `pg_catalog.date_trunc('${unit}', pg_catalog.now() at time zone ${timeZoneSql})`;
  return {
    start: bound(`(${current} + interval '${start}')`),
    end: bound(`(${current} + interval '${end}')`),
  };
}
