import { AppError, createError } from "@rowhouse/errors";
import { readWithin } from "@rowhouse/limits";

/**
 * Yields the bytes of a body as they arrive.
 *
 * @param stallMs time without a byte after which the upload ends, in milliseconds
 * @throws AppError BODY_INVALID for a body that breaks off or stalls; the errors of the gateway
 */
export async function* uploadBody(
  body: ReadableStream<Uint8Array> | null,
  stallMs: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  let isRead = false;
  try {
    for (;;) {
      const { done, value } = await readNext(reader, stallMs);
      isRead = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (isRead) reader.releaseLock();
    else void discardRest(reader);
  }
}

/**
 * Reads the rest of a body that is not used, so that the connection can serve further requests. To cancel the stream would
 * close the connection before its response. The server ends a body that lasts long after its response.
 */
async function discardRest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    for (;;) if ((await reader.read()).done) return;
  } catch {
    // The connection has ended.
  } finally {
    reader.releaseLock();
  }
}

async function readNext(reader: ReadableStreamDefaultReader<Uint8Array>, stallMs: number) {
  const stalled = () =>
    createError("BODY_INVALID", {
      message: `The body stalled for ${stallMs} ms (files.upload_stall_ms)`,
    });
  try {
    return await readWithin(reader, stallMs, stalled);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw createError("BODY_INVALID", { message: "The body could not be read", cause });
  }
}
