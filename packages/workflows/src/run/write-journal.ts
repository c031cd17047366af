import type { Queryable } from "@rowhouse/db";
import { toJson } from "../json.ts";
import {
  type EndedRun,
  type JournalEntry,
  LeaseLost,
  type Outcome,
  type TerminalStatus,
} from "./run.ts";

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
  /** Whether other steps of the run are in progress: then a cancellation waits for them. */
  readonly othersInProgress?: boolean;
}

export interface Written {
  /** The run, once it has ended. */
  readonly ended: EndedRun | undefined;
  /** Whether a cancellation was requested, so that nothing more may be begun. */
  readonly cancelling: boolean;
}

interface WrittenRow {
  readonly cancelled: boolean;
  readonly written: number;
  readonly status: TerminalStatus | null;
}

/** Adds the entries of `$3` under the claim of `held`; what is true of an entry, `e`, that is to be added. */
const addSql = (isAdded: string): string => `
  insert into system.workflow_run_steps as s
    (run_id, path, position, kind, status, output, error, fence, started_at, finished_at, attempt, resume_at, child_run_id)
  select held.id, e.path, e.position, e.kind, e.status, e.output, e.error, $2::text::bigint,
         to_timestamp(e.started / 1000.0), to_timestamp(e.finished / 1000.0), e.attempt,
         case when e.resume is not null then system.clock() + e.resume * interval '1 millisecond' end, e.child
  from held, (
    select distinct on (path) * from json_to_recordset($3::text::json)
      as e (path text, position integer, kind text, status text, output json, error json, started double precision,
            finished double precision, ordinal integer, attempt integer, resume double precision, child uuid)
    where ${isAdded}
    order by path, ordinal desc) e
  on conflict (run_id, path) do update
    set status = excluded.status, output = excluded.output, error = excluded.error,
        fence = excluded.fence, finished_at = excluded.finished_at, attempt = excluded.attempt,
        resume_at = excluded.resume_at, child_run_id = excluded.child_run_id
    where s.status in ('STARTED', 'WAITING')
  returning 1`;

// The run's row is locked first, so that a claim that is under way either sees these entries or makes this statement
// find nothing.
const writeSql = `
with held as materialized (
  select id, cancel_requested_at is not null and $5::text is not null as cancelled
  from system.workflow_runs
  where id = $1::text::uuid and fence = $2::text::bigint and status = 'RUNNING'
  for no key update
), written as (${addSql("$5::text is null or ordinal < $5::text::integer or not (select cancelled from held)")}
), ended as (
  update system.workflow_runs r
  set status = case when held.cancelled then 'CANCELLED' else $4::text::json ->> 'status' end,
      result = case when held.cancelled then null else $4::text::json -> 'result' end,
      error = case when held.cancelled then null else nullif(($4::text::json -> 'error')::text, 'null')::json end,
      finished_at = clock_timestamp(), lease_owner = null, lease_until = null
  from held
  where r.id = held.id and (held.cancelled and $6::text is null or not held.cancelled and $4::text is not null)
  returning r.status
)
select held.cancelled, (select count(*)::integer from written) as written, (select status from ended) as status
from held`;

/** An end that no cancellation comes before: what ends the run is also what locks its row. */
const endSql = `
with held as (
  update system.workflow_runs
  set status = $4::text, result = $5::text::json, error = $6::text::json,
      finished_at = clock_timestamp(), lease_owner = null, lease_until = null
  where id = $1::text::uuid and fence = $2::text::bigint and status = 'RUNNING'
  returning id, status
), written as (${addSql("true")}
)
select false as cancelled, (select count(*)::integer from written) as written, held.status
from held`;

/**
 * Writes entries, and the end of the run where they reach it, in one statement that takes effect only under the
 * claim's fencing number.
 *
 * @throws LeaseLost where another worker holds the run by now or it has ended
 */
export async function writeJournal(queryable: Queryable, write: JournalWrite): Promise<Written> {
  const { runId, fence, outcome, cancellableAfter } = write;
  const entries = `[${write.entries.map(entryJson).join(",")}]`;
  const result = outcome === undefined ? null : toJson(outcome.result);
  const error = outcome?.error == null ? null : toJson(outcome.error);
  const ask = (sql: string, ...more: (string | null)[]) =>
    queryable.query<WrittenRow>(sql, [runId, fence, entries, ...more], { prepare: true });
  const [row] =
    outcome !== undefined && cancellableAfter === undefined
      ? await ask(endSql, outcome.status, result, error)
      : await ask(
          writeSql,
          outcome === undefined
            ? null
            : `{"status":"${outcome.status}","result":${result},"error":${error}}`,
          cancellableAfter === undefined ? null : String(cancellableAfter),
          write.othersInProgress === true ? "yes" : null,
        );
  if (row === undefined) throw new LeaseLost("The run is held by another worker or has ended");
  const kept =
    row.cancelled && cancellableAfter !== undefined
      ? write.entries.slice(0, cancellableAfter)
      : write.entries;
  if (row.written !== new Set(kept.map((entry) => entry.path)).size) {
    throw new LeaseLost("The journal has these entries already");
  }
  const told = row.cancelled ? { result: null, error: null } : { result, error };
  const ended = row.status === null ? undefined : { id: runId, status: row.status, ...told };
  return { ended, cancelling: row.cancelled };
}

function entryJson(entry: JournalEntry, ordinal: number): string {
  const { path, position, kind, status, startedAt, finishedAt, attempt } = entry;
  const plain = JSON.stringify({
    path,
    position,
    kind,
    status,
    started: startedAt,
    finished: finishedAt,
    ordinal,
    attempt,
    resume: entry.resumeInMs,
    child: entry.childRunId,
  });
  return `${plain.slice(0, -1)},"output":${toJson(entry.output)},"error":${toJson(entry.error)}}`;
}
