import { RowhouseError } from "../errors/rowhouse-error.ts";
import type { CallOptions } from "../request/client-options.ts";
import { encodeSegment } from "../request/query.ts";
import { pause as delay, repeatDelay, unlessAborted } from "../request/repeat.ts";
import { type Answer, clientError, type Outgoing, type Transport } from "../request/transport.ts";
import { type FileValues, writeMetadata } from "./metadata.ts";

/** What the service has of an upload. */
export type UploadState = {
  /** Bytes that are stored. */
  readonly offset: number;
  /** The file, once the upload is complete. */
  readonly fileId: string | undefined;
};

const base = "/api/files/uploads";

/** The requests of tus 1.0. */
class UploadRequests {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Begins an upload. It has no signal: one that the service has begun could not be deleted without its id. */
  async create(
    length: number,
    metadata: string,
  ): Promise<UploadState & { readonly uploadId: string }> {
    const headers = { "Upload-Length": String(length), "Upload-Metadata": metadata };
    // A second one after a lost response leaves an empty upload behind, which expires.
    const request = this.#request("POST", base, headers, undefined, "ALWAYS");
    const answer = await this.#transport.json(request);
    // Only the last segment is used, so that no credential follows a header to another place.
    const [, uploadId] = /\/([\w-]+)$/.exec(answer.headers.get("location") ?? "") ?? [];
    if (uploadId === undefined) throw invalid(request, answer);
    return { uploadId, offset: 0, fileId: fileIdOf(answer) };
  }

  /** Returns what the service has of an upload. */
  async find(uploadId: string, signal: AbortSignal): Promise<UploadState> {
    const request = this.#request("HEAD", pathOf(uploadId), {}, signal, "UNLESS_EXECUTED");
    return stateOf(request, await this.#transport.json(request));
  }

  /** Sends bytes from an offset on. */
  async append(
    uploadId: string,
    offset: number,
    chunk: Blob,
    signal: AbortSignal,
  ): Promise<UploadState> {
    const headers = { "Upload-Offset": String(offset) };
    const request: Outgoing = {
      ...this.#request("PATCH", pathOf(uploadId), headers, signal, "UNLESS_EXECUTED"),
      file: { type: "application/offset+octet-stream", content: chunk },
    };
    const answer = await this.#transport.json(request);
    const state = stateOf(request, answer);
    // Another request would have the same result.
    if (state.fileId === undefined && state.offset <= offset) throw invalid(request, answer);
    return state;
  }

  /** Deletes an upload, if it was begun. It expires even if the request fails. */
  async remove(uploadId: string | undefined): Promise<void> {
    if (uploadId === undefined) return;
    const request = this.#request("DELETE", pathOf(uploadId), {}, undefined, "ALWAYS");
    await this.#transport.json(request).catch(() => {});
  }

  #request(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
    repeatable: Outgoing["repeatable"],
  ): Outgoing {
    return { method, path, headers: { "Tus-Resumable": "1.0.0", ...headers }, signal, repeatable };
  }
}

function pathOf(uploadId: string): string {
  return `${base}/${encodeSegment(uploadId)}`;
}

function stateOf(request: Outgoing, answer: Answer): UploadState {
  const offset = answer.headers.get("upload-offset") ?? "";
  if (!/^\d{1,15}$/.test(offset)) throw invalid(request, answer);
  return { offset: Number(offset), fileId: fileIdOf(answer) };
}

function fileIdOf({ headers }: Answer): string | undefined {
  return headers.get("rowhouse-file") ?? undefined;
}

function invalid(request: Outgoing, { status }: Answer): Error {
  return clientError(request, status, "RESPONSE_INVALID", "The response is not one of an upload");
}

const mebibyte = 1024 * 1024;

/** Bytes of the first chunk, and the bounds of the others. A chunk is one request, and at most that much is sent twice. */
const chunkBytes = { first: mebibyte, min: mebibyte / 4, max: 16 * mebibyte } as const;

/** A chunk should take about a second, so that progress is visible and a lost connection costs little. */
const fastMs = 500;
const slowMs = 2000;

/** Returns the size of the chunk after one of `bytes` that took `elapsedMs`. */
function nextChunkBytes(bytes: number, elapsedMs: number): number {
  if (elapsedMs < fastMs) return Math.min(chunkBytes.max, bytes * 2);
  return elapsedMs > slowMs ? Math.max(chunkBytes.min, bytes / 2) : bytes;
}

/** The file that an upload has created, or given a new version. */
export type UploadedFile = { readonly id: string };

/** Options of every upload. Its signal cancels it, and the service deletes the bytes received so far. */
export type UploadOptions = CallOptions & {
  /** Receives the bytes that the service has stored, after each chunk. */
  readonly onProgress?: ((bytes: number, total: number) => void) | undefined;
  /** The `uploadId` of an earlier upload of the same bytes, which continues. */
  readonly uploadId?: string | undefined;
};

/** Failures in a row, without a byte stored between them, after which an upload fails. */
const failuresMax = 5;
const retryAfterMaxSeconds = 60;

