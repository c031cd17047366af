import type { Lease } from "@rowhouse/data";

const chunkChars = 65_536;
/** As long as a lease: after it, the text of a slow reader would be memory that no budget counts. */
const readMsMax = 60_000;

/**
 * A large body in chunks, as its reader takes them. Its lease ends with the last chunk, or when the reader leaves. A reader
 * that takes longer than `msMax` gets the body's beginning alone: the connection breaks off.
 *
 * @param lease null for a body outside the budget, such as that of a write
 */
export function heldBody(
  text: string,
  lease: Lease | null,
  signal: AbortSignal,
  msMax = readMsMax,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let rest = text;
  let at = 0;
  let tooSlow: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(tooSlow);
    rest = "";
    lease?.release();
  };
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const expire = (): void => {
          end();
          controller.error(new Error("The caller read a large answer too slowly"));
        };
        tooSlow = setTimeout(expire, msMax).unref();
      },
      pull: (controller) => {
        let to = Math.min(at + chunkChars, rest.length);
        // A pair of surrogates stays in one chunk.
        if (to < rest.length && rest.codePointAt(to - 1) !== rest.charCodeAt(to - 1)) to += 1;
        if (to > at) controller.enqueue(encoder.encode(rest.slice(at, to)));
        at = to;
        if (at < rest.length) return;
        controller.close();
        end();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
