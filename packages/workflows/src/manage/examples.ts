import { type AuditActor, type Database, isUuid, type Queryable, requireFound } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { parseExactJson } from "@rowhouse/wire";
import { isoMoment } from "../base/iso-moment.ts";
import { measure, toJson } from "../base/json.ts";
import { type DraftStep, readDraftSteps } from "../completion/draft-steps.ts";
import { stepId as stepIdSchema } from "../definition/step-fields.ts";
import { auditWorkflow, requireWorkflow, type Workflow } from "./workflow.ts";

/** A pinned output, without its value. */
export interface ExampleSummary {
  readonly step: string;
  readonly updatedAt: string;
}

/** An output with which a test without effects answers instead of a step. */
export interface Example extends ExampleSummary {
  /** Numbers have every digit. */
  readonly output: unknown;
}

/** The output of an example: given, or that of a step of a run. */
export type ExampleSource =
  | { readonly output: unknown }
  | { readonly run: string; readonly path: string };

/** Examples of one workflow at most: one for each step of a definition. */
const examplesMax = 500;
const columns = `e.step_id as step, ${isoMoment("e.updated_at")} as "updatedAt"`;

/** Lists the examples of a workflow by step, without their outputs. @throws AppError NOT_FOUND */
export async function listExamples(
  database: Queryable,
  workflowId: string,
): Promise<ExampleSummary[]> {
  await requireWorkflow(database, workflowId);
  return database.query<ExampleSummary>(
    `select ${columns} from system.workflow_examples e where e.workflow_id = $1::text::uuid order by e.step_id`,
    [workflowId],
  );
}

/** Returns the example of a step. @throws AppError NOT_FOUND */
export async function readExample(
  database: Queryable,
  workflowId: string,
  stepId: string,
): Promise<Example> {
  await requireWorkflow(database, workflowId);
  const [row] = isStepId(stepId)
    ? await database.query<ExampleSummary & { readonly output: string }>(
        `select ${columns}, e.output::text as output from system.workflow_examples e
         where e.workflow_id = $1::text::uuid and e.step_id = $2::text`,
        [workflowId, stepId],
      )
    : [];
  const { output, ...summary } = requireFound(row);
  return { ...summary, output: parseExactJson(output) };
}

/**
 * Pins the example of a step of the draft or of the published version.
 *
 * @throws AppError NOT_FOUND, also for an unknown step; BODY_INVALID; CONFLICT above 500 examples
 */
export async function pinExample(
  database: Database,
  workflowId: string,
  stepId: string,
  source: ExampleSource,
  actor: AuditActor,
): Promise<Example> {
  return database.transaction(async (transaction) => {
    const workflow = await requireWorkflow(transaction, workflowId);
    await requireStep(transaction, workflow, stepId);
    const output =
      "run" in source
        ? toJson(await outputOfRun(transaction, workflowId, source.run, source.path))
        : keptJson(source.output, "/data/output");
    await transaction.query(
      "select id from system.workflows where id = $1::text::uuid for no key update",
      [workflowId],
    );
    const [pinned] = await transaction.query<{ step_id: string }>(
      `insert into system.workflow_examples (workflow_id, step_id, output, updated_by)
       select $1::text::uuid, $2::text, $3::text::json, $4::text::uuid
       where (select pg_catalog.count(*) from system.workflow_examples
         where workflow_id = $1::text::uuid and step_id <> $2::text) < ${examplesMax}
       on conflict (workflow_id, step_id)
       do update set output = excluded.output, updated_by = excluded.updated_by, updated_at = clock_timestamp()
       returning step_id`,
      [workflowId, stepId, output, actor.userId],
    );
    if (pinned === undefined) {
      throw createError("CONFLICT", {
        message: `A workflow has at most ${examplesMax} examples; delete one first`,
      });
    }
    await auditWorkflow(transaction, actor, "workflow.pin_example", workflowId, [stepId]);
    return readExample(transaction, workflowId, stepId);
  });
}

