import type { Readable } from "node:stream";
import { createError } from "@rowhouse/errors";
import type { Upload, UploadContext } from "@rowhouse/files";
import { DataStore, Upload as TusUpload } from "@tus/server";
import type { FileApi } from "./file-api.ts";

/**
 * The resumable uploads of one caller, for the protocol tus. Uploads of other users do not exist for the caller.
 */
export class TusStore extends DataStore {
  override extensions = ["creation", "creation-with-upload", "termination", "expiration"];
  readonly #uploads: FileApi["uploads"];
  readonly #context: UploadContext;

  constructor({ uploads }: Pick<FileApi, "uploads">, context: UploadContext) {
    super();
    this.#uploads = uploads;
    this.#context = context;
  }

  override async create(file: TusUpload): Promise<TusUpload> {
    const { filename, filetype, fields: metadata } = readMetadata(file.metadata);
    // The route has refused both.
    if (file.size === undefined || filename == null) throw createError("BODY_INVALID");
    const begun = await this.#uploads.begin(
      { name: filename, claimedType: filetype ?? null, length: file.size, metadata },
      this.#context,
    );
    file.id = begun.id;
    file.creation_date = begun.createdAt;
    return file;
  }

  override async getUpload(id: string): Promise<TusUpload> {
    const upload = await this.require(id);
    return new TusUpload({
      id,
      offset: upload.received,
      creation_date: upload.createdAt,
      ...(upload.length === null ? {} : { size: upload.length }),
    });
  }

  override async write(content: Readable, id: string): Promise<number> {
    const upload = await this.require(id);
    const stallMs = this.#context.settings["files.upload_stall_ms"];
    return this.#uploads.append(upload, endStalled(content, stallMs), this.#context);
  }

  override async remove(id: string): Promise<void> {
    await this.require(id);
    await this.#uploads.discard(id, this.#context.userId);
  }

  override getExpiration(): number {
    return this.#context.settings["files.upload_lifetime_hours"] * 3_600_000;
  }

  /** @throws AppError NOT_FOUND */
  async require(id: string): Promise<Upload> {
    const upload = await this.#uploads.find(id, this.#context.userId);
    if (upload === undefined) throw createError("NOT_FOUND");
    return upload;
  }
}

/**
 * Separates the fields of the row from what describes the bytes. Uppy also sends the name and the type under other names, and the
 * path in a folder.
 */
export function readMetadata(metadata: TusUpload["metadata"]): {
  readonly filename: string | null | undefined;
  readonly filetype: string | null | undefined;
  readonly fields: Record<string, string | null>;
} {
  const { filename, filetype, name, type, relativePath: _, ...fields } = metadata ?? {};
  return { filename: filename ?? name, filetype: filetype ?? type, fields };
}

/** Yields the chunks of a stream, and fails if none arrives for `stallMs` milliseconds. */
async function* endStalled(content: Readable, stallMs: number): AsyncGenerator<Uint8Array> {
  const timer = setTimeout(() => {
    const message = `The body stalled for ${stallMs} ms (files.upload_stall_ms)`;
    content.destroy(createError("BODY_INVALID", { message }));
  }, stallMs);
  try {
    for await (const chunk of content as AsyncIterable<Uint8Array>) {
      timer.refresh();
      yield chunk;
    }
  } finally {
    clearTimeout(timer);
  }
}
