import type { IncomingMessage } from "node:http";
import { createError } from "@rowhouse/errors";
import { type BodyLimit, countedBody, isChunked } from "../request/bound-body.ts";

/** The body of a request to a service. */
export interface OutgoingBody {
  /** The content: empty, complete, or a stream. */
  readonly content: Buffer | AsyncIterable<Uint8Array> | null;
  /** Whether it can be sent again: none of it was read, or it is complete in memory. */
  canRepeat(): boolean;
}

/**
 * Bodies up to this size are read completely and sent together with the headers: one packet for almost every request.
 * And a caller that sends one byte per second does not occupy a service.
 */
const wholeBytesMax = 65_536;

const none: OutgoingBody = { content: null, canRepeat: () => true };

/**
 * Reads a small body; prepares a large body, or one of unknown length, for streaming.
 *
 * @throws `BODY_INVALID` if the caller disconnects before the end of a small one
 */
export function takeBody(
  incoming: IncomingMessage,
  limit: BodyLimit,
): OutgoingBody | Promise<OutgoingBody> {
  const { method } = incoming;
  const length = Number(incoming.headers["content-length"] ?? 0);
  if (method === "GET" || method === "HEAD" || (length === 0 && !isChunked(incoming))) return none;
  if (isChunked(incoming) || length > wholeBytesMax) return streamed(incoming, limit);
  return readWhole(incoming).then((content) => ({ content, canRepeat: () => true }));
}

function streamed(incoming: IncomingMessage, limit: BodyLimit): OutgoingBody {
  let isTaken = false;
  async function* content() {
    isTaken = true;
    yield* countedBody(incoming, limit);
  }
  return { content: content(), canRepeat: () => !isTaken };
}

function readWhole(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.once("end", () =>
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
    );
    incoming.once("error", (cause) =>
      reject(createError("BODY_INVALID", { message: "The body could not be read", cause })),
    );
  });
}
