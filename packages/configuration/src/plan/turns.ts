import { createError } from "@rowhouse/errors";
import { UserSemaphore } from "@rowhouse/limits";

/** Plans and applies of a process at once; each has a connection of its own. */
export const configurationConnections = 2;
const waitingMax = 4;
const waitMs = 10_000;

/** Orders the plans and applies of a process: one of a user at once, and `configurationConnections` in all. */
export class Turns {
  readonly #semaphore = new UserSemaphore({
    permits: configurationConnections,
    perUser: 1,
    ...{ waitingMax, waitMs },
    busy: () =>
      createError("RATE_LIMIT_EXCEEDED", {
        message: "Other plans or applies of the configuration are in progress",
        headers: { "Retry-After": "5" },
      }),
  });

  /**
   * Waits for a turn.
   *
   * @returns a function that ends the turn
   * @throws AppError RATE_LIMIT_EXCEEDED if the turn does not come in time; SERVICE_UNAVAILABLE for a caller who has left
   */
  async begin(userId: string | null, signal?: AbortSignal): Promise<() => void> {
    const key = userId ?? "";
    await this.#semaphore.acquire(key);
    const release = () => this.#semaphore.release(key);
    if (signal?.aborted !== true) return release;
    release();
    throw createError("SERVICE_UNAVAILABLE", { message: "The caller has left" });
  }
}
