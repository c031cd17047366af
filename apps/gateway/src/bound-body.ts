import type { IncomingMessage } from "node:http";
import { createError } from "@rowhouse/errors";

/** An incoming request whose body was read already; the server's `Request` takes it from here. */
interface BufferedMessage extends IncomingMessage {
  rawBody?: Buffer;
}

/**
 * Refuses a body over the limit before anyone reads it. A length that was declared is held to by the HTTP parser; a body
 * in chunks declares none, so it is read here, up to the limit, and kept for whoever asks for it.
 *
 * @param bytesMax the limit at hand
 * @param refresh brings the limit up to date; asked before a body is refused for it
 * @returns a promise only for a body in chunks, or over the limit at hand
 * @throws `BODY_TOO_LARGE`, or `BODY_INVALID` when the caller went away before its end
 */
export function boundBody(
  incoming: IncomingMessage,
  bytesMax: () => number,
  refresh: () => Promise<void>,
): Promise<void> | undefined {
  if (incoming.headers["transfer-encoding"] !== undefined) {
    return refresh().then(() => readChunks(incoming, bytesMax()));
  }
  const length = Number(incoming.headers["content-length"] ?? 0);
  if (length <= bytesMax()) return undefined;
  return refresh().then(() => {
    if (length > bytesMax()) throw tooLarge(bytesMax());
  });
}

/** The body, if it was read already. */
export function bufferedBody(incoming: IncomingMessage): Buffer | undefined {
  return (incoming as BufferedMessage).rawBody;
}

function readChunks(incoming: IncomingMessage, bytesMax: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (error?: Error) => {
      incoming.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > bytesMax) finish(tooLarge(bytesMax));
      else chunks.push(chunk);
    };
    const onEnd = () => {
      (incoming as BufferedMessage).rawBody = Buffer.concat(chunks);
      finish();
    };
    const onClose = () =>
      finish(createError("BODY_INVALID", { message: "The body could not be read" }));
    incoming.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose);
  });
}

function tooLarge(bytesMax: number) {
  return createError("BODY_TOO_LARGE", {
    message: `The body is larger than ${bytesMax} bytes`,
    // The rest of the body is not read, so nothing else can come over this connection.
    headers: { Connection: "close" },
  });
}
