import type { Database } from "@rowhouse/db";
import type { Settings } from "@rowhouse/settings";
import { type ReceiveOptions, receiveContent } from "../content/receive-content.ts";
import type { Storage } from "../storage/storage.ts";
import { discardUploads } from "./discard-uploads.ts";
import { findUpload } from "./find-upload.ts";
import { readSegments, storeSegments } from "./segments.ts";
import type { Upload, UploadInput } from "./upload.ts";
import { createUploadSlots } from "./upload-slots.ts";
import { completeUpload, insertUpload, keepUpload, uploadEnded } from "./write-upload.ts";

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

function optionsOf({ name, claimedType }: Upload, settings: Settings): ReceiveOptions {
  return {
    ...{ name, claimedType },
    bytesMax: settings["files.max_bytes"],
    allowedTypes: settings["files.allowed_types"],
  };
}
