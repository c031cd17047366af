import { createError } from "@rowhouse/errors";

/**
 * Returns `*`, or a list of entity tags (RFC 9110 §13.1.1). A weak tag never matches.
 *
 * @param path of the fault: the name of the header, or a pointer
 * @throws AppError QUERY_INVALID
 */
export function entityTagsOf(text: string, path = "If-Match"): readonly string[] {
  if (text.trim() === "*") return ["*"];
  const parts = text.split(",").map((part) => part.trim());
  const tags = parts.map((part) => /^(?:W\/)?"([\x21\x23-\x7e]*)"$/.exec(part)?.[1]);
  if (tags.length > 100 || tags.includes(undefined)) {
    throw createError("QUERY_INVALID", {
      path,
      message: `${path} must be * or a list of entity tags: "…"`,
    });
  }
  return parts.flatMap((part, index) => (part.startsWith("W/") ? [] : [tags[index] ?? ""]));
}
