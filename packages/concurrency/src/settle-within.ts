import { setTimeout as sleep } from "node:timers/promises";

/** Waits until `work` settles, at most `timeoutMs`. Ignores the result and errors of `work`. */
export async function settleWithin(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const timeout = sleep(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([work.catch(() => undefined), timeout]);
  timer.abort();
}
