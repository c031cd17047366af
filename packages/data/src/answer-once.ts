import { createHash } from "node:crypto";
import type { Caller } from "@rowhouse/access";
import {
  type Database,
  deletePiecewise,
  type Queryable,
  readPostgresFailure,
  toAppError,
  UserSemaphore,
} from "@rowhouse/db";
import { type AppError, createError } from "@rowhouse/errors";
import { parseExactJson, writeExactJson } from "@rowhouse/json";
import type { AnsweredRow } from "./execute/sight-of-rows.ts";
import type { CreateRequest } from "./parse/request.ts";
import type { DataEngine } from "./pipeline.ts";
import type { DataAnswer } from "./render/render-response.ts";

/** How long a key is remembered. */
const lifetime = "24 hours";
/** Old keys that one request clears away; each request adds one. */
const purgedAtOnce = 5;

/**
 * Answers a create that carries an `Idempotency-Key`: the first time as ever, and for a day after that with the very
 * same answer, without creating anything. Key and rows are written in one transaction, so there is never one without
 * the other; a second request that comes while the first is under way waits for it. An answer that is an error is not
 * remembered. Of the first answer's values those are given again that the caller may see at this moment.
 *
 * @throws AppError IDEMPOTENCY_CONFLICT where the key came with another request before, and whatever the engine throws
 */
export async function answerOnce(
  database: Database,
  engine: DataEngine,
  request: CreateRequest,
  caller: Caller,
  key: string,
): Promise<DataAnswer> {
  // Proves the credential and the right to create at this moment, for a repeated answer as well.
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

/** Whether a transaction was undone for what others did meanwhile: to a row, or to the table itself. */
function isLost({ code, cause }: AppError): boolean {
  const state = readPostgresFailure(cause)?.code ?? "";
  return code === "SERVICE_UNAVAILABLE" && /^(?:0A|40|42)/.test(state);
}

/** Deletes the keys that are remembered no more, and the answers with them, though no request comes with another key. */
export async function forgetAnswers(database: Database): Promise<void> {
  await deletePiecewise(database, {
    table: "system.idempotency_keys",
    key: "user_id, key",
    where: `created_at < now() - interval '${lifetime}'`,
  });
}

/**
 * Such a transaction may need a second connection for a moment, to tell an error. If every connection of the pool were
 * in one, all would wait for one another.
 */
const transactions = new UserSemaphore({
  permits: 4,
  perUser: 2,
  waitingMax: 1000,
  waitMs: 10_000,
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

/** An answer without the values that its caller has lost the sight of since. */
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
