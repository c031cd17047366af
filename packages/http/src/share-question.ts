/**
 * Shares one query among concurrent callers, but never a query that started before the call. So at most one query runs
 * at a time, independent of the number of callers.
 */
export function shareQuestion<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asking: Promise<Answer> | undefined;
  let next: Promise<Answer> | undefined;
  const start = (): Promise<Answer> => {
    const asked = ask().finally(() => {
      if (asking === asked) asking = undefined;
    });
    asking = asked;
    return asked;
  };
  return () => {
    if (asking === undefined) return start();
    next ??= asking
      .catch(() => {})
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
