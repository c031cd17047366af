import { setImmediate as nextTurn } from "node:timers/promises";
import { AppError, createError } from "@rowhouse/errors";
import { readWithin } from "@rowhouse/limits";
import { type BodyDecoder, createBodyDecoder } from "./body-decoder.ts";
import type { Encoding } from "./file-form.ts";

export interface ReadChunksOptions {
  readonly encoding: Encoding;
  readonly bytesMax: number;
  /** Milliseconds without a byte from the sender, after which the import ends. */
  readonly stallMs: number;
  /** Milliseconds from the first read, after which the import ends although its sender still sends. */
  readonly timeoutMs: number;
  /** Receives each chunk. */
  readonly onBytes: (bytes: Uint8Array) => void;
}

/** Bytes that are parsed before other requests get their turn. */
const sliceBytes = 65_536;

/**
 * Yields the text of a body in parts of a bounded size. The sender is read at the speed of the reader.
 *
 * @throws AppError BODY_TOO_LARGE; QUERY_TIMEOUT; BODY_INVALID for a body that breaks off, stalls or is not in the encoding
 */
export async function* readChunks(
  body: ReadableStream<Uint8Array>,
  { encoding, bytesMax, stallMs, timeoutMs, onBytes }: ReadChunksOptions,
): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const deadline = performance.now() + timeoutMs;
  const decoder = createBodyDecoder(encoding, true);
  let size = 0;
  let line = 1;
  try {
    for (;;) {
      // The transaction has the same limit, but the header is read before it begins.
      if (performance.now() > deadline) throw createError("QUERY_TIMEOUT");
      const { done, value } = await readNext(reader, stallMs);
      if (done) break;
      size += value.byteLength;
      if (size > bytesMax) {
        throw createError("BODY_TOO_LARGE", {
          message: `An import has at most ${bytesMax} bytes (limits.import_bytes)`,
        });
      }
      for (let at = 0; at < value.byteLength; at += sliceBytes) {
        const slice = value.subarray(at, at + sliceBytes);
        onBytes(slice);
        const text = decode(decoder, encoding, slice, line);
        line += newlinesIn(text);
        yield text;
        await nextTurn();
      }
    }
    yield decode(decoder, encoding, undefined, line);
  } finally {
    // To cancel the stream would close the connection before its response.
    reader.releaseLock();
  }
}

async function readNext(reader: ReadableStreamDefaultReader<Uint8Array>, stallMs: number) {
  const stalled = () =>
    createError("BODY_INVALID", {
      message: `The body stalled for ${stallMs} ms (limits.import_stall_ms)`,
    });
  try {
    return await readWithin(reader, stallMs, stalled);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw createError("BODY_INVALID", { message: "The body could not be read", cause });
  }
}

function decode(
  decoder: BodyDecoder,
  encoding: Encoding,
  bytes: Uint8Array | undefined,
  line: number,
): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    const [valid = ""] = createBodyDecoder(encoding, false).decode(bytes).split("\ufffd", 1);
    throw createError("BODY_INVALID", {
      message: `The body is not ${encoding.toUpperCase()} text`,
      details: { line: line + newlinesIn(valid) },
      cause,
    });
  }
}

function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
