import type { Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { Settings } from "@rowhouse/settings";

/** The limit of open uploads of one user: each is a row, also without a byte. */
const openUploadsMax = 1000;

/** @throws AppError STORAGE_LIMIT_EXCEEDED */
export async function requireFewUploads(transaction: Queryable, userId: string): Promise<void> {
  const [row] = await transaction.query<{ count: number }>(
    `select count(*)::integer as count from system.uploads u
     where u.user_id = $1::uuid and u.state <> 'ATTACHED' and u.expires_at > now()`,
    [userId],
  );
  if ((row?.count ?? 0) < openUploadsMax) return;
  throw limitExceeded(
    `A user has at most ${openUploadsMax} open uploads. End some, or wait until they expire`,
  );
}

/**
 * Checks the limits of stored bytes. Uploads count with the bytes that they declared or received. A lock serializes
 * the checks, so that several uploads at once do not exceed a limit together; it ends with the transaction.
 *
 * @param added further bytes
 * @throws AppError STORAGE_LIMIT_EXCEEDED
 */
export async function requireRoom(
  transaction: Queryable,
  userId: string,
  added: number,
  settings: Settings,
): Promise<void> {
  const perUser = settings["files.max_bytes_per_user"];
  const total = settings["files.max_bytes_total"];
  if (perUser === 0 && total === 0) return;
  await transaction.query("select pg_advisory_xact_lock(hashtext('system.files'))");
  if (perUser > 0 && (await storedBytes(transaction, userId)) + added > perUser) {
    throw limitExceeded(`A user stores at most ${perUser} bytes (files.max_bytes_per_user)`);
  }
  if (total > 0 && (await storedBytes(transaction, null)) + added > total) {
    throw limitExceeded("The installation has no room for this file (files.max_bytes_total)");
  }
}

async function storedBytes(transaction: Queryable, userId: string | null): Promise<number> {
  const [row] = await transaction.query<{ bytes: string }>(
    `select ((select coalesce(sum(f.bytes), 0) from system.files f
              where $1::text is null or f.uploaded_by = $1::text::uuid)
           + (select coalesce(sum(greatest(u.length, u.received)), 0) from system.uploads u
              where u.state <> 'ATTACHED' and ($1::text is null or u.user_id = $1::text::uuid)))::text as bytes`,
    [userId],
  );
  return Number(row?.bytes ?? 0);
}

function limitExceeded(message: string) {
  return createError("STORAGE_LIMIT_EXCEEDED", { message });
}
