import { copyFile, type FileHandle, open, rename, stat, truncate } from "node:fs/promises";
import { join } from "node:path";

/**
 * Settings that keep the values of rows out of the server's log: no statements, no details, and no errors of statements,
 * whose messages quote values. The service logs the errors of its requests itself.
 */
export const logSettings: Readonly<Record<string, string>> = {
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_statement: "none",
  log_parameter_max_length: "0",
};

/** The size at which a log becomes the previous one, in bytes. */
const bytesMaxDefault = 4_194_304;
const checkMs = 30_000;

/** The log of a server: a file and the previous one, each of a bounded size. */
export class ServerLog {
  readonly path: string;
  readonly #bytesMax: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(folder: string, bytesMax = bytesMaxDefault) {
    this.path = join(folder, "postgres.log");
    this.#bytesMax = bytesMax;
  }

  /** Keeps the log of the last start as the previous one, and opens a new one for a server to append to. */
  async open(): Promise<FileHandle> {
    await rename(this.path, this.#previous).catch(() => {});
    // The server goes on at the end of a file that is emptied.
    return open(this.path, "a", 0o600);
  }

  /** Checks the size from now on. */
  watch(everyMs = checkMs): void {
    this.#timer = setInterval(() => void this.turn().catch(() => {}), everyMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Begins a new log if this one is large. Lines that the server writes between the copy and its end are lost. */
  async turn(): Promise<void> {
    if ((await stat(this.path)).size <= this.#bytesMax) return;
    await copyFile(this.path, this.#previous);
    await truncate(this.path);
  }

  get #previous(): string {
    return `${this.path}.1`;
  }
}
