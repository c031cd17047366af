/**
 * Yields the chunks of a source until `signal` aborts, also while the source waits for its next chunk: a stream does not
 * end while one is pending. The source is closed in every case.
 *
 * @throws the reason of the abort
 */
export async function* untilAborted(
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const source = content[Symbol.asyncIterator]();
  // One rejection for each chunk: a race of every chunk with one promise would retain all chunks.
  let reject: (reason: unknown) => void = () => {};
  const onAbort = () => reject(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  const next = () =>
    new Promise<IteratorResult<Uint8Array>>((resolve, rejectNext) => {
      reject = rejectNext;
      source.next().then(resolve, rejectNext);
    });
  let isRead = false;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await next();
      if (done === true) {
        isRead = true;
        return;
      }
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
    // Not awaited: a source that waits answers only after its next chunk.
    if (!isRead) source.return?.().catch(() => {});
  }
}
