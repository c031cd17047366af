import { arrayLiteral, type Queryable } from "@rowhouse/db";
import { postgresZoneSql } from "./reader-zone.ts";

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

/**
 * SQL for the first moment of a day. PostgreSQL's own conversion returns the second of two midnights, on the day on which
 * clocks are set back from 1 to 0 o'clock, so that an hour of the day precedes its start.
 */
function dayStartSql(day: string, zone: string): string {
  const midnight = `(${day}::timestamp at time zone ${zone})`;
  return `(select pg_catalog.min(g) from pg_catalog.generate_series(${midnight} - interval '3 hours', ${midnight}, interval '15 minutes') g
    where (g at time zone ${zone})::date >= ${day})`;
}

const instantSql = (sql: string): string =>
  `pg_catalog.to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const zone = "z.name";
const startSql = (day: string): string =>
  `json_build_object('date', ${day}::text, 'instant', ${instantSql(dayStartSql(day, zone))})`;

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
