import type { Queryable } from "@rowhouse/db";
import { isoMoment } from "../base/iso-moment.ts";

/** The state of all workflows, and their runs of the last hours. Tests of drafts are not counted. */
interface WorkflowOverview {
  /** Runs count from their acceptance: `since` is inclusive, `until` is exclusive. ISO 8601. */
  readonly since: string;
  readonly until: string;
  /** The number of all workflows; `workflows` has at most 1000 of them. */
  readonly workflowCount: number;
  /** Those with the most failed runs first, then those with the most runs, then by slug. */
  readonly workflows: WorkflowState[];
  /** At most 60 intervals of equal length, the oldest first. */
  readonly buckets: ({ readonly at: string } & EndedCounts)[];
  /** The next 50 times of schedules. */
  readonly schedules: {
    readonly workflowId: string;
    readonly slug: string;
    readonly name: string;
    readonly nextRunAt: string;
  }[];
}

interface EndedCounts {
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
}

/** A workflow, its present load and its runs in the period. */
interface WorkflowState {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly problem: string | null;
  readonly runs: { readonly total: number } & EndedCounts;
  /** Runs of any time that have not ended. */
  readonly open: number;
  /** Those of them that a worker holds now. */
  readonly running: number;
  /** The limit of `running`; null without a limit. */
  readonly concurrency: number | null;
  /** From the first claim to the end, of succeeded and failed runs; null without any. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
  readonly lastFailure: {
    readonly runId: string;
    readonly at: string;
    readonly code: string;
  } | null;
}

const workflowsMax = 1000;
const schedulesMax = 50;
const bucketsMax = 60;
/** Lengths of an interval in minutes, so that intervals begin at even times. */
const bucketMinutes = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720];

const countsSql = (name: string) =>
  (["succeeded", "failed", "cancelled"] as const)
    .map((status) => `'${status}', coalesce(${name}.${status}, 0)`)
    .join(", ");

// The runs of the period are read once; the aggregates read only their narrow copy.
const overviewSql = `
with period as (
  select moment + width - $1::integer * interval '1 hour' as since, moment + width as until, width
  from (select date_bin(width, system.clock(), timestamptz 'epoch') as moment, width
        from (select $2::integer * interval '1 minute' as width) w) b
), runs as materialized (
  select r.workflow_id, r.accepted_at, r.status,
    case when r.status in ('SUCCEEDED', 'FAILED')
      then extract(epoch from r.finished_at - r.started_at) * 1000 end::double precision as ms
  from system.workflow_runs r, period p
  where r.accepted_at >= p.since and r.accepted_at < p.until and r.origin <> 'TEST'
), counted as (
  select workflow_id, pg_catalog.count(*)::integer as total, pg_catalog.count(*) filter (where status = 'SUCCEEDED')::integer as succeeded,
    pg_catalog.count(*) filter (where status = 'FAILED')::integer as failed,
    pg_catalog.count(*) filter (where status = 'CANCELLED')::integer as cancelled,
    pg_catalog.percentile_disc(array[0.5, 0.95]) within group (order by ms) as ms
  from runs group by workflow_id
), open as (
  select workflow_id, pg_catalog.count(*)::integer as open,
    pg_catalog.count(*) filter (where lease_until > system.clock() and lease_owner is not null)::integer as running
  from system.workflow_runs where finished_at is null and origin <> 'TEST' group by workflow_id
), failed as (
  select distinct on (r.workflow_id) r.workflow_id, r.id, ${isoMoment("r.finished_at")} as at, r.error ->> 'code'::text as code
  from system.workflow_runs r, period p
  where r.error is not null and r.status = 'FAILED' and r.origin <> 'TEST'
    and r.accepted_at >= p.since and r.accepted_at < p.until
  order by r.workflow_id, r.finished_at desc
), listed as (
  select w.id, w.slug, w.name, w.enabled, w.concurrency, c.total, c.succeeded, c.failed, c.cancelled, c.ms,
    row_number() over (order by coalesce(c.failed, 0) desc, coalesce(c.total, 0) desc, w.slug) as ordinal
  from system.workflows w left join counted c on c.workflow_id = w.id
  order by ordinal limit ${workflowsMax}
), buckets as (
  select date_bin(p.width, r.accepted_at, timestamptz 'epoch') as at,
    pg_catalog.count(*) filter (where r.status = 'SUCCEEDED') as succeeded,
    pg_catalog.count(*) filter (where r.status = 'FAILED') as failed, pg_catalog.count(*) filter (where r.status = 'CANCELLED') as cancelled
  from runs r, period p group by 1
)
select pg_catalog.json_build_object(
  'since', ${isoMoment("p.since")}, 'until', ${isoMoment("p.until")},
  'workflowCount', (select pg_catalog.count(*) from system.workflows),
  'workflows', (
    select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
      'id', l.id, 'slug', l.slug, 'name', l.name, 'enabled', l.enabled, 'problem', system.workflow_problem(l.id),
      'runs', pg_catalog.json_build_object('total', coalesce(l.total, 0), ${countsSql("l")}),
      'open', coalesce(o.open, 0), 'running', coalesce(o.running, 0), 'concurrency', l.concurrency,
      'medianMs', round(l.ms[1]), 'p95Ms', round(l.ms[2]),
      'lastFailure', case when f.id is not null
        then pg_catalog.json_build_object('runId', f.id, 'at', f.at, 'code', coalesce(f.code, '')) end) order by l.ordinal), '[]')
    from listed l left join open o on o.workflow_id = l.id left join failed f on f.workflow_id = l.id),
  'buckets', (
    select pg_catalog.json_agg(pg_catalog.json_build_object('at', ${isoMoment("a.at")}, ${countsSql("b")}) order by a.at)
    from generate_series(p.since, p.until - p.width, p.width) as a (at) left join buckets b on b.at = a.at),
  'schedules', (
    select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('workflowId', s.id, 'slug', s.slug, 'name', s.name,
      'nextRunAt', ${isoMoment("s.next_at")}) order by s.next_at, s.slug), '[]')
    from (select w.id, w.slug, w.name, s.next_at
          from system.workflow_schedules s join system.workflows w on w.id = s.workflow_id
          where s.next_at is not null order by s.next_at, w.slug limit ${schedulesMax}) s)) as overview
from period p`;

/**
 * Returns the state of the workflows and statistics of their runs.
 *
 * @param hours the length of the period, 1 to 720. It ends at the end of the interval in progress
 */
export async function readWorkflowOverview(
  database: Queryable,
  hours: number,
): Promise<WorkflowOverview> {
  const minutes = bucketMinutes.find((length) => (hours * 60) / length <= bucketsMax) ?? 720;
  const [row] = await database.query<{ overview: WorkflowOverview }>(overviewSql, [
    String(hours),
    String(minutes),
  ]);
  if (row === undefined) throw new Error("The overview has no row");
  return row.overview;
}
