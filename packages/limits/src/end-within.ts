export interface EndLimit {
  /** From the call of `endWithin`, in milliseconds. */
  readonly timeoutMs: number;
  /** Creates the error of work that has not settled by then. */
  readonly late: () => Error;
  /** Also ends the work; its reason is then the error. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the result of `work`, and rejects once its time is over, even if `work` never settles: a transport may
 * ignore the abort of its signal, or report nothing after it. The late result is dropped, so `work` must release its
 * resources on abort.
 *
 * @param work receives a signal that aborts at the time limit, and together with `limit.signal`
 */
export async function endWithin<Result>(
  { timeoutMs, late, signal }: EndLimit,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const ended = new Promise<never>((_resolve, reject) => {
    const end = (error: unknown) => {
      // Before the abort: the error of this limit counts, not the one that the transport makes of it.
      reject(error);
      stop.abort(error);
    };
    timer = setTimeout(() => end(late()), timeoutMs);
    onAbort = () => end(signal?.reason);
    signal?.addEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([work(stop.signal), ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}
