import { firstInstantSql } from "@rowhouse/access";
import { arrayLiteral, type Queryable, type Snapshot } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { isTimeZone, settingsOf, zonesWithoutAbbreviation } from "@rowhouse/settings";
import { timeZoneHeader } from "../parse/headers.ts";
import type { TimeUnit } from "../parse/terms.ts";

const zonesSql = [...zonesWithoutAbbreviation]
  .map(([name, zone]) => `when '${name}' then '${zone}'`)
  .join(" ");

/** A period relative to today: the unit to truncate to, and the offsets of its bounds from the start of that unit. */
export interface RelativePeriod {
  readonly unit: "day" | "week" | "month" | "quarter" | "year";
  readonly start: string;
  readonly end: string;
  /** The start of the period before, which ends where this one starts. */
  readonly before: string;
}

/** Days from `from` up to but not including `until`: ISO dates from the year 1000 on. */
export interface DatedPeriod {
  readonly from: string;
  readonly until: string;
}

/** The start of a day: its date, and the first moment that has this date in the reader's time zone. */
export interface DayStart {
  readonly date: string;
  readonly instant: string;
}

export interface DayPeriod {
  readonly from: DayStart;
  /** Exclusive. */
  readonly until: DayStart;
  /** The start of the period before, which ends at `from`; null if there is none. */
  readonly before: DayStart | null;
}

const instantSql = (sql: string): string =>
  `pg_catalog.to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const zone = "z.name";
const startSql = (day: string): string =>
  `pg_catalog.json_build_object('date', ${day}::text, 'instant', ${instantSql(firstInstantSql(`${day}::timestamp`, zone))})`;

const periodsSql = `with z as materialized (select ${postgresZoneSql("$1::text")} as name),
t as materialized (select pg_catalog.now() at time zone ${zone} as now from z),
p as materialized (
  select p.n, (case when p.unit is null then p.a::timestamp else pg_catalog.date_trunc(p.unit, t.now) + p.a::interval end)::date as day,
    (case when p.unit is null then p.b::timestamp else pg_catalog.date_trunc(p.unit, t.now) + p.b::interval end)::date as until,
    (case when p.unit is not null then (pg_catalog.date_trunc(p.unit, t.now) + p.c::interval)::date
      when p.a::date - (p.b::date - p.a::date) > date '0001-01-03' then p.a::date - (p.b::date - p.a::date) end) as before
  from t, rows from (pg_catalog.unnest($2::text[]), pg_catalog.unnest($3::text[]), pg_catalog.unnest($4::text[]), pg_catalog.unnest($5::text[]))
    with ordinality p (unit, a, b, c, n))
select ${startSql("p.day")} as "from", ${startSql("p.until")} as until,
  case when p.before is not null then ${startSql("p.before")} end as before
