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
import type { CursorValues, DataRequest, HistoryRequest, ListRequest } from "./request.ts";

const macLength = 16;
/** Ciphertexts are padded to a multiple of this, so that their length reveals little of their content. */
const bodyStep = 48;

/**
 * Creates a cursor. It is signed together with its query, so a changed cursor or one of another query is rejected. It
 * is encrypted, because every order contains the key as a tie-breaker, which may be hidden from the caller. The
 * signature is the initialization vector, so a position always has the same cursor.
 *
 * @param query the part of the request that determines the rows and their order
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
 * Decrypts a cursor and verifies its signature.
 *
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

/** Returns the parameters that determine the rows and their order; page size and fields may differ between pages. */
export function cursorQueryOf(request: ListRequest | HistoryRequest): string {
  if (request.kind === "HISTORY") return JSON.stringify(["HISTORY", request.target, request.id]);
  const { target, where, search, slots, order } = request;
  return JSON.stringify([target, where, search, slots.map((slot) => slot.value), order]);
}

/**
 * Replaces the cursor of a list or a history by the position that it marks; returns other requests unchanged.
 *
 * @throws AppError QUERY_INVALID for a cursor of another query
 */
export function openCursor<Request extends DataRequest>(request: Request, key: string): Request {
  if (!("cursor" in request) || request.cursor === null) return request;
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
