import { setTimeout as sleep } from "node:timers/promises";

/** Waits until `work` settles, but not longer than this; whether and how it settles makes no difference. */
export async function settleWithin(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const timeout = sleep(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([work.catch(() => undefined), timeout]);
  timer.abort();
}
