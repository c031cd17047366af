import type { Queryable } from "@rowhouse/db";
import { toJson } from "../json.ts";
import { type JournalEntry, LeaseLost, type Outcome } from "./run.ts";

/** What one statement adds to a run. */
export interface JournalWrite {
  readonly runId: string;
  readonly fence: string;
  readonly entries: readonly JournalEntry[];
  /** The end of the run, where these entries reach it. */
  readonly outcome: Outcome | undefined;
  /**
   * How many of the entries belong to the step that was in progress. Where a cancellation was requested meanwhile, the
   * others are not written and the run is CANCELLED instead; undefined where nothing is left that could be cancelled.
   */
  readonly cancellableAfter: number | undefined;
}

// The run's row is locked first, so that a claim that is under way either sees these entries or makes this statement
// find nothing.
const writeSql = `
with held as materialized (
  select id, cancel_requested_at is not null and $5::text is not null as cancelled
  from system.workflow_runs
  where id = $1::text::uuid and fence = $2::text::bigint and status = 'RUNNING'
  for no key update
), written as (
  insert into system.workflow_run_steps as s
    (run_id, path, position, kind, status, output, error, fence, started_at, finished_at)
  select held.id, e.path, e.position, e.kind, e.status, e.output, e.error, $2::text::bigint,
         to_timestamp(e.started / 1000.0), to_timestamp(e.finished / 1000.0)
  from held, json_to_recordset($3::text::json)
    as e (path text, position integer, kind text, status text, output json, error json, started double precision, finished double precision, ordinal integer)
  where not held.cancelled or e.ordinal < $5::text::integer
  on conflict (run_id, path) do update
    set status = excluded.status, output = excluded.output, error = excluded.error,
        fence = excluded.fence, finished_at = excluded.finished_at
    where s.status = 'STARTED'
  returning 1
), ended as (
  update system.workflow_runs r
  set status = case when held.cancelled then 'CANCELLED' else $4::text::json ->> 'status' end,
      result = case when held.cancelled then null else $4::text::json -> 'result' end,
      error = case when held.cancelled then null else nullif(($4::text::json -> 'error')::text, 'null')::json end,
      finished_at = clock_timestamp(), lease_owner = null, lease_until = null
  from held
  where r.id = held.id and (held.cancelled or $4::text is not null)
  returning r.status
)
select held.cancelled, (select count(*)::integer from written) as written, (select status from ended) as status
from held`;

/**
 * Writes entries, and the end of the run where they reach it, in one statement that takes effect only under the
 * claim's fencing number.
 *
 * @returns the run's terminal status, or undefined while it goes on
 * @throws LeaseLost where another worker holds the run by now or it has ended
 */
export async function writeJournal(
  queryable: Queryable,
  write: JournalWrite,
): Promise<"SUCCEEDED" | "FAILED" | "CANCELLED" | undefined> {
  const [row] = await queryable.query<{
    cancelled: boolean;
    written: number;
    status: "SUCCEEDED" | "FAILED" | "CANCELLED" | null;
  }>(
    writeSql,
    [
      write.runId,
      write.fence,
      `[${write.entries.map(entryJson).join(",")}]`,
      write.outcome === undefined
        ? null
        : `{"status":"${write.outcome.status}","result":${toJson(write.outcome.result)},"error":${toJson(write.outcome.error)}}`,
      write.cancellableAfter === undefined ? null : String(write.cancellableAfter),
    ],
    { prepare: true },
  );
  if (row === undefined) throw new LeaseLost("The run is held by another worker or has ended");
  const expected =
    row.cancelled && write.cancellableAfter !== undefined
      ? Math.min(write.cancellableAfter, write.entries.length)
      : write.entries.length;
  if (row.written !== expected) throw new LeaseLost("The journal has these entries already");
  return row.status ?? undefined;
}

function entryJson(entry: JournalEntry, ordinal: number): string {
  const { path, position, kind, status, startedAt, finishedAt } = entry;
  const plain = JSON.stringify({
    path,
    position,
    kind,
    status,
    started: startedAt,
    finished: finishedAt,
    ordinal,
  });
  return `${plain.slice(0, -1)},"output":${toJson(entry.output)},"error":${toJson(entry.error)}}`;
}
