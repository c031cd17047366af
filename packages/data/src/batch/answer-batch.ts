import {
  authenticationRequired,
  type Caller,
  isCredentialGood,
  standingOf,
} from "@rowhouse/access";
import { type Queryable, requestFingerprintOf } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { parseExactJson, writeExactJson } from "@rowhouse/wire";
import { StageClock } from "../answer/engine-dependencies.ts";
import type { AnswerDependencies } from "../answer/hold-answer.ts";
import {
  isProven,
  type ProofOutcome,
  proveAndRepeat,
  type Rights,
} from "../answer/prove-and-repeat.ts";
import { requireHarmless, writesSystem } from "../answer/request-place.ts";
import type { SightOfRows } from "../answer/sight-of-rows.ts";
import {
  claimKey,
  type KeyedWrite,
  longTransactions,
  removeHidden,
  type StoredRows,
  storeAnswer,
  storedAnswer,
} from "../answer/stored-answers.ts";
import type { CompileRequest } from "../execute/statement-cache.ts";
import type { DataAnswer } from "../render/render-response.ts";
import { explainBatch } from "./explain-batch.ts";
import {
  type BatchRequest,
  type BatchRights,
  inWrite,
  type PreparedWrite,
  prepareBatch,
} from "./prepare-batch.ts";
import {
  type BatchAnswers,
  BatchLimits,
  type BatchProgress,
  batchAnswer,
  readBatchAgain,
  runBatch,
  StaleRights,
} from "./run-batch.ts";

export interface BatchDependencies extends AnswerDependencies {
  /** For writes of the schema `system`, if another login keeps it. */
  readonly ofSystem?: AnswerDependencies | undefined;
  readonly sightOfRows: SightOfRows;
}

/** A batch of one attempt, parsed and authorized. */
interface PreparedBatch {
  readonly dependencies: BatchDependencies;
  readonly writes: readonly PreparedWrite[];
  readonly rights: BatchRights;
  readonly keyed: KeyedWrite | null;
  readonly progress: BatchProgress;
  readonly isAbandoned: () => boolean;
}

/**
 * Runs up to 100 writes in one transaction, each with the rights, limits and checks of its own route. A failed or
 * stale attempt leaves nothing; the whole batch is the unit that is repeated.
 *
 * @throws AppError with the status of the first write that fails and the index of each write in its path
 */
export async function answerBatch(
  dependencies: BatchDependencies,
  batch: BatchRequest,
  caller: Caller,
): Promise<DataAnswer> {
  const clock = new StageClock(dependencies.observer?.stageEnded);
  // A refused change is recorded although its caller has left, so the loop does not ask.
  return proveAndRepeat(dependencies, { caller }, async (rights) => {
    const prepared = prepareAttempt(dependencies, batch, { ...rights, caller });
    clock.ended("prepare");
    const outcome = await attemptBatch(prepared);
    clock.ended("execute");
    return outcome;
  });
}

function prepareAttempt(
  dependencies: BatchDependencies,
  batch: BatchRequest,
  given: Rights & { readonly caller: Caller },
): PreparedBatch {
  const { snapshot, principal } = given;
  if (!isCredentialGood(principal, standingOf(principal, snapshot))) throw authenticationRequired();
  const { ofSystem = dependencies } = dependencies;
  const compile: CompileRequest = (request, ...as) =>
    (writesSystem(request) ? ofSystem : dependencies).compile(request, ...as);
  const rights = { ...given, compile };
  const writes = prepareBatch(batch, rights);
  const { data, minimal, key, timeZone, isAbandoned } = batch;
  const fingerprint = key === null ? "" : requestFingerprintOf(["BATCH", data, minimal, timeZone]);
  const keyed = key === null ? null : { userId: principal.userId, key, fingerprint };
  return {
    dependencies: { ...dependencies, ...placeOf(dependencies, writes) },
    writes,
    rights,
    keyed,
    progress: { done: 0, statements: [] },
    isAbandoned,
  };
}

/** @throws AppError CONFLICT for writes that two logins make, which cannot share a transaction */
function placeOf(
  { ofSystem, database }: BatchDependencies,
  writes: readonly PreparedWrite[],
): Pick<BatchDependencies, "database"> {
  const other = writes.findIndex(
    ({ request }) => writesSystem(request) !== writesSystem(writes[0]?.request ?? request),
  );
  if (ofSystem === undefined || writes[0] === undefined) return { database };
  if (other === -1)
    return { database: writesSystem(writes[0].request) ? ofSystem.database : database };
  const message =
    "A batch writes either tables of the schema system or others; send this write in another request";
  throw inWrite(createError("CONFLICT", { message }), other);
}

