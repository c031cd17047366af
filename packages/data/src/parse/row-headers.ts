import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { exportFormatOf } from "./accepted-format.ts";
import { entityTagsOf } from "./entity-tags.ts";
import type { RequestOptions } from "./request.ts";

/** The readable part of `Headers`. */
export type ReadableHeaders = Pick<Headers, "get" | "has">;

/** The options of a request from `Prefer` and `If-Match`. */
export function requestOptionsOf(headers: ReadableHeaders): RequestOptions {
  const prefer = headers.get("prefer");
  const ifMatch = headers.get("if-match");
  return {
    etags: prefer !== null && /(?:^|[,;])\s*etags\s*(?:$|[,;])/i.test(prefer),
    minimal: prefer !== null && /(?:^|[,;])\s*return\s*=\s*"?minimal"?\s*(?:$|[,;])/i.test(prefer),
    representation:
      prefer !== null && /(?:^|[,;])\s*return\s*=\s*"?representation"?\s*(?:$|[,;])/i.test(prefer),
    ifMatch: ifMatch === null ? null : entityTagsOf(ifMatch),
  };
}

/** The properties of a request that decide which headers apply. */
export interface RowRequestKind {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE" | "HISTORY";
  /** Whether the path names one row by its key. */
  readonly isRow: boolean;
}

/**
 * Ensures that each header of the Data API's documents is honored by the request at hand.
 *
 * @throws AppError QUERY_INVALID that names the header, and where it applies or its form
 */
export function requireHonored(headers: ReadableHeaders, { method, isRow }: RowRequestKind): void {
  const isWrite = method !== "GET" && method !== "HISTORY";
  const faults: Fault[] = [];
  const refuse = (name: string, message: string): void => {
    if (headers.has(name)) faults.push(createFault("QUERY_INVALID", { path: name, message }));
  };
  if (!isRow || !isWrite) {
    refuse("If-Match", "If-Match applies to PATCH and DELETE of one row by its id");
  }
  if (!isRow || method !== "GET") {
    refuse("If-None-Match", "If-None-Match applies to GET of one row by its id");
  }
  if (isWrite && method !== "POST" && !isRow) {
    refuse("Idempotency-Key", "Idempotency-Key applies to POST, and to one row by its id");
  }
  const preferences = isWrite ? writePreference : isRow ? noPreference : listPreference;
  const prefer = headers.get("prefer");
  if (prefer !== null && !prefer.split(/[,;]/).every((part) => preferences.test(part.trim()))) {
    refuse(
      "Prefer",
      "Prefer takes return=minimal or return=representation on a write, etags on a list",
    );
  }
  if ((isRow || isWrite) && wantsFile(headers.get("accept"))) {
    refuse("Accept", "Exports (text/csv, application/x-ndjson) are of lists: GET without an id");
  }
  const timing = headers.get("x-service-timing");
  if (timing !== "true" && timing !== "false") {
    refuse("X-Service-Timing", "X-Service-Timing must be true or false");
  }
  throwFaults(faults);
  // A malformed list is refused here, before the row is read.
  knownTagsOf(headers);
}

const writePreference = /^(?:return\s*=\s*"?(?:minimal|representation)"?)?$/i;
const listPreference = /^(?:etags)?$/i;
const noPreference = /^$/;

/** Whether only the form of an export is accepted. */
function wantsFile(accept: string | null): boolean {
  if (accept === null || exportFormatOf(accept) === undefined) return false;
  return !/(?:\/json|\*\/\*|application\/\*)/i.test(accept);
}

/** Returns whether the reader of a row has this version already: its tag is among those of `If-None-Match`. */
export function isKnownVersion(headers: ReadableHeaders, tag: string | undefined): boolean {
  const tags = knownTagsOf(headers);
  return tag !== undefined && (tags.includes("*") || tags.includes(tag.slice(1, -1)));
}

/** The entity tags of `If-None-Match`, of which weak ones match as well. */
function knownTagsOf(headers: ReadableHeaders): readonly string[] {
  const known = headers.get("if-none-match");
  return known === null ? [] : entityTagsOf(known.replaceAll("W/", ""), "If-None-Match");
}

/**
 * Returns the `Idempotency-Key`, or undefined without one.
 *
 * @throws AppError QUERY_INVALID for a key that is empty, too long or not printable
 */
export function idempotencyKeyOf(headers: ReadableHeaders): string | null {
  const key = headers.get("idempotency-key");
  if (key === null || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw createError("QUERY_INVALID", {
    path: "Idempotency-Key",
    message: "An idempotency key must have 1 to 255 printable characters without spaces",
  });
}
