import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { arrayLiteral, type Queryable } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { parseExactJson, scanJson } from "@rowhouse/wire";
import { type RunError, RunFault, toRunError } from "../base/run-fault.ts";
import type { CompiledDefinition } from "../compile/compiled.ts";
import type { Priority } from "../definition/definition.ts";
import { runDepthMax } from "../effect/start-child.ts";
import { executeAsGoneSql, standInUserSql } from "../model/missing-user.ts";
import { failedBy, insertRunsSql } from "../model/new-run.ts";
import type { TakenEvent } from "./take-events.ts";

/** How long filters are evaluated before the process does other work, in milliseconds. */
const pauseAfterMs = 20;

/** The depth limit of a webhook's body, and the levels around it. */
const depthMax = 66;

interface EventRun {
  readonly id: string;
  readonly event: TakenEvent;
  /** JSON: the run's `start.data`. */
  readonly input: string;
  /** Null if unknown; then the system account of workflows takes its place. */
  readonly executeAs: string | null;
  readonly priority: Priority;
  /** The error of a run that fails before its first step. */
  readonly error: RunError | null;
}

export interface WaitingRun {
  readonly id: string;
  readonly priority: Priority;
}

/**
 * Writes a run for each event that passes its workflow's filter, in the transaction that removes the events from the
 * outbox. An event that cannot be run gets a failed run with the reason. A run keeps the token of the run that caused
 * it.
 *
 * @returns the runs that wait for a worker
 */
export async function acceptEventRuns(
  transaction: Queryable,
  events: readonly TakenEvent[],
  load: (versionId: string) => Promise<CompiledDefinition>,
): Promise<WaitingRun[]> {
  const runs: EventRun[] = [];
  let since = performance.now();
  for (const event of events) {
    // The filters of a whole batch must not block the process.
    if (performance.now() - since >= pauseAfterMs) {
      await setImmediate();
      since = performance.now();
    }
    const version = await loadVersion(event.version_id, load);
    const run = version === undefined ? unreadable(event) : toRun(event, version);
    if (run !== undefined) runs.push(run);
  }
  if (runs.length === 0) return [];
  const waiting = await transaction.query<{ id: string }>(
    acceptSql,
    [
      runs.map(({ id }) => id),
      runs.map(({ event }) => event.workflow_id),
      runs.map(({ event }) => event.version_id),
      runs.map(({ input }) => input),
      runs.map(({ executeAs }) => executeAs),
      runs.map(({ event }) => event.id),
      runs.map(({ event }) => event.caused_by_run_id),
      runs.map(({ event }) => String(event.depth)),
      runs.map(({ error }) => (error === null ? null : JSON.stringify(error))),
    ].map((values) => arrayLiteral(values)),
    { prepare: true },
  );
  const ids = new Set(waiting.map(({ id }) => id));
  return runs.filter(({ id }) => ids.has(id)).map(({ id, priority }) => ({ id, priority }));
}

/** @returns undefined for a version that this release of the service cannot read */
async function loadVersion(
  id: string,
  load: (versionId: string) => Promise<CompiledDefinition>,
): Promise<CompiledDefinition | undefined> {
  try {
    return await load(id);
  } catch (error) {
    // A database error may pass; a rejected definition stays rejected.
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** One event that cannot be run must not block the events after it. */
function unreadable(event: TakenEvent, reason = "The published version cannot be read"): EventRun {
  const message = `${reason}; publish the workflow again`;
  const error = { code: "WORKFLOW_INVALID", message, step: null };
  return {
    id: randomUUID(),
    event,
    input: inputOf(event),
    executeAs: null,
    priority: "NORMAL",
    error,
  };
}

function toRun(
  event: TakenEvent,
  { trigger, eventFilter, priority }: CompiledDefinition,
): EventRun | undefined {
  if (trigger.kind !== "databaseEvent") return undefined;
  if (event.changed_in_filter !== null) {
    return unreadable(
      event,
      `The filter was written for other types of ${event.changed_in_filter}`,
    );
  }
  const { executeAs } = trigger;
  const run = { id: randomUUID(), event, input: inputOf(event), executeAs, priority };
  if (scanJson(run.input).depth > depthMax) {
    const message = `A value of the row is nested more than ${depthMax} levels deep`;
    const error = toRunError(new RunFault("EVENT_TOO_DEEP", message), null);
    return { ...run, input: inputOf({ ...event, old_row: null, new_row: null }), error };
  }
  try {
    if (event.depth > runDepthMax) {
      const message = `The change belongs to a chain of more than ${runDepthMax} runs that cause each other`;
      throw new RunFault("EVENT_CHAIN_TOO_DEEP", message);
    }
    if (eventFilter !== null) {
      const start = { data: parseExactJson(run.input) };
      if (!eventFilter.evaluate({ start, steps: {}, vars: {}, errors: {} })) return undefined;
    }
    return { ...run, error: null };
  } catch (error) {
    return { ...run, error: toRunError(error, null) };
  }
}

/** Inserts the rows as the texts that PostgreSQL wrote, with every digit. */
function inputOf(event: TakenEvent): string {
  const { operation, schema_name, table_name, old_row, new_row, changed, omitted } = event;
  const name = JSON.stringify(operation.toLowerCase());
  const left = omitted === "[]" ? "" : `,"omitted":${omitted}`;
  return `{"event":${name},"schema":${JSON.stringify(schema_name)},"table":${JSON.stringify(table_name)},"old":${old_row ?? "null"},"new":${new_row ?? "null"},"changed":${changed}${left},"occurredAt":${JSON.stringify(event.occurred_at)}}`;
}

const acceptSql = `
with accepted as (
${insertRunsSql(
  {
    id: "e.id",
    workflow_id: "e.workflow_id",
    version_id: "e.version_id",
    input: "e.input",
    execute_as_user_id: `coalesce(e.execute_as, ${standInUserSql})`,
    origin: "'EVENT'",
    event_id: "e.event_id",
    caused_by_run_id: "e.cause",
    depth: "e.depth",
    token_id: "c.token_id",
    token_plane: "c.token_plane",
    ...failedBy("f.error"),
  },
  `from unnest($1::text::uuid[], $2::text::uuid[], $3::text::uuid[], $4::text::json[], $5::text::uuid[], $6::text::bigint[],
  $7::text::uuid[], $8::text::integer[], $9::text::json[]) with ordinality
  as e (id, workflow_id, version_id, input, execute_as, event_id, cause, depth, error, ordinal)
left join system.users u on u.id = e.execute_as
left join system.workflow_runs c on c.id = e.cause
cross join lateral (select coalesce(e.error, case when u.id is null then ${executeAsGoneSql} end) as error) f
order by e.ordinal`,
)}
on conflict (event_id, workflow_id) where event_id is not null do nothing
returning id, status
)
select id from accepted where status = 'QUEUED'`;
