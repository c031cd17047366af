import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { isTimeZone, type Settings } from "@rowhouse/settings";
import type { DataRequest, RequestOptions, RequestOrigin, RequestParts } from "./request.ts";

/** The part of a request's origin that does not come from its headers. */
export interface ReceivedParts {
  readonly parts: RequestParts;
  /** Bytes of the body, 0 without one. */
  readonly bodyBytes: number;
  readonly settings: Settings;
  readonly isAbandoned: () => boolean;
}

/**
 * Completes the origin of a request by its headers.
 *
 * @throws AppError QUERY_INVALID for a header that the request cannot honor
 */
export function requestOriginOf(headers: ReadableHeaders, received: ReceivedParts): RequestOrigin {
  const { method, id } = received.parts;
  requireHonored(headers, { method, isRow: id !== null });
  const { parts, bodyBytes, settings, isAbandoned } = received;
  // Each property by its name: a spread costs several microseconds.
  return {
    parts,
    bodyBytes,
    settings,
    isAbandoned,
    options: requestOptionsOf(headers),
    timeZone: headers.get("x-service-timezone"),
    isTimed: headers.get("x-service-timing") === "true",
  };
}

type ReadableHeaders = Pick<Headers, "get" | "has">;

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
  readonly method: RequestParts["method"];
  /** Whether the path names one row by its key. */
  readonly isRow: boolean;
}

/**
 * Ensures that each header of the Data API's documents is honored by the request at hand.
 *
 * @throws AppError QUERY_INVALID that names the header, and where it applies or its form
 */
export function requireHonored(headers: ReadableHeaders, { method, isRow }: RowRequestKind): void {
  const isWrite = method === "POST" || method === "PATCH" || method === "DELETE";
  const faults: Fault[] = [];
  const refuse = (name: string, message: string): void => {
    if (headers.has(name)) faults.push(createFault("QUERY_INVALID", { path: name, message }));
  };
  if (!isRow || !isWrite) {
    refuse("If-Match", "If-Match applies to PATCH and DELETE of one row by its id");
  }
  if (method !== "GET" || (!isRow && exportFormatOf(headers.get("accept")) !== undefined)) {
    refuse("If-None-Match", "If-None-Match applies to GET of a row or a list as JSON");
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

/** Whether the reader asks for the tag of a response, in order to read it again only if it has changed. */
export function wantsTag(headers: ReadableHeaders): boolean {
  return headers.has("if-none-match");
}

/** Returns whether the reader has this version already: its tag is among those of `If-None-Match`. */
export function isKnownVersion(headers: ReadableHeaders, tag: string | undefined): boolean {
  const tags = knownTagsOf(headers);
  return tag !== undefined && (tags.includes("*") || tags.includes(tag.slice(1, -1)));
}

/** The entity tags of `If-None-Match`, of which weak ones match as well. */
function knownTagsOf(headers: ReadableHeaders): readonly string[] {
  const known = headers.get("if-none-match");
  return known === null ? [] : entityTagsOf(known.replaceAll("W/", ""), "If-None-Match");
}

export type ExportFormat = "CSV" | "NDJSON";

/** Formats that a media range selects; a wildcard selects JSON. */
const formats: ReadonlyMap<string, ExportFormat | "JSON"> = new Map([
  ["text/csv", "CSV"],
  ["application/x-ndjson", "NDJSON"],
  ["application/json", "JSON"],
  ["application/*", "JSON"],
  ["*/*", "JSON"],
]);

/**
 * Returns the format that a caller prefers to the JSON of a list, by the `Accept` header (RFC 9110 §12.5.1): among
 * equal ranges the one that names its type, then the first. Returns undefined unless the header names CSV or NDJSON.
 */
export function exportFormatOf(accept: string | null): ExportFormat | undefined {
  if (accept === null || !/csv|ndjson/i.test(accept)) return undefined;
  const ranges = accept
    .toLowerCase()
    .split(",")
    .flatMap((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
      const format = formats.get(type);
      const quality = qualityOf(parameters);
      return format === undefined || quality === 0 ? [] : [{ type, format, quality }];
    });
  const isNamed = ({ type }: { readonly type: string }) => Number(!type.endsWith("*"));
  ranges.sort((a, b) => b.quality - a.quality || isNamed(b) - isNamed(a));
  const format = ranges[0]?.format;
  return format === "JSON" ? undefined : format;
}

function qualityOf(parameters: readonly string[]): number {
  const written = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  if (written === undefined) return 1;
  return /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/.test(written) ? Number(written) : 0;
}

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

/** The path in errors about the caller's time zone. */
export const timeZoneHeader = "X-Service-Timezone";

/**
 * Sets the time zone of a request from the header `X-Service-Timezone`; null for none.
 *
 * @throws AppError QUERY_INVALID for anything but an IANA time zone name
 */
export function inTimeZone<Parsed extends DataRequest>(
  request: Parsed,
  timeZone: string | null,
): Parsed {
  if (timeZone === null) return request;
  if (!isTimeZone(timeZone)) {
    throw createError("QUERY_INVALID", {
      path: timeZoneHeader,
      message: "X-Service-Timezone must be an IANA time zone name, such as Europe/Oslo",
    });
  }
  return { ...request, timeZone };
}
