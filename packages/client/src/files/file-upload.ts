import { RowhouseError } from "../errors/rowhouse-error.ts";
import type { CallOptions } from "../request/client-options.ts";
import { pause as delay, repeatDelay } from "../request/repeat.ts";
import type { Transport } from "../request/transport.ts";
import { chunkBytes, nextChunkBytes } from "./chunk-size.ts";
import { type FileValues, writeMetadata } from "./metadata.ts";
import { UploadRequests } from "./upload-requests.ts";

/** The file that an upload has created, or given a new version. */
export type UploadedFile = { readonly id: string };

/** Options of every upload. Its signal cancels it, and the service deletes the bytes received so far. */
export type UploadOptions = CallOptions & {
  /** Receives the bytes that the service has stored, after each chunk. */
  readonly onProgress?: (bytes: number, total: number) => void;
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
   * The file, once it is complete. Rejects with a `RowhouseError`, or with the reason of the signal; after a lost
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
    this.result = this.#run().finally(() => signal?.removeEventListener("abort", stop));
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
    this.#options.onProgress?.(offset, this.#content.size);
    return fileId;
  }

  async #whileUnpaused(): Promise<void> {
    this.#options.signal?.throwIfAborted();
    if (!this.isPaused) return;
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
      this.#options.signal?.addEventListener("abort", () => resolve(), { once: true });
    });
    this.#options.signal?.throwIfAborted();
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
