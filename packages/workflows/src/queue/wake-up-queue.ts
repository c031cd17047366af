import type { Priority } from "../definition/definition.ts";

/** What a wake-up names: a run, and the fencing number at which it waits. */
export interface WakeUp {
  readonly runId: string;
  readonly fence: string;
  /** Before which others it is delivered; NORMAL where it does not say. */
  readonly priority?: Priority;
}

/**
 * Wakes workers. It carries no truth: a lost wake-up is repeated by the reconciler, and one too many finds nothing to
 * claim.
 */
export interface WakeUpQueue {
  /** Adds a wake-up without waiting for it; failures are reported, never thrown. */
  wake(wakeUp: WakeUp): void;
  /** Adds wake-ups and waits until they are stored. */
  wakeAll(wakeUps: readonly WakeUp[]): Promise<void>;
  /** Jobs that wait for a worker. */
  countWaiting(): Promise<number>;
  close(): Promise<void>;
}

/** Takes wake-ups off the queue. */
export interface WakeUpListener {
  /** Takes no more wake-ups and waits for those in progress. */
  close(): Promise<void>;
}

/** Where the queue lives. */
export type QueueServer =
  | { readonly kind: "POSTGRES"; readonly url: string }
  | { readonly kind: "REDIS"; readonly url: string };

export type ReportFailure = (error: unknown) => void;
