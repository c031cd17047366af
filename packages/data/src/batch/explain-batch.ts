import { type Database, type OwnTransaction, readPostgresFailure, toAppError } from "@rowhouse/db";
import { type AppError, createError } from "@rowhouse/errors";
import { bindParameters } from "../execute/bind-parameters.ts";
import { codesOf, explainFailure, recordRefusedChange } from "../execute/explain-failure.ts";
import type { DataRequest } from "../parse/request.ts";
import { type BatchRights, inWrite, type PreparedWrite } from "./prepare-batch.ts";
import { type BatchLimits, type BatchProgress, resolveReferences, runBatch } from "./run-batch.ts";

/** A batch that PostgreSQL refused; its transaction has ended. */
export interface FailedBatch {
  readonly writes: readonly PreparedWrite[];
  readonly rights: BatchRights;
  readonly progress: BatchProgress;
  readonly database: Database;
  /** Runs a further transaction of the batch when its user may have one. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
  /** Returns the limits of a further transaction. */
  readonly limits: () => BatchLimits;
}

/** Rolls back the transaction of a trial. */
const undone = new Error("The batch was only tried");

/** Returns the caller's error for a batch that PostgreSQL refused. The rights must be proven before. */
export async function explainBatch(error: unknown, batch: FailedBatch): Promise<AppError> {
  const { writes, progress } = batch;
  if (progress.done < writes.length) return explainWrite(error, progress.done, batch);
  if (toAppError(error).code === "QUERY_TIMEOUT") return atBatch(toAppError(error));
  const found = await findDeferred(batch);
  // The cause has disappeared, or no single write causes it.
  if (found === undefined) return atBatch(toAppError(error));
  return explainWrite(found.error, found.index, { ...batch, progress: found.progress });
}

async function explainWrite(
  error: unknown,
  index: number,
  { writes, rights, progress, database, limits }: FailedBatch,
): Promise<AppError> {
  const write = writes[index];
  const statement = progress.statements[index]?.(database);
  if (write === undefined || statement === undefined) return atBatch(toAppError(error));
  let resolved: DataRequest = statement.request;
  // The rows of a list are tried after the earlier writes, which give their references other values.
  const afterEarlier: Database["transaction"] = (work, options) =>
    database.transaction(async (transaction) => {
      const run = { progress: { done: 0, statements: [] }, limits: limits() };
      const answers = await runBatch(writes.slice(0, index), rights, transaction, run);
      resolved = resolveReferences(write, answers);
      return work(transaction);
    }, options);
  const refusal = await explainFailure(error, {
    ...statement,
    database: { ...database, transaction: afterEarlier },
    // Earlier writes of the batch, which are undone by now, may have changed the number.
    countRows: index === 0 ? statement.countRows : async () => undefined,
    bind: (other) => {
      const request = withRowsOf(resolved, other);
      return bindParameters(statement.statement, { ...rights, request });
    },
  });
  const { principal, caller } = rights;
  const { plan, request } = statement;
  const codes = codesOf(refusal, error);
  await recordRefusedChange(database, plan, request, principal, caller, codes);
  return inWrite(refusal, index);
}

/** The rows that are tried, with the values of another resolution of their references. */
function withRowsOf(resolved: DataRequest, tried: DataRequest): DataRequest {
  return tried.kind === "CREATE" && resolved.kind === "CREATE"
    ? { ...tried, rows: resolved.rows }
    : tried;
}

/**
 * Finds the write that violates a deferred constraint, which the end of the batch checks: the first one after which
 * the constraint stays violated.
 */
async function findDeferred({
  writes,
  rights,
  database,
  inTurn,
  limits,
}: FailedBatch): Promise<{ index: number; error: unknown; progress: BatchProgress } | undefined> {
  const progress: BatchProgress = { done: 0, statements: [] };
  let found: { index: number; error: unknown } | undefined;
  try {
    const search = async (transaction: OwnTransaction): Promise<void> => {
      const afterEach = async () => {
        const error = await violationOf(transaction);
        if (error === undefined) found = undefined;
        else found ??= { index: progress.done - 1, error };
      };
      await runBatch(writes, rights, transaction, { progress, limits: limits(), afterEach });
      throw undone;
    };
    await inTurn(() => database.transaction(search));
  } catch (error) {
    if (error !== undone) return undefined;
  }
  return found === undefined ? undefined : { ...found, progress };
}

/** The error of the constraints that are deferred, if they were checked now. */
async function violationOf(transaction: OwnTransaction): Promise<unknown> {
  try {
    await transaction.savepoint(async (part) => {
      await part.query("set constraints all immediate");
      throw undone;
    });
  } catch (error) {
    if (error === undone) return undefined;
    if (readPostgresFailure(error) === undefined) throw error;
    return error;
  }
  return undefined;
}

function atBatch(error: AppError): AppError {
  const [{ code, message }] = error.faults;
  return createError(code, { path: "/data", message, cause: error, headers: error.headers });
}
