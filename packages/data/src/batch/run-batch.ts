import { hash } from "node:crypto";
import { type Database, proofOf, type Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { type BindingContext, bindParameters } from "../execute/bind-parameters.ts";
import { type FailedStatement, failedStatement } from "../execute/explain-failure.ts";
import type { StalePart } from "../execute/prove-and-repeat.ts";
import { afterCodeSql, ownNamesSql, readAgain } from "../execute/read-again.ts";
import { type AnswerRow, type DataAnswer, renderAnswer } from "../render/render-response.ts";
import type { BatchLimits } from "./batch-limits.ts";
import type { BatchRights, PreparedWrite } from "./prepare-batch.ts";
import { BatchAnswers, resolveReferences } from "./resolve-references.ts";

/** Ends the transaction of a batch whose rights turned out to be stale. */
export class StaleRights extends Error {
  readonly part: StalePart;

  constructor(part: StalePart) {
    super("The rights of a batch have changed");
    this.part = part;
  }
}

/** The state of a batch, for the explanation of a failure. */
export interface BatchProgress {
  /** The number of writes that have run. */
  done: number;
  /** The statements of the writes, the one in progress included. */
  readonly statements: ((database: Database) => FailedStatement)[];
}

/** The course of a batch in one transaction. */
export interface BatchRun {
  /** Receives the number of writes that have run, and their statements. */
  readonly progress: BatchProgress;
  readonly limits: BatchLimits;
  readonly afterEach?: () => Promise<void>;
}

interface StatementRow extends AnswerRow {
  readonly proof: string;
  readonly version: string | null;
}

/**
 * Runs the writes one after the other in a transaction. Each statement proves the rights of the batch, so a change of
 * rights during the batch ends it.
 *
 * @throws StaleRights, AppError with paths within the write in progress, or the error of PostgreSQL
 */
export async function runBatch(
  writes: readonly PreparedWrite[],
  rights: BatchRights,
  on: Queryable,
  { progress, limits, afterEach }: BatchRun,
): Promise<BatchAnswers> {
  const settings = settingsOf(rights.snapshot);
  const answers = new BatchAnswers(settings["limits.body_bytes"]);
  let bytesLeft = settings["data.max_response_bytes"];
  if (writes.some(({ compiled }) => compiled.again !== null)) await on.query(ownNamesSql);
  for (const write of writes) {
    await limits.require(on);
    const answer = await runWrite(write, { rights, on, progress, answers, bytesLeft });
    bytesLeft = Math.max(0, bytesLeft - Buffer.byteLength(answer.data ?? ""));
    answers.all.push(answer);
    progress.done += 1;
    await afterEach?.();
  }
  return answers;
}

interface WriteInBatch {
  readonly rights: BatchRights;
  readonly on: Queryable;
  readonly progress: BatchProgress;
  readonly answers: BatchAnswers;
  /** Bytes of the response that the earlier writes left. */
  readonly bytesLeft: number;
}

async function runWrite(
  write: PreparedWrite,
  { rights, on, progress, answers, bytesLeft }: WriteInBatch,
): Promise<DataAnswer> {
  const { snapshot, principal, caller } = rights;
  const { compiled } = write;
  const request = resolveReferences(write, answers);
  const context: BindingContext = { request, snapshot, principal, caller, bytesMax: bytesLeft };
  const parameters = bindParameters(compiled.statement, context);
  compiled.uses += 1;
  progress.statements.push((database) => failedStatement(compiled, context, parameters, database));
  const options = { prepare: compiled.uses > 1 };
  const [row] = await on.query<StatementRow>(compiled.statement.text, parameters, options);
  if (row === undefined) throw createError("INTERNAL_ERROR");
  if (compiled.runsCode) await on.query(afterCodeSql);
  const part = {
    snapshot: row.proof !== proofOf(snapshot, compiled.statement.scope),
    principal: row.version !== principal.version,
  };
  if (part.snapshot || part.principal) throw new StaleRights(part);
  const { data: keys } = row;
  if (compiled.again === null || keys === null || request.kind === "DELETE") {
    return renderAnswer(request, row, snapshot.cursorKey);
  }
  const answerAgain = async (bytesMax: number): Promise<DataAnswer> => {
    const data = await readAgain(compiled, request, keys, { ...context, bytesMax }, on);
    return renderAnswer(request, { ...row, data }, snapshot.cursorKey);
  };
  answers.again.set(write.index, answerAgain);
  return answerAgain(bytesLeft);
}

/**
 * Replaces the responses whose rows later writes of the batch, or triggers at its end, may have changed.
 *
 * @throws AppError of the limits, or the error of PostgreSQL
 */
export async function readBatchAgain(
  { all, again }: BatchAnswers,
  { snapshot }: BatchRights,
  on: Queryable,
  { progress, limits }: BatchRun,
): Promise<void> {
  if (again.size === 0) return;
  await on.query(afterCodeSql);
  let bytesLeft = settingsOf(snapshot)["data.max_response_bytes"];
  for (const [index, answer] of all.entries()) {
    await limits.require(on);
    progress.done = index;
    const current = (await again.get(index)?.(bytesLeft)) ?? answer;
    bytesLeft = Math.max(0, bytesLeft - Buffer.byteLength(current.data ?? ""));
    all[index] = current;
  }
  progress.done = all.length;
}

/** Returns the response to a batch: the responses of its writes in their order. */
export function batchAnswer(
  writes: readonly PreparedWrite[],
  { all }: BatchAnswers,
): DataAnswer & { readonly body: string } {
  const results = writes.map((write, index) => resultOf(write, all[index]));
  return { status: 200, body: `{"data":[${results.join(",")}]}`, data: null };
}

function resultOf(write: PreparedWrite, answer: DataAnswer | undefined): string {
  if (answer === undefined) throw new TypeError("A write of a batch has no response");
  const tag = tagOf(write, answer);
  const etag = tag === null ? "" : `,"etag":${JSON.stringify(`"${tag}"`)}`;
  const rest = answer.body === null ? "" : `,${answer.body.slice(1, -1)}`;
  return `{"status":${answer.status}${rest}${etag}}`;
}

/** The entity tag of the one row that a write returns; null if the response has only the key of a hidden row. */
function tagOf({ request, compiled }: PreparedWrite, { data }: DataAnswer): string | null {
  const isRow =
    request.kind === "CREATE"
      ? !request.isList
      : request.kind === "UPDATE" && request.selection.by === "KEY";
  const { read, relation } = compiled.plan;
  if (!isRow || data === null || relation.primaryKey.length === 0) return null;
  if (read.fields.length === 0) return null;
  const names = Object.keys(JSON.parse(data) as object);
  const isOfKey = (name: string) => relation.primaryKey.includes(name);
  const isKeyAlone =
    compiled.again !== null &&
    names.every(isOfKey) &&
    !read.fields.every(({ column }) => isOfKey(column.name));
  const isWhole = !isKeyAlone && (read.rows === null || names.some((name) => !isOfKey(name)));
  return isWhole ? hash("md5", data) : null;
}
