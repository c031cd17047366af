import type { IncomingMessage } from "node:http";

const rowsPath = /^\/api\/[^/?]+\/table\/[^/?]+(?:\?|$)/;
const fileType = /^(?:text\/csv|application\/x-ndjson)[ \t]*(?:;|$)/i;

/** Whether a request imports a file. Its body is streamed, and has limits of size and time of its own. */
export function isImport({ method, url, headers }: IncomingMessage): boolean {
  return (
    method === "POST" &&
    headers["content-type"] !== undefined &&
    fileType.test(headers["content-type"]) &&
    rowsPath.test(url ?? "")
  );
}
