import type { Caller } from "@rowhouse/access";
import {
  type Database,
  poolOf,
  type Queryable,
  readPostgresFailure,
  requestFingerprintOf,
  toAppError,
} from "@rowhouse/db";
import type { AppError } from "@rowhouse/errors";
import { parseExactJson, writeExactJson } from "@rowhouse/wire";
import {
  claimKey,
  longTransactions,
  removeHidden,
  type StoredRows,
  storeAnswer,
  storedAnswer,
} from "../answer/stored-answers.ts";
import type { WriteRequest } from "../parse/request.ts";
import { type DataAnswer, preferenceApplied } from "../render/render-response.ts";
import type { DataEngine } from "./data-engine.ts";

/**
 * Executes a write with an `Idempotency-Key` once. A repeated request within a day returns the first response,
 * without the values that the caller may no longer see, and writes nothing. One transaction writes the key and the
 * rows, so neither exists without the other. A second request during the first one waits for it. An error response is
 * not stored.
 *
 * @param request a create, or a write of one row by its key
 * @throws AppError IDEMPOTENCY_CONFLICT if another request used the key before; otherwise the errors of the engine
 */
export async function answerOnce(
  database: Database,
  engine: DataEngine,
  request: WriteRequest,
  caller: Caller,
  key: string,
): Promise<DataAnswer> {
  // Checks the credential and the right to write now, for a repeated response as well.
  const { userId, tagOf } = await engine.authorize(request, caller);
  const keyed = { userId, key, fingerprint: fingerprintOf(request) };
  const work = async (transaction: Queryable): Promise<DataAnswer> => {
    if (!(await claimKey(transaction, keyed))) {
      const first = await storedAnswer(transaction, keyed);
      const headers = { ...first.headers, ...preferenceApplied(request) };
      if (first.body === null) return { ...first, headers };
      const { data } = parseExactJson(first.body) as { data: StoredRows };
      const seen = await removeHidden(data, (rows) =>
        engine.sightOfRows(request, rows, caller, transaction),
      );
      if (seen !== data) return { ...first, headers, body: writeExactJson({ data: seen }) };
      // The tag of the row as it was after the write; it has gone if the row has changed since.
      const tag = tagOf(textOfData(first.body));
      return { ...first, headers: tag === undefined ? headers : { ...headers, ETag: tag } };
    }
    const answer = await engine.answer(request, caller, transaction);
    await storeAnswer(transaction, keyed, answer);
    return answer;
  };
  return inLongTransaction(poolOf(database, request.target.schema), userId, work);
}

function fingerprintOf(request: WriteRequest): string {
  const { target } = request;
  if (request.kind === "CREATE") {
    const { rows, isList, conflict, minimal } = request;
    const values = rows.map((row) => Object.fromEntries(row));
    return requestFingerprintOf([target, values, isList, conflict, minimal]);
  }
  const { kind, selection } = request;
  if (selection.by !== "KEY") throw new TypeError("A write by a filter has no key of its own");
  const { id, ifMatch } = selection;
  const rest =
    request.kind === "UPDATE"
      ? [Object.fromEntries(request.values), request.minimal]
      : [request.representation];
  return requestFingerprintOf([kind, target, id, ifMatch, ...rest]);
}

/** Returns the text of the row in a body that has nothing else. */
function textOfData(body: string): string {
  return body.slice('{"data":'.length, -1);
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
    await inLongTransaction(
      poolOf(database, request.target.schema),
      userId,
      async (transaction) => {
        const answer = await engine.answer(request, caller, transaction);
        await transaction.query("set constraints all immediate");
        answers.push(answer);
        throw new RolledBack("The write is rolled back");
      },
    );
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
