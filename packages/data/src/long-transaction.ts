import { type Database, type Queryable, readPostgresFailure, toAppError } from "@rowhouse/db";
import type { AppError } from "@rowhouse/errors";
import { longTransactions } from "./stored-answers.ts";

const attemptsMax = 8;

/**
 * Runs a transaction of several statements with one of the permits for long transactions. It is repeated if concurrent
 * changes rolled it back.
 *
 * @throws AppError of the contract
 */
export async function inLongTransaction<Result>(
  database: Database,
  userId: string,
  work: (transaction: Queryable) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await longTransactions.within(userId, () => database.transaction(work));
    } catch (error) {
      const known = toAppError(error);
      if (attempt === attemptsMax || !isLost(known)) throw known;
    }
  }
}

/** Whether concurrent changes of a row or of the table caused the rollback, so that a repetition can succeed. */
function isLost({ code, cause }: AppError): boolean {
  const state = readPostgresFailure(cause)?.code ?? "";
  return code === "SERVICE_UNAVAILABLE" && /^(?:0A|40|42)/.test(state);
}
