import { createHash } from "node:crypto";
import { createError } from "@rowhouse/errors";
import { idempotencyKeyForm, malformedIdempotencyKey, writeExactJson } from "@rowhouse/wire";
import { deletePiecewise } from "./delete-piecewise.ts";
import type { Queryable } from "./queryable.ts";

/** A request with an `Idempotency-Key`, and a digest that a repetition of it must have as well. */
export interface KeyedRequest {
  readonly key: string;
  readonly fingerprint: string;
}

/** A table of keys, each with the fingerprint of the first request that used it. */
interface KeyTable {
  readonly name: string;
  /** The columns of its primary key, with their types. */
  readonly key: Readonly<Record<string, "uuid" | "text">>;
}

/** The keys of writes, with the responses. */
const writeKeys: KeyTable = {
  name: "system.idempotency_keys",
  key: { user_id: "uuid", key: "text" },
};

/** The keys of webhook calls, with the runs. */
export const callKeys: KeyTable = {
  name: "system.webhook_calls",
  key: { workflow_id: "uuid", caller: "text", key: "text" },
};

/** How long a key is stored. */
const lifetime = "24 hours";
/** A condition on the columns of a table of keys. */
export const isExpiredKey = `created_at < system.clock() - interval '${lifetime}'`;
/** Expired keys that one request deletes; each request adds one. */
const purgedAtOnce = 5;

/**
 * Checks a header `Idempotency-Key`; null for none.
 *
 * @throws AppError QUERY_INVALID for a key that is empty, too long or not printable
 */
export function parseIdempotencyKey(header: string | null): string | null {
  if (header === null || idempotencyKeyForm.test(header)) return header;
  throw createError("QUERY_INVALID", { path: "Idempotency-Key", message: malformedIdempotencyKey });
}

/** Returns a digest of the parts of a request, and of its body as bytes if the parts do not contain it. */
export function requestFingerprintOf(
  parts: readonly unknown[],
  body: Uint8Array = new Uint8Array(),
): string {
  return createHash("sha256").update(writeExactJson(parts)).update(body).digest("hex");
}

/**
 * Requires that a request repeats the first one with its key.
 *
 * @param first the fingerprint of the first request
 * @throws AppError IDEMPOTENCY_CONFLICT
 */
export function requireRepetition(first: string | undefined, request: KeyedRequest): void {
  if (first !== request.fingerprint) throw createError("IDEMPOTENCY_CONFLICT");
}

/**
 * Deletes the key of a request if it has expired, and a few more.
 *
 * @param values the primary key
 */
export async function releaseExpiredKey(
  database: Queryable,
  { name, key }: KeyTable,
  values: readonly string[],
): Promise<void> {
  const columns = Object.keys(key).join(", ");
  const isOwn = Object.entries(key).map(
    ([column, type], index) => `${column} = $${index + 1}::text::${type}`,
  );
  await database.query(
    `delete from ${name} where (${columns}) in (
       select ${columns} from ${name} where ${isExpiredKey}
       order by created_at limit ${purgedAtOnce} for update skip locked)
     or (${isOwn.join(" and ")} and ${isExpiredKey})`,
    values,
  );
}

/** Deletes all expired keys, also if no further request has a key. */
export async function purgeIdempotencyKeys(database: Queryable): Promise<void> {
  for (const { name, key } of [writeKeys, callKeys]) {
    const columns = Object.keys(key).join(", ");
    await deletePiecewise(database, { table: name, key: columns, where: isExpiredKey });
  }
}
