import { createError } from "@rowhouse/errors";
import parseRange from "range-parser";

/** The first and the last byte of a part. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the part of a file that a request asks for; undefined for the whole file, which also answers several ranges,
 * other units, a part of another version than the current one, and a method other than GET (RFC 9110, section 14.2).
 *
 * @param tag the entity tag of the current version
 * @throws AppError RANGE_INVALID
 */
export function rangeOf(
  { method, headers }: Pick<Request, "method" | "headers">,
  bytes: number,
  tag: string,
): ByteRange | undefined {
  const range = headers.get("range");
  const version = headers.get("if-range");
  if (method !== "GET" || range === null || (version !== null && version !== tag)) return undefined;
  // The last bytes of a file that has fewer are all of it; the library refuses them.
  const last = Number(/^bytes=-([0-9]{1,15})$/.exec(range)?.[1] ?? 0);
  if (bytes > 0 && last >= bytes) return { start: 0, end: bytes - 1 };
  const ranges = parseRange(bytes, range, { combine: true });
  if (ranges === -1) {
    throw createError("RANGE_INVALID", { headers: { "Content-Range": `bytes */${bytes}` } });
  }
  if (ranges === -2 || ranges.type !== "bytes" || ranges.length !== 1) return undefined;
  return ranges[0];
}
