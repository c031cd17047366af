import type { Caller } from "@rowhouse/access";
import type { Database, Queryable } from "@rowhouse/db";
import { parseExactJson, writeExactJson } from "@rowhouse/wire";
import { inLongTransaction } from "./long-transaction.ts";
import type { CreateRequest } from "./parse/request.ts";
import type { DataEngine } from "./pipeline.ts";
import type { DataAnswer } from "./render/render-response.ts";
import {
  claimKey,
  fingerprintOf,
  type StoredRows,
  storeAnswer,
  storedAnswer,
  withinSight,
} from "./stored-answers.ts";

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
      const seen = await withinSight(data, (rows) =>
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
  return fingerprintOf(target, values, isList, conflict, minimal);
}
