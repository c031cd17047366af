import { endWithin } from "./end-within.ts";

/**
 * Reads the next chunk of a body, at most for `stallMs` milliseconds.
 *
 * @param onStalled creates the error of a sender that sends nothing for so long
 * @throws the error of the stream, or of `onStalled`
 */
export function readWithin<Chunk>(
  reader: ReadableStreamDefaultReader<Chunk>,
  stallMs: number,
  onStalled: () => Error,
): ReturnType<ReadableStreamDefaultReader<Chunk>["read"]> {
  return endWithin({ timeoutMs: stallMs, late: onStalled }, () => reader.read());
}
