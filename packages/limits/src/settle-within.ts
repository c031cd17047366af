import { setTimeout as sleep } from "node:timers/promises";

/** Waits until `work` settles, at most `timeoutMs`. Ignores the result and errors of `work`. */
export async function settleWithin(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  await outcomeWithin(timeoutMs, work);
}

/** Returns how `work` has settled, or `LATE` if it has not within `timeoutMs`. Ignores its result. */
export async function outcomeWithin(
  timeoutMs: number,
  work: Promise<unknown>,
): Promise<"DONE" | "FAILED" | "LATE"> {
  const timer = new AbortController();
  const late = sleep(timeoutMs, "LATE" as const, { signal: timer.signal }).catch(
    () => "LATE" as const,
  );
  const outcome = work.then(
    () => "DONE" as const,
    () => "FAILED" as const,
  );
  const first = await Promise.race([outcome, late]);
  timer.abort();
  return first;
}
