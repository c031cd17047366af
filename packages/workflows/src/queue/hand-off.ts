import type { Priority } from "../definition/definition.ts";
import type { Claim } from "../model/run.ts";
import type { WakeUpQueue } from "./wake-up-queue.ts";

/**
 * Passes a run from where it was accepted to a worker of the same process, without the queue. The queue serves the
 * other cases: no worker in this process, or none with a free slot.
 */
export interface HandOff {
  /** Reserves a free slot for a run that is about to be accepted; undefined if there is none. */
  reserve(): ReservedSlot | undefined;
  /** Offers a run to the local worker. If it returns true, the worker executes the run or adds a wake-up for it. */
  offer(runId: string, priority?: Priority): boolean;
  /** Registers a worker. @returns a function that removes it */
  serve(taker: Taker): () => void;
}

/** A worker's slot for one run. The caller must call one of its functions, once. */
export interface ReservedSlot {
  /** The lease owner of the run that is accepted for the slot. */
  readonly owner: string;
  /** The duration of the lease, in milliseconds. */
  readonly leaseMs: number;
  /** Executes a run that was accepted with the worker as its lease owner. */
  hold(claim: Claim): void;
  free(): void;
}

/** The worker's side of a hand-off. */
export interface Taker {
  reserve(): ReservedSlot | undefined;
  take(runId: string, priority: Priority): boolean;
}

/** Creates a hand-off for at most one worker. */
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

/** Starts an accepted run locally, otherwise through the queue. */
export function wakeForRun(
  deps: { readonly handOff: Pick<HandOff, "offer">; readonly queue: Pick<WakeUpQueue, "wake"> },
  runId: string,
  priority: Priority = "NORMAL",
): void {
  if (!deps.handOff.offer(runId, priority)) deps.queue.wake({ runId, fence: "0", priority });
}
