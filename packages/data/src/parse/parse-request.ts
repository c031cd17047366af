import type { Snapshot } from "@rowhouse/db";
import { createError, throwFaults } from "@rowhouse/errors";
import { type Settings, settingsOf } from "@rowhouse/settings";
import { isPossibleName } from "@rowhouse/wire";
import { inTimeZone } from "./headers.ts";
import { parseListRequest, parseQueryBody, parseReadRequest } from "./parse-read.ts";
import {
  parseCreateRequest,
  parseDeleteManyRequest,
  parseDeleteRequest,
  parseUpdateManyRequest,
  parseUpdateRequest,
} from "./parse-write.ts";
import {
  formOfId,
  noOptions,
  parseId,
  parseQuery,
  parseWhole,
  type RequestLimits,
  requireKnown,
  shapeOf,
} from "./query-parameters.ts";
import type {
  DataRequest,
  HistoryRequest,
  RequestOptions,
  RequestOrigin,
  RequestParts,
  RowAddress,
  Target,
} from "./request.ts";

export const tablePath = "/api/:schema/table/:table";
export const rowPath = `${tablePath}/:id`;
const view = "/api/:schema/view/:name";

/** A method at a path, and the operation that it requests. */
export interface RowRoute {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path with its parameters, such as `:id`. */
  readonly path: string;
  readonly operation: RequestParts["method"];
  /** Set if the response or the body may also be a file. */
  readonly file?: "EXPORT" | "IMPORT";
}

/** The routes of rows: routers, the shortcut past them, and the parsers of addresses derive from this table. */
export const rowRoutes: readonly RowRoute[] = [
  { method: "GET", path: tablePath, operation: "GET", file: "EXPORT" },
  { method: "GET", path: view, operation: "GET", file: "EXPORT" },
  { method: "POST", path: `${tablePath}/query`, operation: "QUERY", file: "EXPORT" },
  { method: "POST", path: `${view}/query`, operation: "QUERY", file: "EXPORT" },
  { method: "GET", path: rowPath, operation: "GET" },
  { method: "GET", path: `${rowPath}/history`, operation: "HISTORY" },
  { method: "POST", path: tablePath, operation: "POST", file: "IMPORT" },
  { method: "PATCH", path: rowPath, operation: "PATCH" },
  { method: "PATCH", path: tablePath, operation: "PATCH" },
  { method: "DELETE", path: rowPath, operation: "DELETE" },
  { method: "DELETE", path: tablePath, operation: "DELETE" },
];

/** Matches the path of a table or of a row in it, without decoding it. Group 1 is the schema, group 3 the id, if any. */
export const tablePathPattern = new RegExp(
  `^${tablePath.replaceAll(/:[a-z]+/g, "([^/]+)")}(?:/([^/]+))?$`,
);

/** Null stands for a parameter. */
type Segments = readonly (string | null)[];

const segmentsOf = (path: string): Segments =>
  path.split("/").map((segment) => (segment.startsWith(":") ? null : segment));
const routesBySegments = rowRoutes.map((route) => ({ route, segments: segmentsOf(route.path) }));
const segmentsOfOperation = (operation: RowRoute["operation"]): readonly Segments[] =>
  routesBySegments
    .filter(({ route }) => route.operation === operation)
    .map(({ segments }) => segments);
const paths: Readonly<Record<RowRoute["operation"], readonly Segments[]>> = {
  GET: segmentsOfOperation("GET"),
  POST: segmentsOfOperation("POST"),
  PATCH: segmentsOfOperation("PATCH"),
  DELETE: segmentsOfOperation("DELETE"),
  QUERY: segmentsOfOperation("QUERY"),
  HISTORY: segmentsOfOperation("HISTORY"),
};

/** Returns the route of a request; undefined for a request for something else than rows. */
export function findRowRoute(method: string, path: string): RowRoute | undefined {
  const parts = path.split("/");
  const isIt = ({ route, segments }: (typeof routesBySegments)[number]) =>
    route.method === method && isOf(segments, parts);
  return routesBySegments.find(isIt)?.route;
}

/**
 * Splits the path of an operation before it decodes the parts. The paths of `GET` are those of every table, row and view.
 *
 * @throws AppError NOT_FOUND for any other path
 */
export function parseAddress(path: string, operation: RowRoute["operation"] = "GET"): RowAddress {
  const parts = path.split("/");
  for (const segments of paths[operation]) {
    if (!isOf(segments, parts)) continue;
    const kind = parts[3] === "view" ? "VIEW" : "TABLE";
    const id = segments[5] === null ? (parts[5] ?? null) : null;
    return addressOf(kind, parts[2] ?? "", parts[4] ?? "", id);
  }
  throw createError("NOT_FOUND");
}

/**
 * Returns the address that a match of `tablePathPattern` names.
 *
 * @throws AppError NOT_FOUND for a name that no schema or table can have
 */
export function addressOfMatch([, schema = "", name = "", id]: RegExpExecArray): RowAddress {
  return addressOf("TABLE", schema, name, id ?? null);
}

function addressOf(
  kind: "TABLE" | "VIEW",
  schema: string,
  name: string,
  id: string | null,
): RowAddress {
  return { target: { schema: decodeSegment(schema), name: decodeSegment(name), kind }, id };
}

function isOf(segments: Segments, parts: readonly string[]): boolean {
  if (segments.length !== parts.length) return false;
  for (let at = 0; at < segments.length; at += 1) {
    const segment = segments[at];
    if (segment === null ? parts[at] === "" : parts[at] !== segment) return false;
  }
  return true;
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
  const shape = shapeOf("HISTORY", target, formOfId(id), limit, cursor !== null);
  return { kind: "HISTORY", target, id, limit, cursor, after: null, shape };
}

const limitsOf = new WeakMap<Settings, RequestLimits>();

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
