import { randomBytes } from "node:crypto";
import { type Database, isUuid, schema } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { Settings } from "@rowhouse/settings";
import { and, asc, eq, sql } from "drizzle-orm";
import { type ReceiveOptions, receiveContent } from "../content/receive-content.ts";
import type { Storage } from "../storage/storage.ts";
import { discardUploads } from "./discard-uploads.ts";
import type { Upload, UploadInput } from "./upload.ts";
import {
  appendSegment,
  completeUpload,
  insertUpload,
  keepUpload,
  requireUploadRoom,
  uploadEnded,
} from "./write-upload.ts";

/** Interval in which a running upload shows that its process lives, in milliseconds. */
const keepMs = 300_000;

/**
 * Receives bytes as uploads. A complete upload becomes the content of a file when the data engine writes its id to the
 * field `content` of `system.files`.
 */
export interface FileUploads {
  /**
   * Receives bytes in one go.
   *
   * @returns the id of the complete upload
   * @throws AppError BODY_TOO_LARGE, STORAGE_LIMIT_EXCEEDED, UNSUPPORTED_MEDIA_TYPE, RATE_LIMIT_EXCEEDED,
   * SERVICE_UNAVAILABLE, and any error of `content`; nothing remains
   */
  receive(
    input: UploadInput,
    content: AsyncIterable<Uint8Array>,
    context: UploadContext,
  ): Promise<string>;
  /** Ends an upload and has its objects deleted. */
  discard(id: string, userId: string): Promise<void>;
  /** Begins a resumable upload. @throws AppError BODY_TOO_LARGE, STORAGE_LIMIT_EXCEEDED */
  begin(
    input: UploadInput & { readonly length: number; readonly metadata: object },
    context: UploadContext,
  ): Promise<Upload>;
  /** Checks the limits of an upload before it begins. @throws as `begin` */
  requireRoom(length: number, context: UploadContext): Promise<void>;
  /** Finds a resumable upload of a user, unless it has expired. */
  find(id: string, userId: string): Promise<Upload | undefined>;
  /**
   * Receives the next part of a resumable upload. If the part breaks off, what arrived of it stays.
   *
   * @returns the number of bytes received so far
   * @throws AppError CONFLICT if another request wrote at the same place, RATE_LIMIT_EXCEEDED, and any error of `content`
   */
  append(
    upload: Upload,
    content: AsyncIterable<Uint8Array>,
    context: UploadContext,
  ): Promise<number>;
  /**
   * Joins the parts of a resumable upload. An upload that is complete stays as it is.
   *
   * @throws AppError CONFLICT, STORAGE_LIMIT_EXCEEDED, UNSUPPORTED_MEDIA_TYPE, SERVICE_UNAVAILABLE
   */
  join(upload: Upload, context: UploadContext): Promise<void>;
}

/** Whose upload it is, and under which limits. */
export interface UploadContext {
  readonly userId: string;
  readonly settings: Settings;
  readonly signal?: AbortSignal | undefined;
}

/** Creates the uploads of one process. */
export function createFileUploads(database: Database, storage: Storage): FileUploads {
  const take = createUploadSlots();
  const slotOf = ({ userId, settings }: UploadContext) =>
    take(userId, settings["files.max_uploads_per_user"]);

  const store = async (
    upload: Upload,
    content: AsyncIterable<Uint8Array>,
    { settings, signal }: UploadContext,
  ): Promise<void> => {
    const options = { ...optionsOf(upload, settings), signal };
    const received = await receiveContent(storage, upload.storageKey, content, options);
    await completeUpload(database, upload, received, settings);
  };

  return {
    receive: async (input, content, context) => {
      const release = slotOf(context);
      try {
        const { userId, settings } = context;
        const upload = await insertUpload(database, { ...input, userId, metadata: null }, settings);
        // A failure to extend the life of the upload shows when it is completed.
        const timer = setInterval(
          () => void keepUpload(database, upload.id).catch(() => {}),
          keepMs,
        );
        try {
          await store(upload, content, context);
          return upload.id;
        } catch (error) {
          await discardUploads(database, "u.id = $1::uuid", [upload.id]).catch(() => {});
          throw error;
        } finally {
          clearInterval(timer);
        }
      } finally {
        release();
      }
    },
    discard: async (id, userId) => {
      const condition = "u.id = $1::uuid and u.user_id = $2::uuid";
      await discardUploads(database, condition, [id, userId]);
    },
    begin: (input, { userId, settings }) => insertUpload(database, { ...input, userId }, settings),
    requireRoom: (length, { userId, settings }) =>
      requireUploadRoom(database, { userId, length }, settings),
    find: (id, userId) => findUpload(database, id, userId),
    append: async (upload, content, context) => {
      const release = slotOf(context);
      try {
        return await storeSegments({ database, storage }, upload, content);
      } finally {
        release();
      }
    },
    join: async (upload, context) => {
      if (upload.state !== "RECEIVING") return;
      if (upload.received !== upload.length) throw uploadEnded();
      await store(upload, readSegments({ database, storage }, upload), context);
    },
  };
}

