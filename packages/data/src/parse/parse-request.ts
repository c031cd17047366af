import type { Snapshot } from "@rowhouse/db";
import { createError, throwFaults } from "@rowhouse/errors";
import { type Settings, settingsOf } from "@rowhouse/settings";
import { isPossibleName } from "@rowhouse/wire";
import { inTimeZone } from "./headers.ts";
import { parseQueryBody } from "./parse-query-body.ts";
import { parseListRequest, parseReadRequest } from "./parse-read.ts";
import {
  parseCreateRequest,
  parseDeleteManyRequest,
  parseDeleteRequest,
  parseUpdateManyRequest,
  parseUpdateRequest,
} from "./parse-write.ts";
import {
  noOptions,
  parseId,
  parseQuery,
  parseWhole,
  type RequestLimits,
  requireKnown,
  shapeOf,
} from "./query-parameters.ts";
import type {
  Address,
  DataRequest,
  HistoryRequest,
  RequestOptions,
  RequestOrigin,
  RequestParts,
  Target,
} from "./request.ts";

/**
 * Splits `/api/{schema}/{table|view}/{name}[/{id}]` before it decodes the parts.
 *
 * @throws AppError NOT_FOUND for any other path
 */
export function parseAddress(path: string): Address {
  const [root, api, schema = "", kind, name = "", id = null, ...rest] = path.split("/");
  const isOurs =
    root === "" &&
    api === "api" &&
    (kind === "table" || (kind === "view" && id === null)) &&
    schema !== "" &&
    name !== "" &&
    id !== "" &&
    rest.length === 0;
  if (!isOurs) throw createError("NOT_FOUND");
  const target = {
    schema: decodeSegment(schema),
    name: decodeSegment(name),
    kind: kind === "view" ? "VIEW" : "TABLE",
  } as const;
  return { target, id };
}

function decodeSegment(segment: string): string {
  if (!segment.includes("%")) return segment;
  let name: string;
  try {
    name = decodeURIComponent(segment);
  } catch {
    throw createError("NOT_FOUND");
  }
  if (!isPossibleName(name)) throw createError("NOT_FOUND");
  return name;
}

/**
 * Parses a request.
 *
 * @throws AppError with every error of the request; METHOD_NOT_ALLOWED for a method that the kind of URL does not
 * support
 */
export function parseRequest(
  { method, target, id, query, data }: RequestParts,
  limits: RequestLimits,
  options: RequestOptions = noOptions,
): DataRequest {
  const isView = target.kind === "VIEW";
  if (method === "QUERY") return parseQueryBody({ target, query, data }, limits, options);
  if (method === "HISTORY") {
    if (isView || id === null) throw createError("NOT_FOUND");
    return parseHistoryRequest(target, id, query, limits);
  }
  if ((isView && method !== "GET") || (method === "POST" && id !== null)) {
    const allow = isView ? "GET, HEAD" : "GET, HEAD, PATCH, DELETE";
    throw createError("METHOD_NOT_ALLOWED", { headers: { Allow: allow } });
  }
  switch (method) {
    case "GET":
      return id === null
        ? parseListRequest(target, query, limits, options)
        : parseReadRequest(target, id, query, limits);
    case "POST":
      return parseCreateRequest(target, query, data, limits, options);
    case "PATCH":
      return id === null
        ? parseUpdateManyRequest(target, query, data, limits, options)
        : parseUpdateRequest(target, id, query, data, options);
    case "DELETE":
      return id === null
        ? parseDeleteManyRequest(target, query, limits, options)
        : parseDeleteRequest(target, id, query, options);
    default:
      return method satisfies never;
  }
}

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

/**
 * Parses `GET …/{id}/history`.
 *
 * @throws AppError QUERY_INVALID
 */
export function parseHistoryRequest(
  target: Target,
  rawId: string,
  rawQuery: string,
  { limitDefault, limitMax }: RequestLimits,
): HistoryRequest {
  const query = parseQuery(rawQuery);
  const faults = requireKnown(query, ["limit", "cursor"], []);
  const limit = parseWhole(query.single.get("limit"), "limit", limitDefault, limitMax, faults);
  throwFaults(faults);
  const id = parseId(rawId);
  const cursor = query.single.get("cursor") ?? null;
  const shape = shapeOf("HISTORY", target, id.length, limit, cursor !== null);
  return { kind: "HISTORY", target, id, limit, cursor, after: null, shape };
}

const limitsOf = new WeakMap<Settings, RequestLimits>();

/** Returns the limits of a request from the settings. */
export function requestLimitsOf(settings: Settings): RequestLimits {
  let limits = limitsOf.get(settings);
  if (limits === undefined) {
    limits = readLimits(settings);
    limitsOf.set(settings, limits);
  }
  return limits;
}

function readLimits(settings: Settings): RequestLimits {
  return {
    limitDefault: settings["data.default_limit"],
    limitMax: settings["data.max_limit"],
    filterNodesMax: settings["data.max_filter_nodes"],
    filterDepthMax: settings["data.max_filter_depth"],
    listMax: settings["data.max_in_values"],
    rowsMax: settings["data.max_array_rows"],
    affectedMax: settings["data.max_affected"],
  };
}
