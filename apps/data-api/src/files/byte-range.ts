import { createError } from "@rowhouse/errors";
import parseRange from "range-parser";

/** The first and the last byte of a part. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the part of a file that a request asks for; undefined for the whole file, which also answers several ranges,
 * other units, and a part of another version than the current one.
 *
 * @param tag the entity tag of the current version
 * @throws AppError RANGE_INVALID
 */
export function rangeOf(headers: Headers, bytes: number, tag: string): ByteRange | undefined {
  const range = headers.get("range");
  const version = headers.get("if-range");
  if (range === null || (version !== null && version !== tag)) return undefined;
  const ranges = parseRange(bytes, range, { combine: true });
  if (ranges === -1) {
    throw createError("RANGE_INVALID", { headers: { "Content-Range": `bytes */${bytes}` } });
  }
  if (ranges === -2 || ranges.type !== "bytes" || ranges.length !== 1) return undefined;
  return ranges[0];
}
