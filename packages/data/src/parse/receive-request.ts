import type { Snapshot } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import type { RequestLimits } from "./parse-parts.ts";
import type { DataRequest, RequestOptions, RequestOrigin, RequestParts } from "./request.ts";
import { requestLimitsOf } from "./request-limits.ts";
import { inTimeZone } from "./time-zone.ts";

/** @throws AppError with every error of the request */
export type RequestParser<Parsed extends DataRequest> = (
  parts: RequestParts,
  limits: RequestLimits,
  options: RequestOptions,
) => Parsed;

/**
 * Parses an HTTP request under its settings.
 *
 * @throws AppError BODY_TOO_LARGE, or the errors of the parser
 */
export function receiveRequest<Parsed extends DataRequest>(
  parse: RequestParser<Parsed>,
  origin: RequestOrigin,
): Parsed {
  const { parts, options, timeZone, bodyBytes, settings } = origin;
  if (bodyBytes > settings["limits.body_bytes"]) throw createError("BODY_TOO_LARGE");
  const request = parse(parts, requestLimitsOf(settings), options);
  // Adds to the new object: a copy of it costs a microsecond.
  return Object.assign(inTimeZone(request, timeZone), { origin });
}

/**
 * Returns a request under the settings of a snapshot; parses it again if it was parsed under others.
 *
 * @throws AppError if these settings do not permit the request
 */
export function underSettingsOf<Parsed extends DataRequest>(
  snapshot: Snapshot,
  request: Parsed,
  parse: RequestParser<Parsed>,
): Parsed {
  const settings = settingsOf(snapshot);
  const { origin } = request;
  if (origin === undefined || origin.settings === settings) return request;
  return receiveRequest(parse, { ...origin, settings });
}