async function attemptBatch(batch: PreparedBatch): Promise<ProofOutcome<DataAnswer>> {
  const { dependencies, writes, rights, progress, isAbandoned } = batch;
  const { database } = dependencies;
  try {
    const { isAdministrator } = standingOf(rights.principal, rights.snapshot);
    const work = async (transaction: Queryable) => {
      for (const { request } of writes)
        await requireHarmless(request, transaction, isAdministrator);
      return writeOrReplay(batch, watched(transaction, isAbandoned));
    };
    const value = await longTransactions.within(rights.principal.userId, () =>
      database.transaction(work),
    );
    return { kind: "PROVEN", value };
  } catch (error) {
    if (error instanceof StaleRights) return whenStale(error, batch);
    if (error instanceof AppError) throw error;
    const limits = () => limitsOf(batch);
    const inTurn = (work: () => Promise<void>) =>
      longTransactions.within(rights.principal.userId, work);
    const failed = { writes, rights, progress, database, inTurn, limits };
    const explain = (cause: unknown) => explainBatch(cause, failed);
    return { kind: "FAILED", error, explain };
  }
}

function limitsOf({ rights, isAbandoned }: PreparedBatch): BatchLimits {
  return new BatchLimits(settingsOf(rights.snapshot), isAbandoned, rights.leftMs);
}

/** Ends a statement in PostgreSQL whose caller has left. */
function watched(transaction: Queryable, isAbandoned: () => boolean): Queryable {
  return {
    query: (text, parameters, options) =>
      transaction.query(text, parameters, { ...options, isAbandoned }),
  };
}

/** The writes, or the stored response of the same batch. */
async function writeOrReplay(batch: PreparedBatch, transaction: Queryable): Promise<DataAnswer> {
  const { writes, rights, keyed, progress } = batch;
  const limits = limitsOf(batch);
  await limits.require(transaction);
  if (keyed !== null && !(await claimKey(transaction, keyed))) {
    return replay(batch, keyed, transaction, limits);
  }
  const { checks } = batch.dependencies;
  let answers: BatchAnswers;
  try {
    answers = await runBatch(writes, rights, transaction, { progress, limits, checks });
  } catch (error) {
    throw error instanceof AppError ? inWrite(error, progress.done) : error;
  }
  // The commit would report a violation as well, but then its cause could no longer be found.
  await limits.require(transaction);
  await transaction.query("set constraints all immediate");
  await readBatchAgain(answers, rights, transaction, { progress, limits });
  const answer = batchAnswer(writes, answers);
  if (keyed !== null) await storeAnswer(transaction, keyed, answer);
  return answer;
}

/** Returns the first response without the values that the caller may no longer see. */
async function replay(
  { dependencies, writes, rights }: PreparedBatch,
  keyed: KeyedWrite,
  transaction: Queryable,
  limits: BatchLimits,
): Promise<DataAnswer> {
  const { snapshot, principal, caller } = rights;
  const first = await storedAnswer(transaction, keyed);
  const { data } = parseExactJson(first.body ?? '{"data":[]}') as { data: StoredResult[] };
  const seen: StoredResult[] = [];
  for (const [index, result] of data.entries()) {
    const request = writes[index]?.request;
    if (result.data === undefined || request === undefined || request.kind === "DELETE") {
      seen.push(result);
      continue;
    }
    await limits.require(transaction);
    const sight = (rows: Parameters<SightOfRows>[1]) =>
      dependencies.sightOfRows(request, rows, caller, transaction);
    const rows = await removeHidden(result.data, sight);
    // The tag covers the values that were removed.
    const { etag: _, ...rest } = result;
    seen.push(rows === result.data ? result : { ...rest, data: rows });
  }
  if (!(await isProven(transaction, snapshot, principal, caller))) {
    throw new StaleRights({ snapshot: true, principal: true });
  }
  const isWhole = seen.every((result, index) => result === data[index]);
  return isWhole ? first : { ...first, body: writeExactJson({ data: seen }) };
}

interface StoredResult {
  readonly status: number;
  readonly data?: StoredRows;
  readonly etag?: string;
}

/**
 * A change of rights from outside repeats the batch under the new rights. If the batch itself changed them, the rest of
 * it has no proven rights before the commit.
 */
async function whenStale(
  { part }: StaleRights,
  { dependencies: { database }, rights, progress }: PreparedBatch,
): Promise<ProofOutcome<DataAnswer>> {
  const { snapshot, principal, caller } = rights;
  if (progress.done > 0 && (await isProven(database, snapshot, principal, caller))) {
    const message =
      "An earlier write of the batch changes roles, rights or definitions; send this write in another request";
    throw inWrite(createError("CONFLICT", { message }), progress.done);
  }
  return { kind: "STALE", part };
}