/** Deletes the example of a step. @throws AppError NOT_FOUND */
export async function unpinExample(
  database: Database,
  workflowId: string,
  stepId: string,
  actor: AuditActor,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await readExample(transaction, workflowId, stepId);
    await transaction.query(
      "delete from system.workflow_examples where workflow_id = $1::text::uuid and step_id = $2::text",
      [workflowId, stepId],
    );
    await auditWorkflow(transaction, actor, "workflow.unpin_example", workflowId, [stepId]);
  });
}

/** @throws AppError NOT_FOUND unless the draft or the published version has the step */
async function requireStep(
  database: Queryable,
  { definition, published }: Workflow,
  id: string,
): Promise<void> {
  requireStepId(id);
  if (hasStep(definition, id)) return;
  const [version] = await database.query<{ definition: string }>(
    "select definition::text as definition from system.workflow_versions where id = $1::text::uuid",
    [published?.versionId ?? null],
  );
  if (version === undefined || !hasStep(JSON.parse(version.definition), id)) {
    throw createError("NOT_FOUND");
  }
}

function hasStep(definition: unknown, id: string): boolean {
  const contains = (steps: readonly DraftStep[]): boolean =>
    steps.some((step) => step.id === id || step.branches.some((branch) => contains(branch.steps)));
  return contains(readDraftSteps(definition));
}

/** Checks the form of a step's id. @throws AppError NOT_FOUND */
export function requireStepId(text: string): void {
  if (!isStepId(text)) throw createError("NOT_FOUND");
}

function isStepId(text: string): boolean {
  return stepIdSchema.safeParse(text).success;
}

/** The limits of a sample and of an example: those of a step's output. */
const sizeMax = 4_194_304;
const depthMax = 200;

/**
 * Returns the JSON of a value that is kept with a workflow.
 *
 * @param path the position of the value in the body
 * @throws AppError BODY_INVALID for a value that is too large or too deep
 */
export function keptJson(value: unknown, path: string): string {
  const { size, depth } = measure(value, sizeMax, depthMax);
  if (size > sizeMax || depth > depthMax) {
    const message = `The value must have at most 4 MiB and ${depthMax} levels`;
    throw createError("BODY_INVALID", { path, message });
  }
  return toJson(value);
}

/**
 * Returns the input of a run of a workflow as it is stored: redacted.
 *
 * @throws AppError BODY_INVALID at /data/run
 */
export async function inputOfRun(
  database: Queryable,
  workflowId: string,
  runId: string,
): Promise<unknown> {
  const [run] = isUuid(runId)
    ? await database.query<{ input: string }>(
        `select input::text as input from system.workflow_runs
         where id = $1::text::uuid and workflow_id = $2::text::uuid for key share`,
        [runId, workflowId],
      )
    : [];
  if (run === undefined) throw noSuchRun();
  return parseExactJson(run.input);
}

/**
 * Returns the output of a step of a run of a workflow.
 *
 * @param path of the step in the run's journal, such as `loop.3.call`
 * @throws AppError BODY_INVALID at /data/run or /data/path
 */
async function outputOfRun(
  database: Queryable,
  workflowId: string,
  runId: string,
  path: string,
): Promise<unknown> {
  const [run] = isUuid(runId)
    ? await database.query<{ status: string | null; output: string | null }>(
        `select s.status, s.output::text as output from system.workflow_runs r
         left join system.workflow_run_steps s on s.run_id = r.id and s.path = $3::text
         where r.id = $1::text::uuid and r.workflow_id = $2::text::uuid`,
        [runId, workflowId, path],
      )
    : [];
  if (run === undefined) throw noSuchRun();
  if (run.status !== "SUCCEEDED" || run.output === null) {
    const message = "The run has no step with this path that has succeeded";
    throw createError("BODY_INVALID", { path: "/data/path", message });
  }
  return parseExactJson(run.output);
}

function noSuchRun() {
  return createError("BODY_INVALID", {
    path: "/data/run",
    message: "The workflow has no such run",
  });
}
