import { type AuditActor, type Database, isUuid, type Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { parseExactJson } from "@rowhouse/wire";
import { isoMoment } from "../base/iso-moment.ts";
import { definitionOf } from "../compile/stored-definition.ts";
import { auditWorkflow } from "../manage/workflow.ts";
import { cancelOne, cancelWaitedFor } from "../run/cancel-run.ts";
import { listRunSteps, type StepRecord } from "./list-run-steps.ts";
import { type RunSummary, summaryColumns } from "./list-runs.ts";

/** A run with its input, its result and its first steps. Numbers keep every digit. */
export interface RunDetail extends RunSummary {
  readonly cancelRequestedAt: string | null;
  readonly input: unknown;
  readonly result: unknown;
  /** The first steps; `listRunSteps` returns all of them. */
  readonly steps: StepRecord[];
  readonly stepCount: number;
}

/** The number of steps that are read with their run. */
const stepsMax = 200;

/** Returns one run of a workflow with its first steps. @throws AppError NOT_FOUND */
export async function readRun(
  database: Queryable,
  workflowId: string,
  runId: string,
): Promise<RunDetail> {
  const run = await requireRun(database, workflowId, runId);
  const { items } = await listRunSteps(database, runId, {
    limit: stepsMax,
    cursor: null,
    search: null,
    statuses: null,
    kinds: null,
  });
  return { ...run, steps: items };
}

/** Returns one run of a workflow without its steps. @throws AppError NOT_FOUND */
export async function requireRun(
  database: Queryable,
  workflowId: string,
  runId: string,
): Promise<Omit<RunDetail, "steps">> {
  type Row = Omit<RunDetail, "steps" | "input" | "result"> & {
    readonly input: string;
    readonly result: string | null;
  };
  const [run] =
    isUuid(workflowId) && isUuid(runId)
      ? await database.query<Row>(
          `select ${summaryColumns}, ${isoMoment("r.cancel_requested_at")} as "cancelRequestedAt",
             r.input::text as input, r.result::text as result,
             (select pg_catalog.count(*)::integer from system.workflow_run_steps s where s.run_id = r.id) as "stepCount"
           from system.workflow_runs r join system.workflows w on w.id = r.workflow_id
           join system.workflow_versions v on v.id = r.version_id
           where r.id = $1::text::uuid and r.workflow_id = $2::text::uuid`,
          [runId, workflowId],
        )
      : [];
  if (run === undefined) throw createError("NOT_FOUND");
  const { input, result, ...rest } = run;
  return {
    ...rest,
    input: parseExactJson(input),
    result: result === null ? null : parseExactJson(result),
  };
}

/**
 * Returns the definition that a run executes. Only this way shows the one of a test, whose version has no number.
 *
 * @throws AppError NOT_FOUND
 */
export async function readRunDefinition(
  database: Queryable,
  workflowId: string,
  runId: string,
): Promise<Record<string, unknown>> {
  const [found] =
    isUuid(workflowId) && isUuid(runId)
      ? await database.query<{ readonly definition: Record<string, unknown> }>(
          `select v.definition from system.workflow_runs r join system.workflow_versions v on v.id = r.version_id
           where r.id = $1::text::uuid and r.workflow_id = $2::text::uuid`,
          [runId, workflowId],
        )
      : [];
  if (found === undefined) throw createError("NOT_FOUND");
  return definitionOf(found.definition) as Record<string, unknown>;
}

/**
 * Asks a run to stop after its step in progress. A run that no worker holds is canceled at once.
 *
 * @throws AppError NOT_FOUND, CONFLICT if it has ended
 */
export async function cancelRun(
  database: Database,
  workflowId: string,
  runId: string,
  actor: AuditActor,
): Promise<RunDetail> {
  await requireRun(database, workflowId, runId);
  await database.transaction(async (transaction) => {
    if ((await cancelOne(transaction, runId)) === undefined) {
      throw createError("CONFLICT", { message: "The run has ended" });
    }
    await auditWorkflow(transaction, actor, "workflow.cancel_run", workflowId);
  });
  await cancelWaitedFor(database, runId);
  return readRun(database, workflowId, runId);
}
