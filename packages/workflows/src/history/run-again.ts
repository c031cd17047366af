import { randomUUID } from "node:crypto";
import { arrayLiteral, type Database, type Queryable, type Transaction } from "@rowhouse/db";
import { AppError, createError, createFault, throwFaults } from "@rowhouse/errors";
import { placesOf, type StepPlace } from "../compile/step-places.ts";
import { parseStored } from "../compile/stored-definition.ts";
import { auditWorkflow } from "../manage/workflow.ts";
import { insertRunsSql } from "../model/new-run.ts";
import { isTrial, readTestOptions } from "../model/test-options.ts";
import { type EntryOutline, keptEntries, misfits } from "./kept-entries.ts";
import { requireRun } from "./read-run.ts";
import { planeSql, type RunStartedBy, type StartedRun, startedColumns } from "./start-run.ts";

export interface AgainRequest {
  /** The path of the step that the run continues from; null for the beginning. */
  readonly from: string | null;
  /** The version of the earlier run, or the published one. */
  readonly version: "SAME" | "NEWEST";
}

/** An entry of the earlier run's journal. */
interface KeptEntry extends EntryOutline {
  readonly simulated: string | null;
}

interface Earlier {
  readonly versionId: string;
  readonly definition: string;
  /** The stored `TestOptions`. */
  readonly trial: string | null;
}

/** The version that the new run has. */
interface Target {
  readonly id: string;
  /** JSON. */
  readonly definition: string;
}

/**
 * Accepts a run with the input and the user of a run that has ended, from its beginning or from a step: then it gets the
 * journal before that step. Redacted parts of the input stay redacted. A test with mocks, or without effects, is repeated
 * as one. The new run keeps the token of the earlier run, under which its input was accepted; without one, it gets the
 * administrator's token.
 *
 * @throws AppError NOT_FOUND; BODY_INVALID for a step that the run has not reached; CONFLICT while it has not ended, if
 * the journal does not fit the newest version, and if effects of the journal were simulated
 */
export async function runAgain(
  database: Database,
  workflowId: string,
  runId: string,
  request: AgainRequest,
  actor: RunStartedBy,
): Promise<StartedRun> {
  return database.transaction(async (transaction) => {
    const { finishedAt } = await requireRun(transaction, workflowId, runId);
    if (finishedAt === null) throw conflict("The run has not ended yet");
    const earlier = await readEarlier(transaction, runId);
    const target = await targetOf(transaction, workflowId, earlier, request);
    const kept =
      request.from === null
        ? []
        : await findKept(transaction, runId, earlier, target, request.from);
    const run = await insertAgain(transaction, runId, target, request.from, actor);
    if (kept.length > 0) await copyEntries(transaction, runId, run.run, kept);
    await auditWorkflow(transaction, actor, "workflow.run_again", workflowId);
    return run;
  });
}

async function readEarlier(transaction: Queryable, runId: string): Promise<Earlier> {
  const [earlier] = await transaction.query<Earlier & object>(
    `select r.version_id as "versionId", v.definition::text as definition, r.trial::text as trial
     from system.workflow_runs r join system.workflow_versions v on v.id = r.version_id
     where r.id = $1::text::uuid`,
    [runId],
  );
  if (earlier === undefined) throw createError("NOT_FOUND");
  return earlier;
}

async function targetOf(
  transaction: Queryable,
  workflowId: string,
  { versionId, definition, trial }: Earlier,
  { version }: AgainRequest,
): Promise<Target> {
  if (version === "SAME") return { id: versionId, definition };
  if (trial !== null) {
    throw conflict("A test with mocks or without effects can be repeated only with its own draft");
  }
  const [published] = await transaction.query<Target & object>(
    `select v.id, v.definition::text as definition
     from system.workflows w join system.workflow_versions v on v.id = w.published_version_id
     where w.id = $1::text::uuid`,
    [workflowId],
  );
  if (published === undefined) throw conflict("The workflow is not published");
  return published;
}

