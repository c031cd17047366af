import { pipeline } from "node:stream";
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  type ZlibOptions,
} from "node:zlib";
import { RunFault } from "../base/run-fault.ts";

/** The encodings that `readContent` decodes, as the value of `Accept-Encoding`. */
export const acceptedEncodings = "gzip, deflate, br";

/** A server that applies more than these has no use for the client. */
const codingsMax = 2;
const options: ZlibOptions = { chunkSize: 65_536 };

/**
 * Reads a body and decodes its `Content-Encoding`. Neither the sent nor the decoded bytes exceed `bytesMax`: a small
 * body can have gigabytes of content.
 *
 * @throws RunFault HTTP_RESPONSE_TOO_LARGE, or HTTP_BODY_INVALID for an unknown encoding and for bytes that do not
 * have it
 */
export async function readContent(
  body: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
  bytesMax: number,
): Promise<Uint8Array> {
  const codings = codingsOf(encoding);
  let content = limited(body, bytesMax);
  for (const coding of codings.toReversed()) content = limited(decoded(content, coding), bytesMax);
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns the codings in the order in which the server applied them. */
function codingsOf(encoding = ""): readonly string[] {
  const codings = encoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > codingsMax || codings.some((coding) => !known.has(coding))) {
    const message = `The response has the content encoding "${encoding.slice(0, 100)}", which is not supported`;
    throw new RunFault("HTTP_BODY_INVALID", message);
  }
  return codings;
}

const known: ReadonlySet<string> = new Set(["gzip", "x-gzip", "deflate", "br"]);

function decoderOf(coding: string, first: Uint8Array) {
  if (coding === "br") return createBrotliDecompress({ chunkSize: 65_536 });
  if (coding !== "deflate") return createGunzip(options);
  // Some servers send DEFLATE without the header of zlib, whose first half byte is 8.
  return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate(options) : createInflateRaw(options);
}

async function* decoded(
  content: AsyncIterable<Uint8Array>,
  coding: string,
): AsyncGenerator<Uint8Array> {
  const rest = content[Symbol.asyncIterator]();
  const first = await rest.next();
  // A response to HEAD names the encoding and has no body.
  if (first.done === true) return;
  const decoder = decoderOf(coding, first.value);
  // A failure of the source ends the decoder, whose reader receives it.
  pipeline(startingWith(first.value, rest), decoder, () => {});
  try {
    yield* decoder as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw isOfZlib(error) ? notEncoded(coding, error) : error;
  }
}

async function* startingWith(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  for (;;) {
    const next = await rest.next();
    if (next.done === true) return;
    yield next.value;
  }
}

function isOfZlib(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" && /^(?:Z_|ERR__ERROR_|ERR_BROTLI_)/.test(code);
}

function notEncoded(coding: string, cause: unknown): RunFault {
  return new RunFault("HTTP_BODY_INVALID", `The response body is not valid ${coding}`, cause);
}

async function* limited(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > bytesMax) {
      const message = `The response is larger than ${bytesMax} bytes`;
      throw new RunFault("HTTP_RESPONSE_TOO_LARGE", message);
    }
    yield chunk;
  }
}
