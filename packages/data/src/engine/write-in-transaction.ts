import type { Caller } from "@rowhouse/access";
import { type Database, type Queryable, readPostgresFailure, toAppError } from "@rowhouse/db";
import type { AppError } from "@rowhouse/errors";
import { parseExactJson, writeExactJson } from "@rowhouse/wire";
import {
  claimKey,
  longTransactions,
  removeHidden,
  requestFingerprintOf,
  type StoredRows,
  storeAnswer,
  storedAnswer,
} from "../answer/stored-answers.ts";
import type { CreateRequest, WriteRequest } from "../parse/request.ts";
import type { DataAnswer } from "../render/render-response.ts";
import type { DataEngine } from "./data-engine.ts";

/**
 * Executes a create with an `Idempotency-Key` once. A repeated request within a day returns the first response,
 * without the values that the caller may no longer see, and creates nothing. One transaction writes the key and the
 * rows, so neither exists without the other. A second request during the first one waits for it. An error response is
 * not stored.
 *
 * @throws AppError IDEMPOTENCY_CONFLICT if another request used the key before; otherwise the errors of the engine
 */
export async function answerOnce(
  database: Database,
  engine: DataEngine,
  request: CreateRequest,
  caller: Caller,
  key: string,
): Promise<DataAnswer> {
  // Checks the credential and the right to create now, for a repeated response as well.
  const { userId } = await engine.authorize(request, caller);
  const keyed = { userId, key, fingerprint: fingerprintOfCreate(request) };
  const work = async (transaction: Queryable): Promise<DataAnswer> => {
    if (!(await claimKey(transaction, keyed))) {
      const first = await storedAnswer(transaction, keyed);
      if (first.body === null) return first;
      const { data } = parseExactJson(first.body) as { data: StoredRows };
      const seen = await removeHidden(data, (rows) =>
        engine.sightOfRows(request, rows, caller, transaction),
      );
      return seen === data ? first : { ...first, body: writeExactJson({ data: seen }) };
    }
    const answer = await engine.answer(request, caller, transaction);
    await storeAnswer(transaction, keyed, answer);
    return answer;
  };
  return inLongTransaction(database, userId, work);
}

function fingerprintOfCreate({ target, rows, isList, conflict, minimal }: CreateRequest): string {
  const values = rows.map((row) => Object.fromEntries(row));
  return requestFingerprintOf(target, values, isList, conflict, minimal);
}

/**
 * Answers a write and rolls it back. Triggers, checks and constraints run as in the write itself, those at the end of a
 * transaction included. Only sequences keep the values that were taken, and a refused change is recorded.
 *
 * @throws AppError as the engine does
 */
export async function rehearseWrite(
  database: Database,
  engine: DataEngine,
  request: WriteRequest,
  caller: Caller,
): Promise<DataAnswer> {
  // Checks the credential and the right to write before a transaction begins.
  const { userId } = await engine.authorize(request, caller);
  const answers: DataAnswer[] = [];
  try {
    await inLongTransaction(database, userId, async (transaction) => {
      const answer = await engine.answer(request, caller, transaction);
      await transaction.query("set constraints all immediate");
      answers.push(answer);
      throw new RolledBack("The write is rolled back");
    });
  } catch (error) {
    const [answer] = answers;
    if (answer === undefined) throw error;
    return answer;
  }
  throw new Error("A rehearsal must not be committed");
}

class RolledBack extends Error {}

const attemptsMax = 8;

/**
 * Runs a transaction of several statements with one of the permits for long transactions. It is repeated if concurrent
 * changes rolled it back.
 *
 * @throws AppError of the contract
 */
async function inLongTransaction<Result>(
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
