import { createHmac, timingSafeEqual } from "node:crypto";
import { createError } from "@rowhouse/errors";
import type { DataRequest, ListRequest } from "./request.ts";

/** A place in an ordered list: the values, as text, that its last row is ordered by. */
export type CursorValues = readonly (string | null)[];

const macLength = 16;

/**
 * A cursor as a caller keeps it. It is signed together with the query that made it, so that one that was changed, or is
 * used with another query, is refused rather than understood in another way.
 *
 * @param query everything of the request that decides which rows come in which order
 */
export function writeCursor(values: CursorValues, query: string, key: string): string {
  const body = Buffer.from(JSON.stringify(values));
  return Buffer.concat([sign(body, query, key), body]).toString("base64url");
}

/**
 * @throws AppError QUERY_INVALID for anything but a cursor of this query
 */
function readCursor(text: string, query: string, key: string): CursorValues {
  const bytes = Buffer.from(text, "base64url");
  const body = bytes.subarray(macLength);
  const isOurs =
    bytes.length > macLength &&
    timingSafeEqual(bytes.subarray(0, macLength), sign(body, query, key));
  if (!isOurs) {
    throw createError("QUERY_INVALID", {
      path: "cursor",
      message: "This is not a cursor of this query",
    });
  }
  return JSON.parse(body.toString()) as CursorValues;
}

/** All of a list that decides which rows come in which order; a page's size and fields may change on the way. */
export function cursorQueryOf(request: ListRequest): string {
  const { target, where, search, slots, order } = request;
  return JSON.stringify([target, where, search, slots.map((slot) => slot.value), order]);
}

/**
 * A list with the place that its cursor names; other requests as they are.
 *
 * @throws AppError QUERY_INVALID for a cursor that is not of this query
 */
export function openCursor<Request extends DataRequest>(request: Request, key: string): Request {
  if (request.kind !== "LIST" || request.cursor === null) return request;
  const after = readCursor(request.cursor, cursorQueryOf(request), key);
  const nulls = after.map((value) => (value === null ? "0" : "1")).join("");
  return { ...request, after, shape: `${request.shape} ${nulls}` };
}

function sign(body: Buffer, query: string, key: string): Buffer {
  return createHmac("sha256", key)
    .update(query)
    .update("\0")
    .update(body)
    .digest()
    .subarray(0, macLength);
}
