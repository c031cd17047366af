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

  /** Records that the server has answered. */
  ended(): void {
    this.#hasServed = true;
    this.#since = undefined;
  }

  /**
   * Waits before a failed statement is sent again.
   *
   * @param isRead whether the statement may run twice
   * @returns false, without waiting, if it must not be sent again
   */
  async outlast(error: unknown, isRead: boolean): Promise<boolean> {
    const code = readPostgresFailure(error)?.code ?? "";
    if (!this.#hasServed || !(notSent.has(code) || (isRead && perhapsSent.has(code)))) return false;
    const now = performance.now();
    this.#since ??= now;
    if (now - this.#since >= patienceMs) return false;
    await sleep(reconnectPauseMs);
    return true;
  }
}
