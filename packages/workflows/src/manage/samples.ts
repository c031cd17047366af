import {
  type AuditActor,
  type Database,
  isUuid,
  makeChange,
  type Page,
  type PageRequest,
  type Queryable,
  readCursor,
  requireFound,
  requireLegibleName,
  type Transaction,
  toPage,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { isStorableText, parseExactJson } from "@rowhouse/wire";
import { isoMoment } from "../base/iso-moment.ts";
import { isJsonObject, toJson } from "../base/json.ts";
import { triggerSchema } from "../definition/trigger.ts";
import { inputOfRun, keptJson } from "./examples.ts";
import { triggerInput } from "./trigger-input.ts";
import { requireWorkflow } from "./workflow.ts";

/** A kept input, without its data. */
export interface SampleSummary {
  readonly id: string;
  /** Unique in the workflow. */
  readonly name: string;
  /** The run whose input it is, until the run is deleted or the data changed. */
  readonly runId: string | null;
  readonly createdBy: string | null;
  readonly createdAt: string;
}

/** An input of a workflow that administrators keep for its tests. */
export interface Sample extends SampleSummary {
  /** The `start.data` of a run. Numbers have every digit. */
  readonly data: unknown;
}

/** The data of a sample: given, or the input of a run. */
export type SampleSource = { readonly data: unknown } | { readonly run: string };

/** Samples of one workflow at most. */
const samplesMax = 100;
const conflict = { path: "/data/name", message: "Another sample of the workflow has this name" };
const columns = `s.id, s.name, s.run_id as "runId", s.created_by as "createdBy",
  ${isoMoment("s.created_at")} as "createdAt"`;

/** Lists the samples of a workflow by name, without their data. @throws AppError NOT_FOUND, QUERY_INVALID */
export async function listSamples(
  database: Queryable,
  workflowId: string,
  request: PageRequest,
): Promise<Page<SampleSummary>> {
  await requireWorkflow(database, workflowId);
  const [after] = readCursor(request.cursor, [isStorableText]);
  const rows = await database.query<SampleSummary>(
    `select ${columns} from system.workflow_samples s
     where s.workflow_id = $1::text::uuid
       and ($2::text is null or strpos(system.fold(s.name), system.fold($2::text)) > 0)
       and ($3::text is null or s.name collate "C" > $3::text)
     order by s.name collate "C" limit $4::text::integer`,
    [workflowId, request.search, after, String(request.limit + 1)],
  );
  return toPage(rows, request.limit, ({ name }) => [name]);
}

/** Returns a sample with its data. @throws AppError NOT_FOUND */
export async function readSample(
  database: Queryable,
  workflowId: string,
  sampleId: string,
): Promise<Sample> {
  const [row] =
    isUuid(workflowId) && isUuid(sampleId)
      ? await database.query<SampleSummary & { readonly data: string }>(
          `select ${columns}, s.data::text as data from system.workflow_samples s
           where s.id = $1::text::uuid and s.workflow_id = $2::text::uuid`,
          [sampleId, workflowId],
        )
      : [];
  const { data, ...summary } = requireFound(row);
  return { ...summary, data: parseExactJson(data) };
}

/**
 * Keeps an input. That of a run is taken as it is stored; a given one is redacted as the draft's trigger redacts a call.
 *
 * @throws AppError NOT_FOUND, BODY_INVALID, CONFLICT for a name in use, or above 100 samples
 */
export async function createSample(
  database: Database,
  workflowId: string,
  { name, ...source }: { readonly name: string } & SampleSource,
  actor: AuditActor,
): Promise<Sample> {
  const work = async (transaction: Transaction) => {
    await requireLegibleName(name);
    const workflow = await requireWorkflow(transaction, workflowId);
    await requireRoom(transaction, workflowId);
    const run = "run" in source ? source.run : null;
    const data =
      "run" in source
        ? toJson(await inputOfRun(transaction, workflowId, source.run))
        : redactedJson(workflow.definition, source.data);
    const [row] = await transaction.query<{ id: string }>(
      `insert into system.workflow_samples (workflow_id, name, data, run_id, created_by)
       values ($1::text::uuid, $2::text, $3::text::json, $4::text::uuid, $5::text::uuid) returning id`,
      [workflowId, name, data, run, actor.userId],
    );
    const { id } = requireFound(row);
    const result = await readSample(transaction, workflowId, id);
    return { result, entry: entryOf("create", id, ["name", ...Object.keys(source)]) };
  };
  return makeChange(database, actor, work, conflict);
}

/**
 * Changes the name or the data of a sample. Changed data is no longer the input of a run.
 *
 * @throws AppError NOT_FOUND, BODY_INVALID, CONFLICT for a name in use
 */
export async function updateSample(
  database: Database,
  workflowId: string,
  sampleId: string,
  changes: { readonly name?: string | undefined; readonly data?: unknown },
  actor: AuditActor,
): Promise<Sample> {
  const work = async (transaction: Transaction) => {
    const { definition } = await requireWorkflow(transaction, workflowId);
    const present = await readSample(transaction, workflowId, sampleId);
    const { name = null, data } = changes;
    await requireLegibleName(name, undefined, async () => present.name);
    await transaction.query(
      `update system.workflow_samples
       set name = coalesce($2::text, name), data = coalesce($3::text::json, data),
         run_id = case when $3::text is null then run_id end
       where id = $1::text::uuid`,
      [sampleId, name, data === undefined ? null : redactedJson(definition, data)],
    );
    const result = await readSample(transaction, workflowId, sampleId);
    const changedFields = Object.keys(changes);
    const entry = changedFields.length === 0 ? null : entryOf("update", sampleId, changedFields);
    return { result, entry };
  };
  return makeChange(database, actor, work, conflict);
}

/** Deletes a sample. @throws AppError NOT_FOUND */
export async function deleteSample(
  database: Database,
  workflowId: string,
  sampleId: string,
  actor: AuditActor,
): Promise<void> {
  await makeChange(database, actor, async (transaction) => {
    await readSample(transaction, workflowId, sampleId);
    await transaction.query("delete from system.workflow_samples where id = $1::text::uuid", [
      sampleId,
    ]);
    return { result: undefined, entry: entryOf("delete", sampleId) };
  });
}

/** Two requests at once must not exceed the limit: the second one waits for the first. */
async function requireRoom(transaction: Queryable, workflowId: string): Promise<void> {
  await transaction.query(
    "select id from system.workflows where id = $1::text::uuid for no key update",
    [workflowId],
  );
  const [row] = await transaction.query<{ count: number }>(
    "select pg_catalog.count(*)::integer as count from system.workflow_samples where workflow_id = $1::text::uuid",
    [workflowId],
  );
  if ((row?.count ?? 0) >= samplesMax) {
    throw createError("CONFLICT", {
      message: `A workflow has at most ${samplesMax} samples; delete one first`,
    });
  }
}

/** The pages and tests of a webhook send no value that its calls would not store. */
function redactedJson(definition: unknown, data: unknown): string {
  const path = "/data/data";
  const json = keptJson(data, path);
  const trigger = triggerSchema.safeParse(isJsonObject(definition) ? definition.trigger : null);
  const isWebhook = trigger.success && trigger.data.kind === "webhook";
  return isWebhook ? triggerInput(trigger.data, data, path) : json;
}

function entryOf(
  verb: "create" | "update" | "delete",
  id: string,
  changedFields: readonly string[] = [],
) {
  const targetKind = "workflow_sample";
  return { action: `${targetKind}.${verb}` as const, targetKind, targetId: id, changedFields };
}
