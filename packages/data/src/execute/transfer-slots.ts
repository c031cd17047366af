import { createError } from "@rowhouse/errors";
import type { Settings } from "@rowhouse/settings";

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

/** A kind of transfers. */
export interface TransferKind {
  /** The transfers as a message names them. */
  readonly noun: string;
  /** The setting of the limit of this process. */
  readonly max: "data.max_exports" | "limits.imports_at_once";
  /** The setting of the limit of one user. */
  readonly maxPerUser: "data.max_exports_per_user" | "limits.imports_per_user";
}

export const exportKind: TransferKind = {
  noun: "exports",
  max: "data.max_exports",
  maxPerUser: "data.max_exports_per_user",
};

export const importKind: TransferKind = {
  noun: "imports",
  max: "limits.imports_at_once",
  maxPerUser: "limits.imports_per_user",
};

const retryHeaders = { "Retry-After": "5" };

/** Creates the slots of one process. */
export function createTransferSlots({ noun, max, maxPerUser }: TransferKind): TransferSlots {
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
