/**
 * Reads the next chunk of a body, at most for `stallMs` milliseconds.
 *
 * @param onStalled creates the error of a sender that sends nothing for so long
 * @throws the error of the stream, or of `onStalled`
 */
export async function readWithin<Chunk>(
  reader: ReadableStreamDefaultReader<Chunk>,
  stallMs: number,
  onStalled: () => Error,
): ReturnType<ReadableStreamDefaultReader<Chunk>["read"]> {
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(onStalled()), stallMs);
  });
  try {
    return await Promise.race([reader.read(), stalled]);
  } finally {
    clearTimeout(timer);
  }
}
