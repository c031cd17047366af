import { createError } from "@rowhouse/errors";

/**
 * Limits the uploads of one user that this process receives at once.
 *
 * @returns takes a slot, and returns its release
 */
export function createUploadSlots(): (userId: string, max: number) => () => void {
  const taken = new Map<string, number>();
  return (userId, max) => {
    const own = taken.get(userId) ?? 0;
    if (own >= max) {
      throw createError("RATE_LIMIT_EXCEEDED", {
        message: `At most ${max} uploads at once (files.max_uploads_per_user)`,
        headers: { "Retry-After": "5" },
      });
    }
    taken.set(userId, own + 1);
    return () => {
      const left = (taken.get(userId) ?? 1) - 1;
      if (left === 0) taken.delete(userId);
      else taken.set(userId, left);
    };
  };
}