/** Aborts the request that runs when an upload is paused. */
const paused = new Error("The upload is paused");

/** An upload in chunks. After a lost connection it continues with the first byte that the service has not stored. */
export class FileUpload {
  /**
   * The file, once it is complete. Rejects with a `RowhouseError`, or at once with the reason of the signal; after a lost
   * connection, an upload with `uploadId` continues this one.
   */
  readonly result: Promise<UploadedFile>;
  readonly #requests: UploadRequests;
  readonly #content: Blob;
  readonly #metadata: string;
  readonly #options: UploadOptions;
  #uploadId: string | undefined;
  /** Undefined while only the service knows it. */
  #offset: number | undefined;
  /** The most bytes that the service has reported. */
  #stored = 0;
  #chunk: number = chunkBytes.first;
  #abort = new AbortController();
  #resume: (() => void) | undefined;

  /** @throws TypeError for a name of a value that a header cannot contain */
  constructor(
    transport: Transport,
    content: Blob,
    metadata: FileValues,
    options: UploadOptions = {},
  ) {
    this.#requests = new UploadRequests(transport);
    this.#content = content;
    this.#metadata = writeMetadata(metadata);
    this.#options = options;
    this.#uploadId = options.uploadId;
    const { signal } = options;
    const stop = () => this.#abort.abort(signal?.reason);
    signal?.addEventListener("abort", stop);
    const run = this.#run().finally(() => signal?.removeEventListener("abort", stop));
    // After a cancellation the upload still tells the service to forget it.
    this.result = unlessAborted(run, signal);
    // It may fail before its owner awaits it.
    this.result.catch(() => {});
  }

  /** Identifies the upload at the service; undefined until it has begun there. */
  get uploadId(): string | undefined {
    return this.#uploadId;
  }

  get isPaused(): boolean {
    return this.#resume !== undefined;
  }

  /** Stops sending. The service keeps the stored bytes until the upload expires. */
  pause(): void {
    if (this.isPaused) return;
    this.#resume = () => {};
    this.#abort.abort(paused);
  }

  /** Continues a paused upload. */
  resume(): void {
    const resume = this.#resume;
    if (resume === undefined) return;
    this.#resume = undefined;
    this.#abort = new AbortController();
    resume();
  }

  async #run(): Promise<UploadedFile> {
    let conflict: unknown;
    for (let failures = 0; ; ) {
      try {
        await this.#whileUnpaused();
        const before = this.#stored;
        const id = await this.#step();
        if (id !== undefined) return { id };
        conflict = undefined;
        if (this.#stored > before) failures = 0;
      } catch (error) {
        if (this.#options.signal?.aborted === true) {
          await this.#requests.remove(this.#uploadId);
          throw this.#options.signal.reason;
        }
        this.#offset = undefined;
        if (error === paused) continue;
        // Only the service knows whether the bytes were refused, or stored by a request whose response was lost. Its
        // answer to that has no message, so the first error remains the one to report.
        if (conflict !== undefined) throw conflict;
        failures += 1;
        if (isConflict(error) && failures <= failuresMax) conflict = error;
        else await this.#waitAfter(error, failures);
      }
    }
  }

  /** Sends one request; returns the id of the file once it is complete. */
  async #step(): Promise<string | undefined> {
    const { signal } = this.#abort;
    const { size } = this.#content;
    if (this.#uploadId === undefined) {
      const begun = await this.#requests.create(size, this.#metadata);
      this.#uploadId = begun.uploadId;
      return this.#take(begun);
    }
    if (this.#offset === undefined) {
      return this.#take(await this.#requests.find(this.#uploadId, signal));
    }
    const chunk = this.#content.slice(this.#offset, this.#offset + this.#chunk);
    const begin = performance.now();
    const sent = await this.#requests.append(this.#uploadId, this.#offset, chunk, signal);
    if (chunk.size === this.#chunk) {
      this.#chunk = nextChunkBytes(this.#chunk, performance.now() - begin);
    }
    return this.#take(sent);
  }

  #take({ offset, fileId }: { readonly offset: number; readonly fileId: string | undefined }) {
    this.#offset = offset;
    this.#stored = Math.max(this.#stored, offset);
    const { signal, onProgress } = this.#options;
    if (signal?.aborted !== true) onProgress?.(offset, this.#content.size);
    return fileId;
  }

  async #whileUnpaused(): Promise<void> {
    const { signal } = this.#options;
    signal?.throwIfAborted();
    if (!this.isPaused) return;
    const resumed = new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
    await unlessAborted(resumed, signal);
  }

  /** Waits until the upload may continue. @throws the error, if it does not pass or has not passed for long */
  async #waitAfter(error: unknown, failures: number): Promise<void> {
    if (!(error instanceof RowhouseError)) throw error;
    const rule = { repeatable: "ALWAYS", repeats: failuresMax, retryAfterMaxSeconds } as const;
    const ms = repeatDelay(error, { ...rule, sent: failures });
    if (ms === undefined) throw error;
    // A pause and a cancellation end it early.
    await delay(ms, this.#abort.signal).catch(() => {});
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof RowhouseError && error.status === 409;
}
