import {
  busy,
  isExpiredKey,
  type KeyedRequest,
  type Queryable,
  requireRepetition,
} from "@rowhouse/db";
import { UserSemaphore } from "@rowhouse/limits";
import type { DataAnswer } from "../render/render-response.ts";
import type { AnsweredRow } from "./sight-of-rows.ts";

/** A write with an `Idempotency-Key`. */
export interface KeyedWrite extends KeyedRequest {
  readonly userId: string;
}

/**
 * Limits the transactions of several statements, because each may briefly need a second connection to explain an
 * error. If they held every connection of the pool, all would wait for each other.
 */
export const longTransactions = new UserSemaphore({
  permits: 4,
  perUser: 2,
  waitingMax: 1000,
  waitMs: 10_000,
  busy,
});

/**
 * Writes the key of a request; false if an earlier request has it. Waits while that request is in progress. An expired key
 * is replaced, because the login that writes rows may delete none.
 */
export async function claimKey(
  transaction: Queryable,
  { userId, key, fingerprint }: KeyedWrite,
): Promise<boolean> {
  const claimed = await transaction.query(
    `insert into system.idempotency_keys as k (user_id, key, fingerprint, created_at)
     values ($1::text::uuid, $2::text, $3::text, system.clock())
     on conflict (user_id, key) do update
       set fingerprint = excluded.fingerprint, created_at = excluded.created_at, status = null, body = null
       where k.${isExpiredKey}
     returning 1 as claimed`,
    [userId, key, fingerprint],
    { prepare: true },
  );
  return claimed.length > 0;
}

/** Stores the response of the request that has claimed the key. */
export async function storeAnswer(
  transaction: Queryable,
  { userId, key }: KeyedWrite,
  { status, body }: Pick<DataAnswer, "status" | "body">,
): Promise<void> {
  await transaction.query(
    "update system.idempotency_keys set status = $3::text::smallint, body = $4::text where user_id = $1::text::uuid and key = $2::text",
    [userId, key, String(status), body],
  );
}

/**
 * Returns the stored response of an earlier request. The caller may no longer see all of it.
 *
 * @throws AppError IDEMPOTENCY_CONFLICT if that was another request
 */
export async function storedAnswer(transaction: Queryable, write: KeyedWrite): Promise<DataAnswer> {
  const [first] = await transaction.query<{
    fingerprint: string;
    status: number | null;
    body: string | null;
  }>(
    "select fingerprint, status, body from system.idempotency_keys where user_id = $1::text::uuid and key = $2::text",
    [write.userId, write.key],
  );
  requireRepetition(first?.fingerprint, write);
  if (first?.status == null) throw new TypeError("A stored key has no response");
  const status = first.status === 200 || first.status === 201 ? first.status : 204;
  return { status, body: first.body, data: null, headers: { "Idempotency-Replayed": "true" } };
}

/** The rows in a stored response: one, or a list. */
export type StoredRows = AnsweredRow | readonly AnsweredRow[];

/**
 * Removes the values that the caller may no longer see.
 *
 * @returns the same object if nothing was removed
 */
export async function removeHidden(
  data: StoredRows,
  sightOf: (rows: readonly AnsweredRow[]) => Promise<readonly ReadonlySet<string>[]>,
): Promise<StoredRows> {
  const rows: readonly AnsweredRow[] = isList(data) ? data : [data];
  const sight = await sightOf(rows);
  const isSeen = (row: number, name: string): boolean => sight[row]?.has(name) === true;
  if (rows.every((row, at) => Object.keys(row).every((name) => isSeen(at, name)))) return data;
  const seen = rows.map((row, at) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => isSeen(at, name))),
  );
  return isList(data) ? seen : (seen[0] ?? {});
}

function isList(data: StoredRows): data is readonly AnsweredRow[] {
  return Array.isArray(data);
}
