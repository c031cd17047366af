import { createError } from "@rowhouse/errors";
import { type ConsoleLogin, type ConsoleSession, endBackend } from "./console-session.ts";
import { blockedMsMax, guardLocks, type LockFault } from "./lock-guard.ts";

/** Why a run was terminated from outside. */
type Ending = "TIMEOUT" | "GONE" | LockFault;

const lockSentences: Readonly<Record<LockFault, string>> = {
  BLOCKS: `Others waited longer than ${blockedMsMax / 1000} seconds for a lock of the run; it was rolled back`,
  TOO_MANY: "The run held too many locks at once; it was rolled back",
};

export interface RunWatchOptions {
  /** A moment on the clock of `Date.now`. */
  readonly deadline: number;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Terminates a run that exceeds its time, whose caller disconnects, or that blocks others.
 *
 * | state | event | next state |
 * |---|---|---|
 * | WATCHING | time limit, disconnect, fault of the lock guard | ENDING, with that reason |
 * | ENDING | a further event | ENDING, with the first reason |
 * | WATCHING, ENDING | `close` | CLOSED, once the backend is terminated |
 */
export class RunWatch {
  readonly #login: ConsoleLogin;
  readonly #console: ConsoleSession;
  readonly #signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  readonly #endGuard: () => void;
  readonly #onAbort = () => this.#end("GONE");
  /** Undefined while WATCHING. */
  #ending: { readonly reason: Ending; readonly ended: Promise<void> } | undefined;

  constructor(login: ConsoleLogin, console: ConsoleSession, options: RunWatchOptions) {
    this.#login = login;
    this.#console = console;
    this.#signal = options.signal;
    const leftMs = Math.max(0, options.deadline - Date.now());
    this.#timer = setTimeout(() => this.#end("TIMEOUT"), leftMs);
    this.#endGuard = guardLocks(login.database, console.backend, (fault) => this.#end(fault));
    this.#signal.addEventListener("abort", this.#onAbort, { once: true });
    if (this.#signal.aborted) this.#onAbort();
  }

  /** Returns the error of the reason why the run was terminated; otherwise the error itself. */
  explain(error: unknown): unknown {
    const reason = this.#ending?.reason;
    if (reason === undefined || reason === "GONE") return error;
    if (reason === "TIMEOUT") return createError("QUERY_TIMEOUT", { cause: error });
    return createError("SQL_CANCELLED", { message: lockSentences[reason], cause: error });
  }

  /** Stops watching; waits for a termination in progress. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#endGuard();
    this.#signal.removeEventListener("abort", this.#onAbort);
    await this.#ending?.ended;
  }

  #end(reason: Ending): void {
    const { session, backend } = this.#console;
    this.#ending ??= {
      reason,
      ended: endBackend(this.#login, backend).catch(() => session.close()),
    };
  }
}