from z, p order by p.n`;

/** Resolves periods in a time zone, now. */
export async function readPeriods(
  database: Queryable,
  timeZone: string,
  periods: readonly (RelativePeriod | DatedPeriod)[],
): Promise<DayPeriod[]> {
  if (periods.length === 0) return [];
  const column = (of: (period: RelativePeriod | DatedPeriod) => string | null) =>
    arrayLiteral(periods.map(of));
  return database.query<DayPeriod & Record<string, unknown>>(
    periodsSql,
    [
      timeZone,
      column((period) => ("unit" in period ? period.unit : null)),
      column((period) => ("unit" in period ? period.start : period.from)),
      column((period) => ("unit" in period ? period.end : period.until)),
      column((period) => ("unit" in period ? period.before : null)),
    ],
    { prepare: true },
  );
}

/** The types whose values are truncated to a unit of time. */
export type TemporalBase = "date" | "timestamp without time zone" | "timestamp with time zone";

/** A series of buckets to complete. */
export interface BucketRange {
  readonly base: TemporalBase;
  readonly unit: TimeUnit;
  /** The first and the last bucket that exist, as in a response; null if none does. */
  readonly first: string | null;
  readonly last: string | null;
  /** The period that the buckets cover, up to now; null for the range from `first` to `last`. */
  readonly period: BucketPeriod | null;
}

/** Dates in the reader's time zone, and the first moments of these days. */
export interface BucketPeriod {
  readonly from: { readonly date: string; readonly instant: string };
  readonly until: { readonly date: string; readonly instant: string };
}

/** Maximum number of buckets of a completed series. */
export const bucketsMax = 2000;

const unitMs: Readonly<Record<TimeUnit, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 28 * 86_400_000,
  quarter: 90 * 86_400_000,
  year: 365 * 86_400_000,
};

/** Years that ISO 8601 and PostgreSQL write alike. */
const plainForm = /^[0-9]{4}-/;

/** Whether a bucket is a plain point in time; the years before Christ and `infinity` are not. */
export function isPlainBucket(bucket: unknown): bucket is string {
  return typeof bucket === "string" && plainForm.test(bucket) && !bucket.endsWith("BC");
}

/** Whether a range has at most a few more buckets than the maximum, so that PostgreSQL may generate it. */
export function isSmallRange({ base, unit, first, last, period }: BucketRange): boolean {
  const isDated = base !== "timestamp with time zone";
  const points = [first, last, period?.from, period?.until].flatMap((point) => {
    if (point === null || point === undefined) return [];
    return Date.parse(typeof point === "string" ? point : isDated ? point.date : point.instant);
  });
  const span = Math.max(...points) - Math.min(...points);
  // A range that touches the future ends now, which only makes it shorter.
  return !(span / unitMs[unit] > bucketsMax * 1.2 + 2);
}

const stepSql = `case f.unit when 'quarter' then interval '3 months' when 'week' then interval '7 days'
  else ('1 ' || f.unit)::interval end`;
const local = (sql: string): string =>
  `case when f.base = 'timestamp with time zone' then ${sql}::timestamptz at time zone z.name else ${sql}::timestamp end`;
const truncated = (sql: string): string => `pg_catalog.date_trunc(f.unit, ${sql})`;

/** Local times: every type in units of days, and those without a time zone in any unit. */
const localRangeSql = `lateral (
  select least(${truncated(local("f.first"))}, ${truncated("f.from_day::timestamp")}) as low,
    greatest(${truncated(local("f.last"))}, ${truncated(`case when f.from_day is null then null when f.from_day::timestamp > z.now then f.until_day::timestamp
      else least(f.until_day::timestamp, z.now + interval '1 microsecond') end - interval '1 microsecond'`)}) as high) r`;
const localBucketsSql = `select pg_catalog.generate_series(r.low, r.high, ${stepSql}) as l from ${localRangeSql}`;

/** Moments: hours and minutes of a time zone. Steps are shorter than a unit because zones change by half an hour, too. */
const momentsSql = `select distinct pg_catalog.date_trunc(f.unit, i, z.name) as b
  from lateral (
    select least(f.first::timestamptz, f.from_instant::timestamptz) as low,
      greatest(f.last::timestamptz, case when f.from_day is null then null when f.from_instant::timestamptz > pg_catalog.now() then f.until_instant::timestamptz
        else least(f.until_instant::timestamptz, pg_catalog.now() + interval '1 microsecond') end - interval '1 microsecond') as high) r,
  pg_catalog.generate_series(r.low, r.high + interval '1 hour', case f.unit when 'hour' then interval '15 minutes' else interval '1 minute' end) i
  where i <= r.high`;

const bucketsSql = `select coalesce(case
  when f.base = 'date' then (select pg_catalog.json_agg(l.l::date order by l.l) from (${localBucketsSql}) l)
  when f.base = 'timestamp without time zone' then (select pg_catalog.json_agg(l.l order by l.l) from (${localBucketsSql}) l)
  when f.unit in ('hour', 'minute') then (select pg_catalog.json_agg(m.b order by m.b) from (${momentsSql}) m)
  else (select pg_catalog.json_agg(m.b order by m.b)
    from (select distinct l.l at time zone z.name as b from (${localBucketsSql}) l) m)
  end, '[]') as buckets
from (select z.name, pg_catalog.now() at time zone z.name as now from (select ${postgresZoneSql("$1::text")} as name) z) z,
  rows from (pg_catalog.unnest($2::text[]), pg_catalog.unnest($3::text[]), pg_catalog.unnest($4::text[]), pg_catalog.unnest($5::text[]),
    pg_catalog.unnest($6::text[]), pg_catalog.unnest($7::text[]), pg_catalog.unnest($8::text[]), pg_catalog.unnest($9::text[]))
    with ordinality f (base, unit, first, last, from_day, until_day, from_instant, until_instant, n)
