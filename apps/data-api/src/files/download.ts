import type { Readable } from "node:stream";

/** Interval in which a running download proves again that its caller may read the file, in milliseconds. */
const proveMs = 1000;

/**
 * The bytes of a download, as its reader takes them. While it runs, the right of its caller is proven about once a
 * second; it breaks off when the right has ended.
 *
 * @param prove rejects when the caller may no longer read the file
 */
export function downloadBody(
  content: Readable,
  prove: (() => Promise<void>) | undefined,
): ReadableStream<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let provenAt = performance.now();
  const proveAgain = (): void => {
    if (prove === undefined || performance.now() - provenAt < proveMs) return;
    provenAt = performance.now();
    prove().catch((error: Error) => content.destroy(error));
  };
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        proveAgain();
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => {
        content.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
