import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable } from "@rowhouse/db";
import { isoMoment } from "../base/iso-moment.ts";
import { outlineColumns, type StepOutline } from "./list-run-steps.ts";
import { RunCursor, summaryColumns } from "./list-runs.ts";

/** What has changed in a run since the change before. */
export type RunChange =
  /** The run with its result, without its input and its steps: JSON text with every digit. */
  | { readonly kind: "RUN"; readonly cursor: string; readonly run: string }
  /** Steps that are new or that changed, in the order of their positions. */
  | { readonly kind: "STEPS"; readonly cursor: string; readonly steps: readonly StepOutline[] }
  /** The run has ended, and everything of it was reported. */
  | { readonly kind: "END"; readonly cursor: string }
  /** A poll found no change. */
  | { readonly kind: "IDLE" };

export interface WatchOptions {
  /** Where to continue; undefined for the whole run. */
  readonly from: RunCursor | undefined;
  /** Ends the watch at once. */
  readonly signal: AbortSignal;
}

/** Steps in one change. */
const stepsMax = 500;
/** Steps that one poll reads: each poll passes over the whole journal. */
const pageMax = 4 * stepsMax;
/** The pause between two polls: it grows while nothing changes. */
const pauseMinMs = 250;
const pauseMaxMs = 2000;
/** A pause lasts at least this many times as long as the poll before it, within the maximum. */
const pausePerPoll = 10;

interface Poll {
  readonly ended: boolean;
  /** Null if it has the digest of the request. */
  readonly run: string | null;
  readonly digest: string;
  readonly steps: readonly StepOutline[];
  /** The oldest transaction in progress: all changes of older ones are visible to this poll. */
  readonly horizon: string;
}

// `xmin` is the transaction that wrote this state of a step. The writers need no column for it, and those of earlier
// releases are covered. `age` compares transactions across the wraparound of their numbers; it is negative for one that
// a failover has lost.
const pollSql = `
with run as (
  select ${summaryColumns}, ${isoMoment("r.cancel_requested_at")} as "cancelRequestedAt", r.result
  from system.workflow_runs r join system.workflows w on w.id = r.workflow_id
  join system.workflow_versions v on v.id = r.version_id
  where r.id = $1::uuid and r.workflow_id = $2::uuid
), written as (
  select t.text, hashtextextended(t.text, 0)::text as digest from (select pg_catalog.row_to_json(run)::text as text from run) t
), page as (
  select ${outlineColumns}, null as input, null as output from system.workflow_run_steps s
  where s.run_id = $1::uuid and ($3::xid is null or age($3::xid) < 0 or age(s.xmin) <= age($3::xid))
    and ($4::integer is null or (s.position, s.path) > ($4::integer, $5::text))
  order by s.position, s.path limit ${pageMax}
)
select run."finishedAt" is not null as ended, case when w.digest is distinct from $6::text then w.text end as run, w.digest,
  coalesce((select pg_catalog.json_agg(pg_catalog.row_to_json(page)) from page), '[]') as steps,
  pg_snapshot_xmin(pg_current_snapshot())::xid::text as horizon
from run, written w`;

/**
 * Reports a run and its steps, then each change until the run has ended or no longer exists. One statement a poll reads
 * what has changed. A step can be reported again without a change: its last report counts.
 */
export async function* watchRun(
  database: Queryable,
  ids: { readonly workflowId: string; readonly runId: string },
  { from, signal }: WatchOptions,
): AsyncGenerator<RunChange, void, undefined> {
  let cursor: RunCursor = from ?? RunCursor.start(ids.runId);
  let path = "";
  let digest: string | null = null;
  // Until the oldest writer of the database has ended, its poll and all later ones return the same steps.
  let reported = new Set<string>();
  let returned = new Set<string>();
  for (let pauseMs = pauseMinMs; !signal.aborted; ) {
    const begun = performance.now();
    const [poll]: Poll[] = await database.query<Poll>(
      pollSql,
      [ids.runId, ids.workflowId, cursor.since, cursor.position, path, digest],
      { prepare: true },
    );
    if (poll === undefined) return;
    const tookMs = performance.now() - begun;
    digest = poll.digest;
    // Its reader may not receive the steps of this poll.
    if (poll.run !== null) yield { kind: "RUN", cursor: cursor.text, run: poll.run };
    const steps = poll.steps.filter((step) => !reported.has(stateOf(step)));
    for (const step of poll.steps) returned.add(stateOf(step));
    const isFull = poll.steps.length === pageMax;
    const after = isFull ? undefined : cursor.done(poll.horizon);
    for (let at = 0; at < steps.length; at += stepsMax) {
      const part = steps.slice(at, at + stepsMax);
      const isLast = at + stepsMax >= steps.length;
      const { position = 0 } = part.at(-1) ?? {};
      const reached = (isLast ? after : undefined) ?? cursor.within(poll.horizon, position);
      yield { kind: "STEPS", cursor: reached.text, steps: part };
    }
    const last = poll.steps.at(-1);
    if (after === undefined && last !== undefined) {
      cursor = cursor.within(poll.horizon, last.position);
      path = last.path;
      continue;
    }
    cursor = after ?? cursor;
    path = "";
    reported = returned;
    returned = new Set();
    if (poll.ended) {
      yield { kind: "END", cursor: cursor.text };
      return;
    }
    const isChanged = poll.run !== null || steps.length > 0;
    pauseMs = isChanged ? pauseMinMs : Math.min(pauseMs * 1.5, pauseMaxMs);
    if (!isChanged) yield { kind: "IDLE" };
    const wait = Math.max(pauseMs, Math.min(tookMs * pausePerPoll, pauseMaxMs));
    await sleep(wait, undefined, { signal }).catch(() => {});
  }
}

/** A step that has ended does not change, and one in progress only in these fields. */
function stateOf({ path, status, attempt, resumeAt }: StepOutline): string {
  return `${path} ${status} ${attempt} ${resumeAt ?? ""}`;
}
