import type { Priority } from "../definition/definition.ts";
import type { WakeUpQueue } from "./wake-up-queue.ts";

/**
 * Takes a run from where it was accepted to a worker of the same process, without the queue in between. The queue is
 * for every other case: no worker here, or none that has room.
 */
export interface HandOff {
  /** Whether a worker here has taken the run; it executes it or sees to it that a wake-up is added. */
  offer(runId: string, priority?: Priority): boolean;
  /** Lets a worker take runs; the answer ends it. */
  serve(take: (runId: string, priority: Priority) => boolean): () => void;
}

/** A hand-off for the one worker that a process may have. */
export function createHandOff(): HandOff {
  let taker: ((runId: string, priority: Priority) => boolean) | undefined;
  return {
    offer: (runId, priority = "NORMAL") => taker?.(runId, priority) === true,
    serve: (take) => {
      taker = take;
      return () => {
        if (taker === take) taker = undefined;
      };
    },
  };
}

/** Sees to it that a run is begun that was just accepted: by a worker of this process, or else by any. */
export function wakeForRun(
  deps: { readonly handOff: Pick<HandOff, "offer">; readonly queue: Pick<WakeUpQueue, "wake"> },
  runId: string,
  priority: Priority = "NORMAL",
): void {
  if (!deps.handOff.offer(runId, priority)) deps.queue.wake({ runId, fence: "0", priority });
}
