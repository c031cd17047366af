import { createHash } from "node:crypto";
import type { Caller } from "@rowhouse/access";
import { UserSemaphore } from "@rowhouse/concurrency";
import {
  busy,
  type Database,
  deletePiecewise,
  type Queryable,
  readPostgresFailure,
  toAppError,
} from "@rowhouse/db";
import { type AppError, createError } from "@rowhouse/errors";
import { parseExactJson, writeExactJson } from "@rowhouse/json";
import type { AnsweredRow } from "./execute/sight-of-rows.ts";
import type { CreateRequest } from "./parse/request.ts";
import type { DataEngine } from "./pipeline.ts";
import type { DataAnswer } from "./render/render-response.ts";

/** How long a key and its response are stored. */
const lifetime = "24 hours";
/** Number of expired keys that one request deletes; each request adds one key. */
const purgedAtOnce = 5;

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
  const fingerprint = fingerprintOf(request);
  const work = async (transaction: Queryable): Promise<DataAnswer> => {
    if (!(await claim(transaction, userId, key, fingerprint))) {
      const first = await repeat(transaction, userId, key, fingerprint);
      return withinSight(first, (rows) => engine.sightOfRows(request, rows, caller, transaction));
    }
    const answer = await engine.answer(request, caller, transaction);
    await transaction.query(
      "update system.idempotency_keys set status = $3::text::smallint, body = $4::text where user_id = $1::text::uuid and key = $2::text",
      [userId, key, String(answer.status), answer.body],
    );
    return answer;
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transactions.within(userId, () => database.transaction(work));
    } catch (error) {
      const known = toAppError(error);
      if (attempt === attemptsMax || !isLost(known)) throw known;
    }
  }
}

const attemptsMax = 8;

/** Whether concurrent changes of a row or of the table caused the rollback, so that a repetition can succeed. */
function isLost({ code, cause }: AppError): boolean {
  const state = readPostgresFailure(cause)?.code ?? "";
  return code === "SERVICE_UNAVAILABLE" && /^(?:0A|40|42)/.test(state);
}

/** Deletes expired keys with their responses, also if no further request has a key. */
export async function forgetAnswers(database: Database): Promise<void> {
  await deletePiecewise(database, {
    table: "system.idempotency_keys",
    key: "user_id, key",
    where: `created_at < now() - interval '${lifetime}'`,
  });
}

/**
 * Limits these transactions, because each may briefly need a second connection to explain an error. If they held every
 * connection of the pool, all would wait for each other.
 */
const transactions = new UserSemaphore({
  permits: 4,
  perUser: 2,
  waitingMax: 1000,
  waitMs: 10_000,
  busy,
});

async function claim(
  transaction: Queryable,
  userId: string,
  key: string,
  fingerprint: string,
): Promise<boolean> {
  await transaction.query(
    `delete from system.idempotency_keys where (user_id, key) in (
       select user_id, key from system.idempotency_keys where created_at < now() - interval '${lifetime}'
       order by created_at limit ${purgedAtOnce} for update skip locked)
     or (user_id = $1::text::uuid and key = $2::text and created_at < now() - interval '${lifetime}')`,
    [userId, key],
    { prepare: true },
  );
  const claimed = await transaction.query(
    `insert into system.idempotency_keys (user_id, key, fingerprint) values ($1::text::uuid, $2::text, $3::text)
     on conflict do nothing returning 1 as claimed`,
    [userId, key, fingerprint],
    { prepare: true },
  );
  return claimed.length > 0;
}

async function repeat(
  transaction: Queryable,
  userId: string,
  key: string,
  fingerprint: string,
): Promise<DataAnswer> {
  const [first] = await transaction.query<{
    fingerprint: string;
    status: number | null;
    body: string | null;
  }>(
    "select fingerprint, status, body from system.idempotency_keys where user_id = $1::text::uuid and key = $2::text",
    [userId, key],
  );
  if (first?.status == null || first.fingerprint !== fingerprint) {
    throw createError("IDEMPOTENCY_CONFLICT");
  }
  const status = first.status === 201 ? 201 : 204;
  return { status, body: first.body, data: null, headers: { "Idempotency-Replayed": "true" } };
}

/** Removes the values that the caller may no longer see from a stored response. */
async function withinSight(
  answer: DataAnswer,
  sightOf: (rows: readonly AnsweredRow[]) => Promise<readonly ReadonlySet<string>[]>,
): Promise<DataAnswer> {
  if (answer.body === null) return answer;
  const { data } = parseExactJson(answer.body) as { data: AnsweredRow | readonly AnsweredRow[] };
  const rows: readonly AnsweredRow[] = isList(data) ? data : [data];
  const sight = await sightOf(rows);
  const isSeen = (row: number, name: string): boolean => sight[row]?.has(name) === true;
  if (rows.every((row, at) => Object.keys(row).every((name) => isSeen(at, name)))) return answer;
  const seen = rows.map((row, at) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => isSeen(at, name))),
  );
  return { ...answer, body: writeExactJson({ data: isList(data) ? seen : seen[0] }) };
}

function isList(data: AnsweredRow | readonly AnsweredRow[]): data is readonly AnsweredRow[] {
  return Array.isArray(data);
}

function fingerprintOf({ target, rows, isList, conflict, minimal }: CreateRequest): string {
  const values = rows.map((row) => Object.fromEntries(row));
  const request = writeExactJson([target, values, isList, conflict, minimal]);
  return createHash("sha256").update(request).digest("hex");
}
