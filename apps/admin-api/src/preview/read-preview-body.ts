import { createError } from "@rowhouse/errors";

/**
 * Reads a file of a preview, which may have as many bytes as a list.
 *
 * @throws AppError QUERY_INVALID for a larger file
 */
export async function readPreviewBody(
  body: ReadableStream<Uint8Array>,
  bytesMax: number,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the stream, which ends the statement.
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      throw createError("QUERY_INVALID", {
        message: "The export exceeds data.max_response_bytes: preview fewer rows or fields",
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
