import {
  type Database,
  type OwnTransaction,
  type PostgresFailure,
  readPostgresFailure,
  type Transaction,
  toAppError,
} from "@rowhouse/db";

/** Thrown to roll back the attempt. */
export class Undo extends Error {}

/**
 * Runs an action in a savepoint of a transaction that continues after a failure.
 *
 * @returns the error of the database, after a rollback to the savepoint; undefined after a success
 * @throws AppError for errors that the statements did not cause (no connection, a timeout)
 */
export async function attempt(
  transaction: Transaction,
  work: () => Promise<void>,
): Promise<PostgresFailure | undefined> {
  await transaction.query("savepoint rowhouse_attempt");
  let failure: PostgresFailure | undefined;
  try {
    await work();
    await transaction.query("release savepoint rowhouse_attempt");
    return undefined;
  } catch (error) {
    if (!(error instanceof Undo)) {
      failure = readPostgresFailure(error);
      if (failure === undefined || !isStatementsFault(failure.code)) throw toAppError(error);
    }
  }
  await rollBackTo(transaction, "rowhouse_attempt");
  return failure;
}

/** Rolls a savepoint back and ends it. One that stays open would be the parent of all later ones. */
export async function rollBackTo(transaction: Transaction, savepoint: string): Promise<void> {
  await transaction.query(`rollback to savepoint ${savepoint}; release savepoint ${savepoint}`);
}

/** Runs an action in a transaction that is always rolled back, and returns the result of the action. */
export async function rolledBack<Result>(
  database: Pick<Database, "transaction">,
  work: (transaction: OwnTransaction) => Promise<Result>,
): Promise<Result> {
  let done: { readonly result: Result } | undefined;
  try {
    await database.transaction(async (transaction) => {
      done = { result: await work(transaction) };
      throw new Undo();
    });
  } catch (error) {
    if (done === undefined || !(error instanceof Undo)) throw toAppError(error);
  }
  if (done === undefined) throw new Error("a transaction ended before its work");
  return done.result;
}

/** Classes of SQLSTATE that the statement itself causes: data, constraints, syntax and names, features, limits. */
export function isStatementsFault(code: string): boolean {
  return /^(0A|22|23|42|44|54|P0)[0-9A-Z]{3}$/.test(code) && code !== "42501";
}
