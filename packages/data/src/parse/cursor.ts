import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  type KeyObject,
  timingSafeEqual,
} from "node:crypto";
import { type AppError, createError } from "@rowhouse/errors";
import type { CursorValues, DataRequest, ListRequest } from "./request.ts";

const macLength = 16;
/** Bodies are as long as a multiple of this, so that their length tells little of what is in them. */
const bodyStep = 48;

/**
 * A cursor as a caller keeps it. It is signed together with the query that made it, so that one that was changed, or is
 * used with another query, is refused rather than understood in another way. It is encrypted, because the key that
 * breaks ties is part of every order, and may be none of the caller's fields. The signature is the initialization
 * vector, so the same place always has the same cursor.
 *
 * @param query everything of the request that decides which rows come in which order
 */
export function writeCursor(values: CursorValues, query: string, key: string): string {
  const text = JSON.stringify(values);
  const length = Buffer.byteLength(text);
  const body = Buffer.from(text + " ".repeat((bodyStep - (length % bodyStep)) % bodyStep));
  const keys = keysOf(key);
  const mac = sign(body, query, keys);
  const cipher = createCipheriv("aes-256-ctr", keys.encryption, mac);
  return Buffer.concat([mac, cipher.update(body), cipher.final()]).toString("base64url");
}

/**
 * @throws AppError QUERY_INVALID for anything but a cursor of this query
 */
function readCursor(text: string, query: string, key: string): CursorValues {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length <= macLength) throw notOurs();
  const keys = keysOf(key);
  const mac = bytes.subarray(0, macLength);
  const cipher = createDecipheriv("aes-256-ctr", keys.encryption, mac);
  const body = Buffer.concat([cipher.update(bytes.subarray(macLength)), cipher.final()]);
  if (!timingSafeEqual(mac, sign(body, query, keys))) throw notOurs();
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

function sign(body: Buffer, query: string, { signing }: Keys): Buffer {
  const mac = createHmac("sha256", signing).update(query).update("\0").update(body).digest();
  return mac.subarray(0, macLength);
}

interface Keys {
  readonly signing: KeyObject;
  readonly encryption: KeyObject;
}

let latest: { readonly key: string; readonly keys: Keys } | undefined;

/** Derives both keys from one key of the installation. Every full page has a cursor, so the latest keys are cached. */
function keysOf(key: string): Keys {
  if (latest?.key === key) return latest.keys;
  const signing = createSecretKey(hash("sha256", key, "buffer"));
  const encryption = createHmac("sha256", signing).update("cursor encryption").digest();
  latest = { key, keys: { signing, encryption: createSecretKey(encryption) } };
  return latest.keys;
}

function notOurs(): AppError {
  return createError("QUERY_INVALID", {
    path: "cursor",
    message: "This is not a cursor of this query",
  });
}
