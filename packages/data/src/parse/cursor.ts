import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  type KeyObject,
} from "node:crypto";
import { type AppError, createError } from "@rowhouse/errors";
import type { CursorValues, DataRequest, ListRequest } from "./request.ts";

const cipherName = "aes-256-gcm";
const nonceLength = 12;
const tagLength = 16;
/** Texts are padded to a multiple of this, so that the length of a cursor reveals little of its content. */
const textStep = 48;

/**
 * Creates a cursor. It is encrypted, because every order contains the key as a tie-breaker, which may be hidden from the
 * caller, and authenticated together with its query, so that a changed cursor or one of another query is rejected. The
 * nonce is a keyed hash of the content, so a position always has the same cursor.
 *
 * @param query the part of the request that determines the rows and their order
 */
export function writeCursor(values: CursorValues, query: string, key: string): string {
  const text = JSON.stringify(values);
  const length = Buffer.byteLength(text);
  const padded = text + " ".repeat((textStep - (length % textStep)) % textStep);
  const keys = keysOf(key);
  const nonce = hash("sha256", `${keys.nonce}${query}\0${padded}`, "buffer").subarray(
    0,
    nonceLength,
  );
  const cipher = createCipheriv(cipherName, keys.encryption, nonce);
  cipher.setAAD(Buffer.from(query));
  const parts = [nonce, cipher.update(padded), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(parts).toString("base64url");
}

/**
 * Decrypts a cursor and verifies that it belongs to this query.
 *
 * @throws AppError QUERY_INVALID for anything but a cursor of this query
 */
function readCursor(text: string, query: string, key: string): CursorValues {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length <= nonceLength + tagLength) throw notOurs();
  const nonce = bytes.subarray(0, nonceLength);
  const options = { authTagLength: tagLength };
  const decipher = createDecipheriv(cipherName, keysOf(key).encryption, nonce, options);
  decipher.setAAD(Buffer.from(query)).setAuthTag(bytes.subarray(-tagLength));
  try {
    const start = decipher.update(bytes.subarray(nonceLength, -tagLength));
    return JSON.parse(Buffer.concat([start, decipher.final()]).toString()) as CursorValues;
  } catch {
    throw notOurs();
  }
}

/** Returns the parameters that determine the rows and their order; page size and fields may differ between pages. */
export function cursorQueryOf(request: ListRequest): string {
  const { target, where, search, slots, order } = request;
  return JSON.stringify([target, where, search, slots.map((slot) => slot.value), order]);
}

/**
 * Replaces the cursor of a list by the position that it marks; returns other requests unchanged.
 *
 * @throws AppError QUERY_INVALID for a cursor of another query
 */
export function openCursor<Request extends DataRequest>(request: Request, key: string): Request {
  if (request.kind !== "LIST" || request.cursor === null) return request;
  const after = readCursor(request.cursor, cursorQueryOf(request), key);
  const nulls = after.map((value) => (value === null ? "0" : "1")).join("");
  return { ...request, after, shape: `${request.shape} ${nulls}` };
}

interface Keys {
  readonly encryption: KeyObject;
  /** Makes the nonce unpredictable for callers who know the content. */
  readonly nonce: string;
}

let latest: { readonly key: string; readonly keys: Keys } | undefined;

/** Derives both keys from one key of the installation. Every full page has a cursor, so the latest keys are cached. */
function keysOf(key: string): Keys {
  if (latest?.key === key) return latest.keys;
  const encryption = createSecretKey(hash("sha256", `cursor encryption ${key}`, "buffer"));
  latest = { key, keys: { encryption, nonce: hash("sha256", `cursor nonce ${key}`) } };
  return latest.keys;
}

function notOurs(): AppError {
  return createError("QUERY_INVALID", {
    path: "cursor",
    message: "This is not a cursor of this query",
  });
}
