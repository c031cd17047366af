import type { Lease } from "@rowhouse/data";

const chunkChars = 65_536;

/** A large body in chunks, as its reader takes them. Its lease ends with the last chunk, or when the reader leaves. */
export function heldBody(
  text: string,
  lease: Lease,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const release = () => lease.release();
  signal.addEventListener("abort", release, { once: true });
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        let end = Math.min(at + chunkChars, text.length);
        // A pair of surrogates stays in one chunk.
        if (end < text.length && text.codePointAt(end - 1) !== text.charCodeAt(end - 1)) end += 1;
        controller.enqueue(encoder.encode(text.slice(at, end)));
        at = end;
        if (at < text.length) return;
        controller.close();
        release();
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
}
