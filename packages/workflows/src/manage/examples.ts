import { type AuditActor, type Database, type Queryable, requireFound } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { parseExactJson } from "@rowhouse/wire";
import { isoMoment } from "../base/iso-moment.ts";
import { toJson } from "../base/json.ts";
import { type DraftStep, readDraftSteps } from "../completion/draft-steps.ts";
import { stepId as stepIdSchema } from "../definition/step-fields.ts";
import { auditWorkflow } from "./audit-workflow.ts";
import { keptJson, outputOfRun } from "./kept-value.ts";
import { requireWorkflow, type Workflow } from "./workflow.ts";

/** A pinned output, without its value. */
export interface ExampleSummary {
  /** The id of the step. */
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
       where (select count(*) from system.workflow_examples
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
