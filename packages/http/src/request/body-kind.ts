import type { IncomingMessage } from "node:http";

/**
 * The kind of a request's body. The body of an import or of a file is streamed, and has limits of size and time of its
 * own.
 */
export type BodyKind = "IMPORT" | "FILE" | "ORDINARY";

const rowsPath = /^\/api\/[^/?]+\/table\/[^/?]+(?:\?|$)/;
const rowsType = /^(?:text\/csv|application\/x-ndjson)[ \t]*(?:;|$)/i;
const filePaths: Readonly<Record<string, RegExp>> = {
  POST: /^\/api\/files(?:\/uploads)?(?:\?|$)/,
  PUT: /^\/api\/files\/[^/?]+\/content(?:\?|$)/,
  PATCH: /^\/api\/files\/uploads\/[^/?]+(?:\?|$)/,
};

export function bodyKindOf({ method = "", url = "", headers }: IncomingMessage): BodyKind {
  if (method === "POST" && rowsType.test(headers["content-type"] ?? "") && rowsPath.test(url)) {
    return "IMPORT";
  }
  return filePaths[method]?.test(url) ? "FILE" : "ORDINARY";
}
