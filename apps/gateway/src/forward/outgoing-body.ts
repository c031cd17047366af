import type { IncomingMessage } from "node:http";
import { createError } from "@rowhouse/errors";
import { type BodyLimit, countedBody, isChunked } from "../bound-body.ts";

/** The body of a request as it goes on to a service. */
export interface OutgoingBody {
  /** What is sent: nothing, all of it at once, or as it comes. */
  readonly content: Buffer | AsyncIterable<Uint8Array> | null;
  /** Whether it can be sent once more: none of it was handed out, or all of it is at hand. */
  canRepeat(): boolean;
}

/**
 * Bodies up to here are taken in whole and sent together with the headers: one packet for nearly every request, and a caller
 * who sends a byte a second keeps no service waiting.
 */
const wholeBytesMax = 65_536;

const none: OutgoingBody = { content: null, canRepeat: () => true };

/**
 * Takes in a small body, or prepares a large one, and one of unknown length, to be streamed.
 *
 * @throws `BODY_INVALID` when the caller went away before the end of a small one
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
