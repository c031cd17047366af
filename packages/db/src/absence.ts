import { setTimeout as sleep } from "node:timers/promises";
import { readPostgresFailure } from "./sqlstate.ts";

/** Pause before a connection that failed is opened again, in milliseconds. */
export const reconnectPauseMs = 250;
/** How long statements wait for a server that has gone away, in milliseconds. */
const patienceMs = 5000;

/** Failures of a connection that was not open yet: nothing was sent. */
const notSent: ReadonlySet<string> = new Set([
  ...["ECONNREFUSED", "ENOENT", "EHOSTUNREACH", "CONNECT_TIMEOUT"],
  // The server starts or stops.
  "57P03",
]);
/** Failures after which only a statement that reads may be sent again. */
const perhapsSent: ReadonlySet<string> = new Set([
  ...["CONNECTION_CLOSED", "CONNECTION_DESTROYED", "ECONNRESET", "EPIPE"],
  // An administrator has ended the session, or the server stops.
  ...["57P01", "57P02"],
]);

/**
 * Lets statements wait while a server or a pooler restarts, each for the next quarter of a second. A server that has
 * been away for five seconds fails them at once until it is back, and so does one that has never answered.
 */
export class Absence {
  #hasServed = false;
  #since: number | undefined;

  /**
   * Runs a statement, again after a pause while the server is away.
   *
   * @param mayRepeat asked after a failure of the connection: whether to run it again if it may have been sent, or not
   */
  async outlast<Result>(
    run: () => Promise<Result>,
    mayRepeat: (wasSent: boolean) => boolean,
  ): Promise<Result> {
    for (;;) {
      try {
        const result = await run();
        this.#hasServed = true;
        this.#since = undefined;
        return result;
      } catch (error) {
        const code = readPostgresFailure(error)?.code ?? "";
        const wasSent = perhapsSent.has(code);
        const isAway = this.#hasServed && (wasSent || notSent.has(code));
        if (!isAway || !mayRepeat(wasSent) || !(await this.#pause())) throw error;
      }
    }
  }

  /** Returns false, without a pause, if the server has been away for too long. */
  async #pause(): Promise<boolean> {
    const now = performance.now();
    this.#since ??= now;
    if (now - this.#since >= patienceMs) return false;
    await sleep(reconnectPauseMs);
    return true;
  }
}
