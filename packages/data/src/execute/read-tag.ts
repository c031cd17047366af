import { hash } from "node:crypto";

/**
 * Returns the `ETag` of a read of one row: the row's own tag, which `If-Match` compares, followed by a hash of the response
 * if that shows other rows, for `If-None-Match` (RFC 9110 §8.8.1: a strong validator changes with the representation).
 *
 * @param shown the body with rows other than the one that is read; null for a body of that row alone
 */
export function readTag(ownTag: string, shown: string | null): string {
  return shown === null ? `"${ownTag}"` : `"${ownTag}.${hash("md5", shown)}"`;
}

/** Returns the row's own tag in the tag of a read, without quotes. */
export function ownTagOf(tag: string): string {
  return /^([0-9a-f]{32})\.[0-9a-f]{32}$/.exec(tag)?.[1] ?? tag;
}
