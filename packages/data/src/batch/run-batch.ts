import type { Database, Queryable } from "@rowhouse/db";
import { AppError, createError, type Fault } from "@rowhouse/errors";
import { type Settings, settingsOf } from "@rowhouse/settings";
import { exactNumberText, isObject, parseExactJson, writeExactJson } from "@rowhouse/wire";
import type { StalePart } from "../answer/prove-and-repeat.ts";
import { type BindingContext, bindParameters } from "../execute/bind-parameters.ts";
import { checkOf, requireSound, type WrittenCheck } from "../execute/check-written.ts";
import { type FailedStatement, failedStatement } from "../execute/explain-failure.ts";
import {
  afterCodeSql,
  limitStatements,
  ownNamesSql,
  passedMin,
  readAgain,
  type StatementRow,
} from "../execute/run-statement.ts";
import type { CreateRequest, WriteRequest } from "../parse/request.ts";
import { type DataAnswer, renderAnswer } from "../render/render-response.ts";
import {
  type BatchRights,
  type PreparedWrite,
  type ResolvableReference,
  unknownInResult,
} from "./prepare-batch.ts";

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
  readonly checks?: readonly WrittenCheck[] | undefined;
  readonly afterEach?: () => Promise<void>;
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
  { progress, limits, checks, afterEach }: BatchRun,
): Promise<BatchAnswers> {
  const settings = settingsOf(rights.snapshot);
  const answers = new BatchAnswers(settings["limits.body_bytes"]);
  let bytesLeft = settings["data.max_response_bytes"];
  if (writes.some(({ compiled }) => compiled.again !== null)) await on.query(ownNamesSql);
  for (const write of writes) {
    await limits.require(on);
    const answer = await runWrite(write, { rights, on, progress, answers, checks, bytesLeft });
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
  readonly checks: readonly WrittenCheck[] | undefined;
  /** Bytes of the response that the earlier writes left. */
  readonly bytesLeft: number;
}

async function runWrite(
  write: PreparedWrite,
  { rights, on, progress, answers, checks, bytesLeft }: WriteInBatch,
): Promise<DataAnswer> {
  const { snapshot, principal, caller } = rights;
  const { compiled } = write;
  const request = resolveReferences(write, answers);
  const context: BindingContext = { request, snapshot, principal, caller, bytesMax: bytesLeft };
  const parameters = bindParameters(compiled.statement, context, compiled.proof);
  compiled.uses += 1;
  progress.statements.push((database) => failedStatement(compiled, context, parameters, database));
  const options = { prepare: compiled.uses > 1 };
  const [row] = await on.query<StatementRow>(compiled.statement.text, parameters, options);
  if (row === undefined) throw createError("INTERNAL_ERROR");
  if (compiled.runsCode) await on.query(afterCodeSql);
  const part = {
    snapshot: row.proof !== compiled.proof,
    principal: row.version !== principal.version,
  };
  if (part.snapshot || part.principal) throw new StaleRights(part);
  await requireSound(checkOf(checks, request, compiled.plan.relation), request, on);
  const { data: keys } = row;
  if (compiled.again === null || keys === null || request.kind === "DELETE") {
    return renderAnswer(request, row, snapshot.cursorKey, compiled.plan);
  }
  const answerAgain = async (bytesMax: number): Promise<DataAnswer> => {
    const data = await readAgain(compiled, request, keys, { ...context, bytesMax }, on);
    return renderAnswer(request, { ...row, data }, snapshot.cursorKey, compiled.plan);
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
  { progress, limits }: Pick<BatchRun, "progress" | "limits">,
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
  const results = writes.map((_, index) => resultOf(all[index]));
  return { status: 200, body: `{"data":[${results.join(",")}]}`, data: null };
}

function resultOf(answer: DataAnswer | undefined): string {
  if (answer === undefined) throw new TypeError("A write of a batch has no response");
  const tag = answer.headers?.ETag;
  const etag = tag === undefined ? "" : `,"etag":${JSON.stringify(tag)}`;
  const rest = answer.body === null ? "" : `,${answer.body.slice(1, -1)}`;
  return `{"status":${answer.status}${rest}${etag}}`;
}

/** The responses of the writes so far. A response is parsed at most once, when a reference names it. */
export class BatchAnswers {
  readonly all: DataAnswer[] = [];
  /** Reads the rows of a write again, by its position. */
  readonly again = new Map<number, (bytesMax: number) => Promise<DataAnswer>>();
  readonly #parsed = new Map<number, unknown>();
  readonly #bytesMax: number;
  #bytes = 0;

  /** @param bytesMax maximum size of the values of all references together */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The row or the list of rows in the response of a write; undefined without one. */
  dataOf(write: number): unknown {
    const data = this.all[write]?.data;
    if (data == null) return undefined;
    if (!this.#parsed.has(write)) this.#parsed.set(write, parseExactJson(data));
    return this.#parsed.get(write);
  }

  /**
   * Counts the value of a reference. Otherwise a small body could name a large value thousands of times.
   *
   * @throws AppError BODY_TOO_LARGE
   */
  count(value: unknown, path: string): void {
    this.#bytes += Buffer.byteLength(typeof value === "string" ? value : writeExactJson(value));
    if (this.#bytes <= this.#bytesMax) return;
    const message = `The values of all references have at most ${this.#bytesMax} bytes together (limits.body_bytes)`;
    throw createError("BODY_TOO_LARGE", { path, message });
  }
}

/**
 * Returns the request of a write with the values of its references.
 *
 * @throws AppError FIELD_UNKNOWN for a value that the response of the earlier write does not have; BODY_TOO_LARGE
 */
export function resolveReferences(
  { request, references }: PreparedWrite,
  answers: BatchAnswers,
): WriteRequest {
  if (references.length === 0) return request;
  const faults: Fault[] = [];
  const values = new Map<ResolvableReference, unknown>();
  for (const reference of references) {
    const value = valueIn(reference, answers.dataOf(reference.write));
    if (value === undefined) faults.push(unknownInResult(reference.path));
    else answers.count(value, reference.path);
    values.set(reference, value);
  }
  const [first, ...rest] = faults;
  if (first !== undefined) throw new AppError([first, ...rest]);
  return withKey(withValues(request, values), values);
}

/** Undefined if the response has no such row or field. */
function valueIn({ row, field }: ResolvableReference, data: unknown): unknown {
  const source: unknown = row === null ? data : Array.isArray(data) ? data[row] : undefined;
  return isObject(source) && Object.hasOwn(source, field) ? source[field] : undefined;
}

function withValues(
  request: WriteRequest,
  values: ReadonlyMap<ResolvableReference, unknown>,
): WriteRequest {
  const byRow = new Map<number, Map<string, unknown>>();
  for (const [{ place }, value] of values) {
    if (place.kind !== "VALUE") continue;
    const row = byRow.get(place.row) ?? new Map<string, unknown>();
    byRow.set(place.row, row.set(place.field, value));
  }
  if (byRow.size === 0) return request;
  const merged = (row: CreateRequest["rows"][number], position: number) =>
    new Map([...row, ...(byRow.get(position) ?? [])]);
  if (request.kind === "CREATE") return { ...request, rows: request.rows.map(merged) };
  if (request.kind === "UPDATE") return { ...request, values: merged(request.values, 0) };
  return request;
}

function withKey(
  request: WriteRequest,
  values: ReadonlyMap<ResolvableReference, unknown>,
): WriteRequest {
  const parts = new Map<number, string>();
  for (const [{ place }, value] of values) {
    if (place.kind === "KEY") parts.set(place.position, keyText(value));
  }
  if (parts.size === 0 || request.kind === "CREATE") return request;
  const { selection } = request;
  if (selection.by !== "KEY") return request;
  const id = selection.id.map((part, position) => parts.get(position) ?? part);
  return { ...request, selection: { ...selection, id } };
}

/** @throws AppError NOT_FOUND for a value that no key has */
function keyText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const digits = exactNumberText(value);
  if (digits === undefined) throw createError("NOT_FOUND");
  return digits;
}

/** Limits of all statements of a batch together: their time, and the presence of their caller. */
export class BatchLimits {
  readonly #deadline: number;
  readonly #isAbandoned: () => boolean;
  /** The time limit of the next statement in PostgreSQL, in milliseconds. */
  #limitMs: number;

  /** @param leftMs what the earlier attempts of the batch left; the whole time for the first one */
  constructor(settings: Settings, isAbandoned: () => boolean, leftMs?: number) {
    this.#limitMs = settings["data.statement_timeout_ms"];
    this.#deadline = performance.now() + (leftMs ?? this.#limitMs);
    this.#isAbandoned = isAbandoned;
  }

  /**
   * Limits the next statement of the batch to the time that the earlier ones left. Otherwise a batch would hold its
   * locks for twice the time.
   *
   * @throws AppError QUERY_TIMEOUT; SERVICE_UNAVAILABLE if the caller has left
   */
  async require(transaction: Queryable): Promise<void> {
    if (this.#isAbandoned()) throw createError("SERVICE_UNAVAILABLE");
    const leftMs = Math.ceil(this.#deadline - performance.now());
    if (leftMs <= 0) throw createError("QUERY_TIMEOUT");
    if (leftMs > this.#limitMs * (1 - passedMin)) return;
    await limitStatements(transaction, leftMs);
    this.#limitMs = leftMs;
  }
}
