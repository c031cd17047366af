import type { IncomingMessage } from "node:http";
import { createError } from "@rowhouse/errors";

/** The size limit of bodies. */
export interface BodyLimit {
  /** The current limit in bytes. */
  bytesMax(): number;
  /** Refreshes the limit; called before a body is rejected. */
  refresh(): Promise<void>;
}

/**
 * Rejects a body before it is read: one whose declared length exceeds the limit, and a compressed one, whose size is
 * unknown until it is decompressed. The HTTP parser enforces a declared length; a chunked body is counted while it is
 * streamed (`countedBody`).
 *
 * @returns a promise only for a body over the current limit
 * @throws `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`
 */
export function boundBody(incoming: IncomingMessage, limit: BodyLimit): Promise<void> | undefined {
  const { headers } = incoming;
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    throw createError("UNSUPPORTED_MEDIA_TYPE", {
      message: "The body must not be compressed",
    });
  }
  const length = Number(headers["content-length"] ?? 0);
  if (length <= limit.bytesMax()) return undefined;
  return limit.refresh().then(() => {
    if (length > limit.bytesMax()) throw tooLarge(limit);
  });
}

/** Whether the body is chunked, without a declared length. */
export function isChunked(incoming: IncomingMessage): boolean {
  return incoming.headers["transfer-encoding"] !== undefined;
}

/**
 * Streams the body, at most up to the limit.
 *
 * @throws `BODY_TOO_LARGE`, or `BODY_INVALID` if the caller disconnects before the end
 */
export async function* countedBody(
  incoming: IncomingMessage,
  limit: BodyLimit,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  // Does not destroy the stream at its end: the response uses the same connection.
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

/** Returns the request with its body counted if it is chunked; else the request itself. */
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

function tooLarge(limit: BodyLimit) {
  return createError("BODY_TOO_LARGE", {
    message: `The body is larger than ${limit.bytesMax()} bytes`,
  });
}

function isAborted(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNRESET";
}
