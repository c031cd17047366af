import type { Priority } from "../definition/definition.ts";

/** Names a run and the fencing number at which it waits. */
export interface WakeUp {
  readonly runId: string;
  readonly fence: string;
  /** The delivery priority; NORMAL by default. */
  readonly priority?: Priority;
}

/**
 * Wakes workers. It holds no state of runs: the reconciler repeats a lost wake-up, and a superfluous one finds nothing
 * to claim.
 */
export interface WakeUpQueue {
  /** Adds a wake-up without waiting. Errors are reported and not thrown. */
  wake(wakeUp: WakeUp): void;
  /** Adds wake-ups and waits until they are stored. */
  wakeAll(wakeUps: readonly WakeUp[]): Promise<void>;
  /** Returns the number of jobs that wait for a worker. */
  countWaiting(): Promise<number>;
  /** Whether Redis is reachable; undefined for a queue in PostgreSQL. */
  isConnected(): boolean | undefined;
  close(): Promise<void>;
}

/** Takes wake-ups off the queue. */
export interface WakeUpListener {
  /** Takes no more wake-ups and waits for those in progress. */
  close(): Promise<void>;
}

export type QueueServer =
  | { readonly kind: "POSTGRES"; readonly url: string }
  | { readonly kind: "REDIS"; readonly url: string };

export type ReportFailure = (error: unknown) => void;
