import type { IncomingMessage } from "node:http";
import { createError } from "@rowhouse/errors";

/** How large a body may be. */
export interface BodyLimit {
  /** Bytes, as the limit is at hand. */
  bytesMax(): number;
  /** Brings it up to date; asked before a body is refused for it. */
  refresh(): Promise<void>;
}

/**
 * Refuses a body before anyone reads it: one over the limit by its own length, and one that is compressed, whose size
 * nobody knows before it is unpacked. A length that was declared is held to by the HTTP parser; what comes in chunks is
 * counted on its way (`countedBody`).
 *
 * @returns a promise only for a body over the limit at hand
 * @throws `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`
 */
export function boundBody(incoming: IncomingMessage, limit: BodyLimit): Promise<void> | undefined {
  const { headers } = incoming;
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    throw createError("UNSUPPORTED_MEDIA_TYPE", {
      message: "The body must not be compressed",
      headers: closing,
    });
  }
  const length = Number(headers["content-length"] ?? 0);
  if (length <= limit.bytesMax()) return undefined;
  return limit.refresh().then(() => {
    if (length > limit.bytesMax()) throw tooLarge(limit);
  });
}

/** Whether the body comes in chunks, without its length. */
export function isChunked(incoming: IncomingMessage): boolean {
  return incoming.headers["transfer-encoding"] !== undefined;
}

/**
 * The body as it comes, never more of it than the limit.
 *
 * @throws `BODY_TOO_LARGE`, or `BODY_INVALID` when the caller went away before its end
 */
export async function* countedBody(
  incoming: IncomingMessage,
  limit: BodyLimit,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  // Left open at its end: the answer goes over the same connection.
  const chunks: AsyncIterable<Uint8Array> = incoming.iterator({ destroyOnReturn: false });
  try {
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      if (size > limit.bytesMax()) {
        await limit.refresh();
        if (size > limit.bytesMax()) throw tooLarge(limit);
      }
      yield chunk;
    }
  } catch (error) {
    if (!isAborted(error)) throw error;
    throw createError("BODY_INVALID", { message: "The body could not be read", cause: error });
  }
}

/** The request with its body counted, where it came in chunks; else the request itself. */
export function boundedRequest(
  request: Request,
  incoming: IncomingMessage,
  limit: BodyLimit,
): Request {
  if (!isChunked(incoming) || request.method === "GET" || request.method === "HEAD") return request;
  return new Request(request.url, {
    method: request.method,
    headers: request.headers,
    signal: request.signal,
    body: ReadableStream.from(countedBody(incoming, limit)),
    duplex: "half",
  });
}

// The rest of the body is not read, so nothing else can come over this connection.
const closing = { Connection: "close" };

function tooLarge(limit: BodyLimit) {
  return createError("BODY_TOO_LARGE", {
    message: `The body is larger than ${limit.bytesMax()} bytes`,
    headers: closing,
  });
}

function isAborted(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNRESET";
}
