import { createError } from "@rowhouse/errors";
import type { Settings } from "@rowhouse/settings";

/** Limits the exports of this process. Each occupies a database connection until its reader has received it. */
export interface ExportSlots {
  /**
   * Takes a slot.
   *
   * @returns releases the slot; a second call has no effect
   * @throws AppError RATE_LIMIT_EXCEEDED at the user's limit, SERVICE_UNAVAILABLE at the limit of the process
   */
  take(userId: string, settings: Settings): () => void;
}

const retryHeaders = { "Retry-After": "5" };

/** Creates the slots of one process. */
export function createExportSlots(): ExportSlots {
  const byUser = new Map<string, number>();
  let taken = 0;
  return {
    take: (userId, settings) => {
      const own = byUser.get(userId) ?? 0;
      if (own >= settings["data.max_exports_per_user"]) {
        throw createError("RATE_LIMIT_EXCEEDED", {
          message: `At most ${settings["data.max_exports_per_user"]} exports at once`,
          headers: retryHeaders,
        });
      }
      if (taken >= settings["data.max_exports"]) {
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
