import type { WriteOptions } from "@rowhouse/data";
import { createError } from "@rowhouse/errors";

/** What `Prefer` and `If-Match` ask of a write. */
export function writeOptionsOf(headers: Headers): WriteOptions {
  const prefer = headers.get("prefer");
  const ifMatch = headers.get("if-match");
  return {
    minimal: prefer !== null && /(?:^|[,;])\s*return\s*=\s*"?minimal"?\s*(?:$|[,;])/i.test(prefer),
    ifMatch: ifMatch === null ? null : entityTagsOf(ifMatch),
  };
}

/** `*`, or a list of entity tags (RFC 9110 §13.1.1). A weak one never matches. */
function entityTagsOf(text: string): readonly string[] {
  if (text.trim() === "*") return ["*"];
  const parts = text.split(",").map((part) => part.trim());
  const tags = parts.map((part) => /^(?:W\/)?"([\x21\x23-\x7e]*)"$/.exec(part)?.[1]);
  if (tags.length > 100 || tags.includes(undefined)) {
    throw createError("QUERY_INVALID", {
      path: "If-Match",
      message: 'If-Match is * or a list of entity tags: "…"',
    });
  }
  return parts.flatMap((part, index) => (part.startsWith("W/") ? [] : [tags[index] ?? ""]));
}

/**
 * `Idempotency-Key`, if there is one.
 *
 * @throws AppError QUERY_INVALID for a key that is empty, too long or not printable
 */
export function idempotencyKeyOf(headers: Headers): string | null {
  const key = headers.get("idempotency-key");
  if (key === null || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw createError("QUERY_INVALID", {
    path: "Idempotency-Key",
    message: "An idempotency key has 1 to 255 printable characters without spaces",
  });
}
