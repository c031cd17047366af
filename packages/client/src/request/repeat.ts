/**
 * When a request may be sent again: `ALWAYS` if a second execution has the effect of one, `UNLESS_EXECUTED` if the
 * service must have rejected the first before any effect (429).
 */
export type Repeatable = "ALWAYS" | "UNLESS_EXECUTED";

type Failure = {
  /** 0 without a response. */
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
};

type Rule = {
  readonly repeatable: Repeatable;
  /** Number of requests already sent. */
  readonly sent: number;
  readonly repeats: number;
  readonly retryAfterMaxSeconds: number;
};

/** Statuses that may pass: no response, too many requests, and a service or its proxy that is unavailable. */
const passing: readonly number[] = [0, 429, 502, 503];

/** Returns the milliseconds until the request is sent again, or undefined if it is not. */
export function repeatDelay(failure: Failure, rule: Rule): number | undefined {
  if (rule.sent > rule.repeats || !passing.includes(failure.status)) return undefined;
  if (rule.repeatable !== "ALWAYS" && failure.status !== 429) return undefined;
  const { retryAfterSeconds } = failure;
  // Half of the delay is random, so that clients that failed together do not return together.
  if (retryAfterSeconds === undefined) return 200 * 2 ** rule.sent * (0.5 + Math.random() / 2);
  return retryAfterSeconds > rule.retryAfterMaxSeconds ? undefined : retryAfterSeconds * 1000;
}

/** Waits, or throws the reason of the signal. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return unlessAborted(passed, signal).finally(() => clearTimeout(timer));
}

/**
 * Returns what a promise returns, or throws the reason of the signal as soon as it is aborted. What the promise does then
 * is ignored, also if it fails.
 */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
