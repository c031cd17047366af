/**
 * A question that many may ask at once: they share one, but never one that was asked before they came. So however many come,
 * one is under way at a time.
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