/** Finds the entries of the earlier run's journal that the new run keeps. */
async function findKept(
  transaction: Queryable,
  runId: string,
  earlier: Earlier,
  target: Target,
  from: string,
): Promise<readonly KeptEntry[]> {
  if (isTrial(readTestOptions(earlier.trial))) {
    throw conflict("A test without effects cannot be continued: its rows were rolled back");
  }
  const entries = await transaction.query<KeptEntry & object>(
    `select path, position, kind, status, simulated from system.workflow_run_steps
     where run_id = $1::text::uuid order by position, path`,
    [runId],
  );
  const before = readPlaces(earlier.definition);
  const kept = keptEntries(before, entries, from);
  if (kept === undefined) {
    throw createError("BODY_INVALID", {
      path: "/from",
      message: "The run has not reached a step with this path",
    });
  }
  throwFaults(
    kept.flatMap(({ path, simulated }) =>
      simulated === null
        ? []
        : [
            createFault("CONFLICT", {
              path: "/from",
              message: `The step "${path}" was not carried out: its output is a mock`,
            }),
          ],
    ),
  );
  if (target.id !== earlier.versionId) {
    throwFaults(misfits(before, readPlaces(target.definition), kept, from));
  }
  return kept;
}

function readPlaces(definition: string): ReadonlyMap<string, StepPlace> {
  try {
    return placesOf(parseStored(definition));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw createError("CONFLICT", {
      message: "This process cannot read the version of the run, which another release has written",
      cause: error,
    });
  }
}

const againSql = `${insertRunsSql(
  {
    id: "$1::text::uuid",
    workflow_id: "r.workflow_id",
    version_id: "v.id",
    input: "r.input",
    execute_as_user_id: `case when v.id = r.version_id then r.execute_as_user_id
  else coalesce((v.definition -> 'trigger'::text ->> 'executeAs'::text)::uuid, r.execute_as_user_id) end`,
    request_id: "$3::text",
    origin: "case when r.trial is null then 'AGAIN' else 'TEST' end",
    trace_parent: "$4::text",
    token_id: "coalesce(r.token_id, $5::text::uuid)",
    token_plane: `coalesce(r.token_plane, ${planeSql("$5::text::uuid")})`,
    trial: "r.trial",
    again_of_run_id: "r.id",
    again_from: "$7::text",
    // The first claim of a run with fencing number 0 does not read the journal.
    fence: "case when $7::text is null then 0 else 1 end",
  },
  `from system.workflow_runs r join system.workflow_versions v on v.id = $6::text::uuid
where r.id = $2::text::uuid`,
)}
returning ${startedColumns}`;

async function insertAgain(
  transaction: Transaction,
  runId: string,
  target: Target,
  from: string | null,
  actor: RunStartedBy,
): Promise<StartedRun> {
  const [run] = await transaction.query<StartedRun>(againSql, [
    randomUUID(),
    runId,
    actor.requestId,
    actor.traceParent ?? null,
    actor.tokenId,
    target.id,
    from,
  ]);
  if (run === undefined) throw createError("NOT_FOUND");
  return run;
}

async function copyEntries(
  transaction: Queryable,
  earlier: string,
  run: string,
  kept: readonly KeptEntry[],
): Promise<void> {
  await transaction.query(
    `insert into system.workflow_run_steps
       (run_id, path, position, kind, status, output, error, fence, started_at, finished_at, attempt)
     select $2::text::uuid, s.path, s.position, s.kind, s.status, s.output, s.error, 1, s.started_at, s.finished_at, s.attempt
     from system.workflow_run_steps s
     where s.run_id = $1::text::uuid and s.path = any ($3::text[])`,
    [earlier, run, arrayLiteral(kept.map(({ path }) => path))],
  );
}

function conflict(message: string): AppError {
  return createError("CONFLICT", { message });
}
