import { createError } from "@rowhouse/errors";

/** Bytes of the budget that one response holds. */
export interface Lease {
  readonly bytes: number;
  /** Returns the bytes; a second call has no effect. */
  release(): void;
}

interface Waiting {
  readonly bytes: number;
  readonly start: () => void;
}

/** Responses up to this size need no lease: the connection pool limits their number. */
export const smallAnswerBytes = 1_048_576;
const waitMs = 10_000;
/** Maximum duration of a lease. A response that is still being sent afterwards no longer counts. */
const leaseMs = 60_000;

/** Limits the bytes of the large responses in this process; requests wait in order of arrival. */
export class AnswerBudget {
  readonly #waiting: Waiting[] = [];
  #held = 0;
  #bytesMax = Number.POSITIVE_INFINITY;

  /**
   * Waits until the bytes are free. A single response always fits.
   *
   * @param bytesMax of all leases together
   * @throws AppError SERVICE_UNAVAILABLE if they are not free within 10 seconds
   */
  async reserve(bytes: number, bytesMax: number): Promise<Lease> {
    this.#bytesMax = bytesMax;
    if (this.#waiting.length > 0 || !this.#fits(bytes)) await this.#wait(bytes);
    this.#held += bytes;
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(expiry);
      this.#held -= bytes;
      this.#next();
    };
    const expiry = setTimeout(release, leaseMs).unref();
    return { bytes, release };
  }

  #fits(bytes: number): boolean {
    return this.#held === 0 || this.#held + bytes <= this.#bytesMax;
  }

  #next(): void {
    const first = this.#waiting[0];
    if (first === undefined || !this.#fits(first.bytes)) return;
    this.#waiting.shift();
    first.start();
  }

  #wait(bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        bytes,
        start: () => {
          clearTimeout(timeout);
          resolve();
          // The lease is counted in the next microtask; only then can the next waiting request be checked.
          queueMicrotask(() => queueMicrotask(() => this.#next()));
        },
      };
      const timeout = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        this.#next();
        const headers = { "Retry-After": "1" };
        reject(createError("SERVICE_UNAVAILABLE", { message: "Too many large answers", headers }));
      }, waitMs);
      this.#waiting.push(entry);
    });
  }
}
