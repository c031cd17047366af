import { createHash } from "node:crypto";
import { createError } from "@rowhouse/errors";

/** Returns the entity tag of a content, without quotes. */
export function entityTagOf(content: string): string {
  return createHash("sha256").update(content).digest("base64url").slice(0, 22);
}

/**
 * Requires that a record has one of the tags of `If-Match`; `*` matches every record.
 *
 * @param ifMatch undefined for a request without this condition
 * @throws AppError PRECONDITION_FAILED with the message
 */
export function requireEntityTag(
  tag: string,
  ifMatch: readonly string[] | undefined,
  message: string,
): void {
  if (ifMatch === undefined || ifMatch.includes("*") || ifMatch.includes(tag)) return;
  throw createError("PRECONDITION_FAILED", { message });
}
