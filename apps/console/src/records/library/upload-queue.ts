import { type FileUpload, RowhouseError, type UploadOptions } from "@rowhouse/client";

/** The state of one upload. */
export interface UploadTask {
  readonly id: number;
  readonly name: string;
  readonly total: number;
  readonly sent: number;
  readonly state: "WAITING" | "RUNNING" | "PAUSED" | "FAILED" | "DONE";
  readonly error: unknown;
}

/** Begins an upload at the service. */
export type StartUpload = (
  options: Required<Pick<UploadOptions, "onProgress" | "signal">> & Pick<UploadOptions, "uploadId">,
) => FileUpload;

interface Job {
  readonly start: StartUpload;
  readonly abort: AbortController;
  /** The id of the file; null if it was not uploaded. */
  readonly settle: (fileId: string | null) => void;
  upload: FileUpload | undefined;
  /** Of a failed upload, which continues there. */
  uploadId: string | undefined;
}

/** Uploads that run at the same time; the service limits those of one person. */
const runningMax = 3;

/** Uploads in the order in which they were added. */
export class UploadQueue {
  #tasks: readonly UploadTask[] = [];
  #last = 0;
  readonly #jobs = new Map<number, Job>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly all = (): readonly UploadTask[] => this.#tasks;

  /** Adds an upload. The result has the id of the file, or null once the upload is canceled or dismissed. */
  add(
    name: string,
    total: number,
    start: StartUpload,
  ): { readonly id: number; readonly result: Promise<string | null> } {
    this.#last += 1;
    const id = this.#last;
    const task = { id, name, total, sent: 0, state: "WAITING", error: undefined } as const;
    const result = new Promise<string | null>((settle) => {
      const abort = new AbortController();
      this.#jobs.set(id, { start, abort, settle, upload: undefined, uploadId: undefined });
    });
    this.#set([...this.#tasks, task]);
    this.#next();
    return { id, result };
  }

  pause(id: number): void {
    const task = this.#taskOf(id);
    if (task?.state !== "RUNNING" && task?.state !== "WAITING") return;
    this.#jobs.get(id)?.upload?.pause();
    this.#change(id, { state: "PAUSED" });
    this.#next();
  }

  /** Continues a paused or failed upload in its turn. */
  resume(id: number): void {
    const state = this.#taskOf(id)?.state;
    if (state !== "PAUSED" && state !== "FAILED") return;
    this.#change(id, { state: "WAITING", error: undefined });
    this.#next();
  }

  /** Ends an upload and takes it out of the list. */
  cancel(id: number): void {
    const job = this.#jobs.get(id);
    job?.abort.abort();
    job?.settle(null);
    this.#jobs.delete(id);
    this.#set(this.#tasks.filter((task) => task.id !== id));
    this.#next();
  }

  #next(): void {
    const running = this.#tasks.filter(({ state }) => state === "RUNNING").length;
    const waiting = this.#tasks.filter(({ state }) => state === "WAITING");
    for (const { id } of waiting.slice(0, runningMax - running)) this.#run(id);
  }

  #run(id: number): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    this.#change(id, { state: "RUNNING" });
    if (job.upload !== undefined) {
      job.upload.resume();
      return;
    }
    const upload = job.start({
      onProgress: (sent) => this.#change(id, { sent }),
      signal: job.abort.signal,
      uploadId: job.uploadId,
    });
    job.upload = upload;
    upload.result
      .then(
        ({ id: fileId }) => {
          this.#change(id, { state: "DONE" });
          job.settle(fileId);
        },
        (error: unknown) => {
          job.uploadId = isRefused(error) ? undefined : upload.uploadId;
          job.upload = undefined;
          this.#change(id, { state: "FAILED", error });
        },
      )
      .finally(() => this.#next());
  }

  #taskOf(id: number): UploadTask | undefined {
    return this.#tasks.find((task) => task.id === id);
  }

  #change(id: number, parts: Partial<UploadTask>): void {
    this.#set(this.#tasks.map((task) => (task.id === id ? { ...task, ...parts } : task)));
  }

  #set(tasks: readonly UploadTask[]): void {
    this.#tasks = tasks;
    for (const listener of this.#listeners) listener();
  }
}

/** Whether the service has refused an upload or no longer has it, so that another attempt begins anew. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof RowhouseError)) return true;
  return error.status >= 400 && error.status < 500 && ![401, 429].includes(error.status);
}
