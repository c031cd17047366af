import { createError } from "@rowhouse/errors";
import type { Settings } from "@rowhouse/settings";

/** What the engines of one process share, so that its limits hold for all of them together. */
export interface ProcessBounds {
  readonly budget: AnswerBudget;
  readonly exports: TransferSlots;
  readonly imports: TransferSlots;
}

/** Creates the bounds of a process: once, for all of its engines. */
export function createProcessBounds(): ProcessBounds {
  return {
    budget: new AnswerBudget(),
    exports: createTransferSlots(exportKind),
    imports: createTransferSlots(importKind),
  };
}

/** Limits the transfers of one kind in this process. Each occupies a database connection until its end. */
export interface TransferSlots {
  /**
   * Takes a slot.
   *
   * @returns releases the slot; a second call has no effect
   * @throws AppError RATE_LIMIT_EXCEEDED at the user's limit, SERVICE_UNAVAILABLE at the limit of the process
   */
  take(userId: string, settings: Settings): () => void;
}

export interface TransferKind {
  /** The transfers as a message names them. */
  readonly noun: string;
  /** The setting of the limit of this process. */
  readonly max: "data.max_exports" | "limits.imports_at_once";
  /** The setting of the limit of one user. */
  readonly maxPerUser: "data.max_exports_per_user" | "limits.imports_per_user";
}

const exportKind: TransferKind = {
  noun: "exports",
  max: "data.max_exports",
  maxPerUser: "data.max_exports_per_user",
};

const importKind: TransferKind = {
  noun: "imports",
  max: "limits.imports_at_once",
  maxPerUser: "limits.imports_per_user",
};

const retryHeaders = { "Retry-After": "5" };

/** Creates the slots of one process. */
function createTransferSlots({ noun, max, maxPerUser }: TransferKind): TransferSlots {
  const byUser = new Map<string, number>();
  let taken = 0;
  return {
    take: (userId, settings) => {
      const own = byUser.get(userId) ?? 0;
      if (own >= settings[maxPerUser]) {
        throw createError("RATE_LIMIT_EXCEEDED", {
          message: `At most ${settings[maxPerUser]} ${noun} at once`,
          headers: retryHeaders,
        });
      }
      if (taken >= settings[max]) {
        throw createError("SERVICE_UNAVAILABLE", { headers: retryHeaders });
      }
      taken += 1;
      byUser.set(userId, own + 1);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        taken -= 1;
        const left = (byUser.get(userId) ?? 1) - 1;
        if (left === 0) byUser.delete(userId);
        else byUser.set(userId, left);
      };
    },
  };
}

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

/** The lease of one response in the budget of this process. A repeated attempt replaces it by a larger one. */
export class Reservation {
  readonly #budget: AnswerBudget;
  #lease: Lease | null = null;

  constructor(budget: AnswerBudget) {
    this.#budget = budget;
  }

  /** Null for a small response. */
  get lease(): Lease | null {
    return this.#lease;
  }

  /** Reserved bytes, 0 without a lease. */
  get bytes(): number {
    return this.#lease?.bytes ?? 0;
  }

  /**
   * Replaces the lease.
   *
   * @param bytesMax of all leases together
   * @throws AppError SERVICE_UNAVAILABLE if the bytes are not free within 10 seconds
   */
  async reserve(bytes: number, bytesMax: number): Promise<void> {
    this.release();
    this.#lease = await this.#budget.reserve(bytes, bytesMax);
  }

  release(): void {
    this.#lease?.release();
    this.#lease = null;
  }
}