order by f.n`;

/**
 * Returns every bucket of each range in the form of a response, in one statement. PostgreSQL generates them, because its
 * time zones decide where a bucket of the data begins.
 */
export async function readBuckets(
  database: Queryable,
  timeZone: string,
  ranges: readonly BucketRange[],
): Promise<string[][]> {
  if (ranges.length === 0) return [];
  const column = (of: (range: BucketRange) => string | null) => arrayLiteral(ranges.map(of));
  const rows = await database.query<{ buckets: string[] }>(
    bucketsSql,
    [
      timeZone,
      column((range) => range.base),
      column((range) => range.unit),
      column((range) => range.first),
      column((range) => range.last),
      column((range) => range.period?.from.date ?? null),
      column((range) => range.period?.until.date ?? null),
      column((range) => range.period?.from.instant ?? null),
      column((range) => range.period?.until.instant ?? null),
    ],
    { prepare: true },
  );
  return rows.map(({ buckets }) => buckets);
}

const isShortSql = "$2::text in ('hour', 'minute')";
const ownStepSql = `case $2::text when 'quarter' then interval '3 months' when 'week' then interval '7 days'
  else ('1 ' || $2::text)::interval end`;
const momentSql = (sql: string): string =>
  `pg_catalog.replace(pg_catalog.to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z" BC'), ' AD', '')`;
const truncatedSql = (sql: string): string => `pg_catalog.date_trunc($2::text, ${sql}, z.name)`;

/**
 * Bounds by trial: an hour that a change of clocks repeats or shortens, and a day without or with two midnights, begin
 * where truncation gives another result, which may be before or after the truncated time itself.
 */
const boundsSql = `with z as materialized (select ${postgresZoneSql("$1::text")} as name),
b as materialized (
  select ${truncatedSql("$3::text::timestamptz")} as bucket, case when ${isShortSql} then $3::text::timestamptz + ${ownStepSql}
    else (pg_catalog.date_trunc($2::text, $3::text::timestamptz at time zone z.name) + ${ownStepSql}) at time zone z.name end as next
  from z),
s as materialized (select case $2::text when 'minute' then interval '1 minute' else interval '15 minutes' end as step,
  case when ${isShortSql} then interval '2 hours' else interval '3 hours' end as reach)
select ${momentSql(`(select pg_catalog.min(g) from pg_catalog.generate_series(b.bucket - s.reach, b.bucket, s.step) g
    where ${truncatedSql("g")} = b.bucket)`)} as "from",
  ${momentSql(`(select pg_catalog.min(g) from pg_catalog.generate_series(${truncatedSql("b.next")} - s.reach, b.next + s.reach, s.step) g
    where g > b.bucket and ${truncatedSql("g")} > b.bucket)`)} as until
from z, b, s`;

/**
 * Returns the first moment of the bucket of a time zone that contains a moment, and the first moment after it.
 *
 * @param moment a timestamp with its offset, and ` BC` before Christ
 */
export async function readBucketBounds(
  database: Queryable,
  timeZone: string,
  unit: TimeUnit,
  moment: string,
): Promise<{ readonly from: string; readonly until: string }> {
  const [row] = await database.query<{ from: string; until: string }>(
    boundsSql,
    [timeZone, unit, moment],
    { prepare: true },
  );
  if (row === undefined) throw new TypeError("A bucket has no bounds");
  return row;
}

/** SQL for a time zone's name as PostgreSQL reads it, given SQL for its IANA name. */
function postgresZoneSql(name: string): string {
  return `case pg_catalog.lower(${name} collate pg_catalog."C") ${zonesSql} else ${name} end`;
}

/**
 * Returns the time zone in which days begin for a reader: that of the account, else the setting `system.timezone`, else
 * the header `X-Service-Timezone`, else UTC.
 *
 * @throws AppError QUERY_INVALID for a header that is no IANA time zone name
 */
export async function readZone(
  database: Queryable,
  snapshot: Snapshot,
  userId: string,
  header: string | null,
): Promise<string> {
  if (header !== null && !isTimeZone(header)) {
    throw createError("QUERY_INVALID", {
      path: timeZoneHeader,
      message: "X-Service-Timezone must be an IANA time zone name, such as Europe/Oslo",
    });
  }
  const [row] = await database.query<{ zone: string | null }>(
    "select time_zone as zone from system.users where id = $1::text::uuid",
    [userId],
    { prepare: true },
  );
  return row?.zone ?? settingsOf(snapshot)["system.timezone"] ?? header ?? "UTC";
}
