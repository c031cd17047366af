import { createBatch, type Queryable, sqlForEach, valuesSql } from "@rowhouse/db";
import { toJson } from "../base/json.ts";
import {
  type EndedRun,
  type JournalEntry,
  LeaseLost,
  type Outcome,
  type TerminalStatus,
} from "../model/run.ts";
import { foundSql, inOrder } from "./run-batch.ts";

/** The additions of one statement to a run. */
export interface JournalWrite {
  readonly runId: string;
  readonly fence: string;
  readonly entries: readonly JournalEntry[];
  /** The end of the run, if these entries reach it. */
  readonly outcome: Outcome | undefined;
  /**
   * The number of entries that belong to the step in progress. If a cancellation was requested, only these are
   * written, and the run is CANCELLED; undefined if nothing is left to cancel.
   */
  readonly cancellableAfter: number | undefined;
  /** Whether other steps of the run are in progress: a cancellation waits for them. */
  readonly othersInProgress?: boolean;
}

export interface JournalResult {
  /** The run, once it has ended. */
  readonly ended: EndedRun | undefined;
  /** Whether a cancellation was requested, so that nothing more may start. */
  readonly cancelling: boolean;
}

interface WrittenRow {
  readonly cancelled: boolean;
  readonly written: number;
  readonly status: TerminalStatus | null;
}

/**
 * Returns SQL that adds entries for the claims of `held`.
 *
 * @param entries SQL for the entries, as JSON
 * @param isAdded SQL for the condition of an entry to add
 */
const addSql = (entries: string, isAdded: string): string => `
  insert into system.workflow_run_steps as s
    (run_id, path, position, kind, status, output, error, fence, started_at, finished_at, attempt, resume_at, child_run_id, simulated)
  select held.id, e.path, e.position, e.kind, e.status, e.output, e.error, held.fence,
         to_timestamp(e.started / 1000.0), to_timestamp(e.finished / 1000.0), e.attempt,
         case when e.resume is not null then system.clock() + e.resume * interval '1 millisecond' end, e.child, e.simulated
  from held cross join lateral (
    select distinct on (path) * from json_to_recordset(${entries})
      as e (path text, position integer, kind text, status text, output json, error json, started double precision,
            finished double precision, ordinal integer, attempt integer, resume double precision, child uuid, simulated text)
    where ${isAdded}
    order by path, ordinal desc) e
  on conflict (run_id, path) do update
    set status = excluded.status, output = excluded.output, error = excluded.error,
        fence = excluded.fence, finished_at = excluded.finished_at, attempt = excluded.attempt,
        resume_at = excluded.resume_at, child_run_id = excluded.child_run_id, simulated = excluded.simulated
    where s.status in ('STARTED', 'WAITING')
  returning s.run_id`;

// Locks the run's row first, so that a concurrent claim either sees these entries or makes this statement match nothing.
const writeSql = `
with held as materialized (
  select id, fence, cancel_requested_at is not null and $5::text is not null as cancelled
  from system.workflow_runs
  where id = $1::text::uuid and fence = $2::text::bigint and status = 'RUNNING'
  for no key update
), written as (${addSql("$3::text::json", "$5::text is null or ordinal < $5::text::integer or not held.cancelled")}
), ended as (
  update system.workflow_runs r
  set status = case when held.cancelled then 'CANCELLED' else $4::text::json ->> 'status'::text end,
      result = case when held.cancelled then null else $4::text::json -> 'result'::text end,
      error = case when held.cancelled then null else nullif(($4::text::json -> 'error'::text)::text, 'null')::json end,
      finished_at = clock_timestamp(), lease_owner = null, lease_until = null
  from held
  where r.id = held.id and (held.cancelled and $6::text is null or not held.cancelled and $4::text is not null)
  returning r.status
)
select held.cancelled, (select pg_catalog.count(*)::integer from written) as written, (select status from ended) as status
from held`;

/** Ends runs without a check for cancellation: the statement that ends a run also locks its row. */
const endSql = sqlForEach(
  (count) => `
with held as (
  update system.workflow_runs r
  set status = a.status, result = a.result, error = a.error,
      finished_at = clock_timestamp(), lease_owner = null, lease_until = null
  from (${valuesSql(["uuid", "bigint", "json", "text", "json", "json"], count)})
      as a (id, fence, entries, status, result, error)
    ${count > 1 ? foundSql("a") : ""}
  where ${count > 1 ? "r.ctid = found.tid" : "r.id = a.id"} and r.fence = a.fence and r.status = 'RUNNING'
  returning r.id, r.fence, r.status, a.entries
), written as (${addSql("held.entries", "true")}
)
select held.id as "runId", held.fence::text as fence, held.status, false as cancelled,
  (select pg_catalog.count(*)::integer from written where run_id = held.id) as written
from held`,
);

/** Writes additions to runs. Ends that arrive in the same tick share one statement. */
export interface JournalWriter {
  /**
   * @param queryable the writer's database, or a transaction in it
   * @throws LeaseLost if another worker holds the run or it has ended
   */
  write(queryable: Queryable, write: JournalWrite): Promise<JournalResult>;
}

