/** Returns a function whose concurrent calls share one call of `load`. */
export function singleFlight<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<Result> | undefined;
  return () => {
    current ??= load().finally(() => {
      current = undefined;
    });
    return current;
  };
}

/**
 * Returns a function whose concurrent calls share one call of `load`, but never one that started before them: each
 * result was loaded after its caller asked. At most one load runs at a time, independent of the number of callers.
 */
export function nextFlight<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;
  const start = (): Promise<Result> => {
    const started = load().finally(() => {
      if (current === started) current = undefined;
    });
    current = started;
    return started;
  };
  return () => {
    if (current === undefined) return start();
    next ??= current
      .catch(() => {})
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
