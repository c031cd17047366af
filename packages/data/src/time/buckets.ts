import { arrayLiteral, type Queryable } from "@rowhouse/db";
import type { TimeUnit } from "../parse/terms.ts";
import { postgresZoneSql } from "./reader-zone.ts";

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
  `pg_catalog.to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
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
 * @param moment a plain timestamp with its offset
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