function optionsOf(
  { name, claimedType, isResumable, length }: Upload,
  settings: Settings,
): ReceiveOptions {
  // A resumable upload was within the limit when it began.
  const bytesBegun = isResumable ? (length ?? 0) : 0;
  return {
    ...{ name, claimedType },
    bytesMax: Math.max(settings["files.max_bytes"], bytesBegun),
    allowedTypes: settings["files.allowed_types"],
  };
}

/**
 * Limits the uploads of one user that this process receives at once.
 *
 * @returns takes a slot, and returns its release
 */
function createUploadSlots(): (userId: string, max: number) => () => void {
  const taken = new Map<string, number>();
  return (userId, max) => {
    const own = taken.get(userId) ?? 0;
    if (own >= max) {
      throw createError("RATE_LIMIT_EXCEEDED", {
        message: `At most ${max} uploads at once (files.max_uploads_per_user)`,
        headers: { "Retry-After": "5" },
      });
    }
    taken.set(userId, own + 1);
    return () => {
      const left = (taken.get(userId) ?? 1) - 1;
      if (left === 0) taken.delete(userId);
      else taken.set(userId, left);
    };
  };
}

const { uploads } = schema;

/** Finds a resumable upload of a user that has not expired; undefined if there is none. */
async function findUpload(
  { orm }: Database,
  id: string,
  userId: string,
): Promise<Upload | undefined> {
  if (!isUuid(id)) return undefined;
  const [row] = await orm
    .select()
    .from(uploads)
    .where(
      and(
        eq(uploads.id, id),
        eq(uploads.userId, userId),
        eq(uploads.isResumable, true),
        sql`${uploads.expiresAt} > now()`,
      ),
    );
  return row;
}

const { uploadSegments } = schema;

/** Size of a segment in bytes. One upload holds as much in memory. */
const segmentBytes = 8_388_608;

interface SegmentDependencies {
  readonly database: Database;
  readonly storage: Storage;
}

/**
 * Stores the next bytes of a resumable upload as objects of a bounded size. If `content` fails, the bytes that arrived
 * before are stored as well.
 *
 * @returns the number of bytes received so far
 * @throws AppError CONFLICT if another request wrote at the same place; the error of `content`
 */
async function storeSegments(
  { database, storage }: SegmentDependencies,
  upload: Upload,
  content: AsyncIterable<Uint8Array>,
): Promise<number> {
  let start = upload.received;
  let chunks: Uint8Array[] = [];
  let size = 0;
  const store = async () => {
    if (size === 0) return;
    const segment = { start, bytes: size, storageKey: createSegmentKey(upload.id, start) };
    const bytes = chunks;
    chunks = [];
    size = 0;
    await storage.put(segment.storageKey, fromChunks(bytes));
    if (!(await appendSegment(database, upload, segment))) {
      await storage.delete(segment.storageKey);
      throw uploadEnded();
    }
    start += segment.bytes;
  };
  try {
    for await (const chunk of content) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= segmentBytes) await store();
    }
  } catch (error) {
    await store();
    throw error;
  }
  await store();
  return start;
}

/** Yields the bytes of an upload in their order. */
async function* readSegments(
  { database, storage }: SegmentDependencies,
  { id }: Upload,
): AsyncGenerator<Uint8Array> {
  const segments = await database.orm
    .select({ storageKey: uploadSegments.storageKey, bytes: uploadSegments.bytes })
    .from(uploadSegments)
    .where(eq(uploadSegments.uploadId, id))
    .orderBy(asc(uploadSegments.start));
  for (const { storageKey, bytes } of segments) yield* await storage.get(storageKey, bytes);
}

async function* fromChunks(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

function createSegmentKey(uploadId: string, start: number): string {
  return `segments/${uploadId}/${start}-${randomBytes(8).toString("hex")}`;
}
