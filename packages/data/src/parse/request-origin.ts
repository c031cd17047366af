import type { Settings } from "@rowhouse/settings";
import type { RequestOrigin, RequestParts } from "./request.ts";
import { type ReadableHeaders, requestOptionsOf, requireHonored } from "./row-headers.ts";

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
  requireHonored(headers, { method: method === "QUERY" ? "GET" : method, isRow: id !== null });
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
