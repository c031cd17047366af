import type { Priority } from "../definition/definition.ts";
import type { Claim } from "../model/run.ts";
import type { WakeUpQueue } from "./wake-up-queue.ts";

/**
 * Takes a run from where it was accepted to a worker of the same process, without the queue in between. The queue is
 * for every other case: no worker here, or none that has room.
 */
export interface HandOff {
  /** A place that is free at once, for a run that is about to be accepted; undefined where there is none. */
  reserve(): ReservedSlot | undefined;
  /** Whether a worker here has taken the run; it executes it or sees to it that a wake-up is added. */
  offer(runId: string, priority?: Priority): boolean;
  /** Lets a worker take runs; the answer ends it. */
  serve(taker: Taker): () => void;
}

/** A worker's place for one run. Either of its functions is called, once. */
export interface ReservedSlot {
  /** Who holds the run that is accepted for it. */
  readonly owner: string;
  /** How long it is held without a sign of life, in milliseconds. */
  readonly leaseMs: number;
  /** Executes a run that was accepted as the worker's own. */
  hold(claim: Claim): void;
  /** Gives the place back. */
  free(): void;
}

/** What a worker does for a hand-off. */
export interface Taker {
  reserve(): ReservedSlot | undefined;
  take(runId: string, priority: Priority): boolean;
}

/** A hand-off for the one worker that a process may have. */
export function createHandOff(): HandOff {
  let current: Taker | undefined;
  return {
    reserve: () => current?.reserve(),
    offer: (runId, priority = "NORMAL") => current?.take(runId, priority) === true,
    serve: (taker) => {
      current = taker;
      return () => {
        if (current === taker) current = undefined;
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
