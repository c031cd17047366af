import { type Database, type Queryable, schema, type Transaction } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { Settings } from "@rowhouse/settings";
import { and, eq, sql } from "drizzle-orm";
import { type ReceivedContent, requireSize } from "../content/receive-content.ts";
import { createStorageKey } from "../storage/storage-key.ts";
import type { Upload, UploadInput } from "./upload.ts";

const { uploads, uploadSegments } = schema;

/** Lifetime of an upload in one request since the last sign of life of its process, in minutes. */
const lifetimeMinutes = 60;

/** How a new upload is stored. */
export interface NewUpload extends UploadInput {
  readonly userId: string;
  /** The fields of the row, of a resumable upload; null for an upload in one request. */
  readonly metadata: object | null;
}

/**
 * Writes the row of an upload before its object, so that no object exists without a row that names it.
 *
 * @throws AppError BODY_TOO_LARGE, STORAGE_LIMIT_EXCEEDED
 */
export async function insertUpload(
  database: Database,
  { userId, name, claimedType, length, metadata }: NewUpload,
  settings: Settings,
): Promise<Upload> {
  const isResumable = metadata !== null;
  const minutes = isResumable ? settings["files.upload_lifetime_hours"] * 60 : lifetimeMinutes;
  const size = { userId, length: length ?? 0 };
  return withRoom(database, size, settings, async (transaction) => {
    const [row] = await transaction.orm
      .insert(uploads)
      .values({
        ...{ userId, name, claimedType, length, isResumable },
        metadata: metadata ?? {},
        storageKey: createStorageKey(),
        expiresAt: expiry(minutes),
      })
      .returning();
    if (row === undefined) throw createError("INTERNAL_ERROR");
    return row;
  });
}

/** Keeps an upload in one request from expiring while its process lives. */
export async function keepUpload({ orm }: Transaction, id: string): Promise<void> {
  await orm
    .update(uploads)
    .set({ expiresAt: expiry(lifetimeMinutes) })
    .where(eq(uploads.id, id));
}

/**
 * Records the bytes of an upload, from then on complete. Segments become superfluous.
 *
 * @throws AppError STORAGE_LIMIT_EXCEEDED; CONFLICT if another request completed or ended the upload meanwhile
 */
export async function completeUpload(
  database: Database,
  { id, userId, length, received }: Upload,
  content: ReceivedContent,
  settings: Settings,
): Promise<void> {
  const { bytes, ...found } = content;
  await database.transaction(async (transaction) => {
    const counted = Math.max(length ?? 0, received);
    await requireRoom(transaction, userId, Math.max(bytes - counted, 0), settings, true);
    const done = await transaction.orm
      .update(uploads)
      .set({
        ...found,
        received: bytes,
        state: "COMPLETE",
        isScanned: settings["files.scan_url"] !== null,
      })
      .where(and(eq(uploads.id, id), eq(uploads.state, "RECEIVING")))
      .returning({ id: uploads.id });
    if (done.length === 0) throw uploadEnded();
    await removeSegments(transaction, id);
  });
}

async function removeSegments(queryable: Queryable, id: string): Promise<void> {
  await queryable.query(
    `with gone as (delete from system.upload_segments where upload_id = $1::uuid returning storage_key)
     insert into system.object_removals (storage_key, due_at) select storage_key, now() from gone on conflict do nothing`,
    [id],
  );
}

/**
 * Records a received part of a resumable upload.
 *
 * @returns whether the upload was still at `start`; otherwise another request was faster
 */
export async function appendSegment(
  database: Database,
  { id }: Upload,
  segment: { readonly start: number; readonly bytes: number; readonly storageKey: string },
): Promise<boolean> {
  return database.transaction(async ({ orm }) => {
    const { start, bytes, storageKey } = segment;
    const moved = await orm
      .update(uploads)
      .set({ received: start + bytes })
      .where(and(eq(uploads.id, id), eq(uploads.received, start), eq(uploads.state, "RECEIVING")))
      .returning({ id: uploads.id });
    if (moved.length === 0) return false;
    await orm.insert(uploadSegments).values({ uploadId: id, start, bytes, storageKey });
    return true;
  });
}

export function uploadEnded() {
  return createError("CONFLICT", {
    message: "Another request has completed or ended this upload",
  });
}

function expiry(minutes: number) {
  return sql`now() + make_interval(mins => ${minutes})`;
}

/**
 * Checks whether an upload of a length could begin now.
 *
 * @throws as `insertUpload`
 */
export async function requireUploadRoom(
  database: Database,
  size: UploadSize,
  settings: Settings,
): Promise<void> {
  await withRoom(database, size, settings, async () => {});
}

interface UploadSize {
  readonly userId: string;
  /** In bytes. */
  readonly length: number;
}

/** Runs `work` in a transaction that has checked the limits of an upload. */
async function withRoom<Result>(
  database: Database,
  { userId, length }: UploadSize,
  settings: Settings,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  requireSize(length, settings["files.max_bytes"]);
  return database.transaction(async (transaction) => {
    await requireFewUploads(transaction, userId);
    await requireRoom(transaction, userId, length, settings);
    return work(transaction);
  });
}

/** The limit of open uploads of one user: each is a row, also without a byte. */
const openUploadsMax = 1000;

/** @throws AppError STORAGE_LIMIT_EXCEEDED */
async function requireFewUploads(transaction: Queryable, userId: string): Promise<void> {
  const [row] = await transaction.query<{ count: number }>(
    `select pg_catalog.count(*)::integer as count from system.uploads u
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
 * @param isReserved whether the upload has begun within the limits
 * @throws AppError STORAGE_LIMIT_EXCEEDED
 */
async function requireRoom(
  transaction: Queryable,
  userId: string,
  added: number,
  settings: Settings,
  isReserved = false,
): Promise<void> {
  const perUser = settings["files.max_bytes_per_user"];
  const total = settings["files.max_bytes_total"];
  if (perUser === 0 && total === 0) return;
  // Its room was reserved at its creation, whatever the limits are by now.
  if (isReserved && added === 0) return;
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