export function createJournalWriter(database: Queryable): JournalWriter {
  const alone = (end: End) => writeEnd(database, end);
  const writeSoon = createBatch<End, JournalResult>({
    alone,
    together: async (ends) => {
      const rows = await writeEnds(database, ends);
      return ends.map((end) => {
        const row = rows.get(keyOf(end));
        // A statement for this run alone decides whether another worker holds it.
        return row === undefined ? alone(end) : toWritten(end, row, end.outcomeTexts);
      });
    },
  });
  return {
    write: async (queryable, write) => {
      const end = endOf(write);
      if (end === undefined) return writeOn(queryable, write);
      return queryable === database ? writeSoon(end) : writeEnd(queryable, end);
    },
  };
}

/**
 * Writes entries, and the end of the run if they reach it, in one statement that takes effect only under the claim's
 * fencing number.
 *
 * @throws LeaseLost if another worker holds the run or it has ended
 */
export async function writeJournal(
  queryable: Queryable,
  write: JournalWrite,
): Promise<JournalResult> {
  const end = endOf(write);
  return end === undefined ? writeOn(queryable, write) : writeEnd(queryable, end);
}

/** Writes entries that a cancellation can precede. */
async function writeOn(queryable: Queryable, write: JournalWrite): Promise<JournalResult> {
  const { runId, fence, outcome, cancellableAfter } = write;
  const outcomeTexts = outcome === undefined ? undefined : outcomeTextsOf(outcome);
  const [row] = await queryable.query<WrittenRow>(
    writeSql,
    [
      runId,
      fence,
      entriesJson(write),
      outcomeTexts === undefined
        ? null
        : `{"status":"${outcome?.status}","result":${outcomeTexts.result},"error":${outcomeTexts.error}}`,
      cancellableAfter === undefined ? null : String(cancellableAfter),
      write.othersInProgress === true ? "yes" : null,
    ],
    { prepare: true },
  );
  return toWritten(write, row, outcomeTexts);
}

/** The JSON texts of an outcome, as stored and as sent to the caller. */
type OutcomeTexts = Pick<EndedRun, "result" | "error">;

function outcomeTextsOf({ result, error }: Outcome): OutcomeTexts {
  return { result: toJson(result), error: error === null ? null : toJson(error) };
}

/** A write that ends the run unconditionally. */
interface End extends JournalWrite {
  readonly outcome: Outcome;
  readonly outcomeTexts: OutcomeTexts;
}

function endOf(write: JournalWrite): End | undefined {
  const { outcome, cancellableAfter } = write;
  if (outcome === undefined || cancellableAfter !== undefined) return undefined;
  return { ...write, outcome, outcomeTexts: outcomeTextsOf(outcome) };
}

async function writeEnd(queryable: Queryable, end: End): Promise<JournalResult> {
  return toWritten(end, (await writeEnds(queryable, [end])).get(keyOf(end)), end.outcomeTexts);
}

/** @returns the written rows, by claim */
async function writeEnds(
  queryable: Queryable,
  ends: readonly End[],
): Promise<ReadonlyMap<string, WrittenRow>> {
  const rows = await queryable.query<WrittenRow & { runId: string; fence: string }>(
    endSql(ends.length),
    inOrder(ends).flatMap((end) => [
      end.runId,
      end.fence,
      entriesJson(end),
      end.outcome.status,
      end.outcomeTexts.result,
      end.outcomeTexts.error,
    ]),
    { prepare: true },
  );
  return new Map(rows.map((row) => [keyOf(row), row]));
}

/** The fencing number is part of the key: a worker may claim a run again while it still ends its earlier claim. */
function keyOf({ runId, fence }: Pick<JournalWrite, "runId" | "fence">): string {
  return `${runId} ${fence}`;
}

/** @throws LeaseLost */
async function toWritten(
  { runId, entries, cancellableAfter }: JournalWrite,
  row: WrittenRow | undefined,
  outcomeTexts: OutcomeTexts | undefined,
): Promise<JournalResult> {
  if (row === undefined) throw new LeaseLost("The run is held by another worker or has ended");
  const kept =
    row.cancelled && cancellableAfter !== undefined ? entries.slice(0, cancellableAfter) : entries;
  if (row.written !== new Set(kept.map((entry) => entry.path)).size) {
    throw new LeaseLost("The journal has these entries already");
  }
  const cancelling = row.cancelled;
  if (row.status === null) return { ended: undefined, cancelling };
  const texts =
    cancelling || outcomeTexts === undefined ? { result: null, error: null } : outcomeTexts;
  return { ended: { id: runId, status: row.status, ...texts }, cancelling };
}

function entriesJson({ entries }: JournalWrite): string {
  return `[${entries.map(entryJson).join(",")}]`;
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
    simulated: entry.simulated,
  });
  return `${plain.slice(0, -1)},"output":${toJson(entry.output)},"error":${toJson(entry.error)}}`;
}
