import { createError } from "@rowhouse/errors";
import { isPossibleName } from "@rowhouse/wire";
import { parseHistoryRequest } from "./parse-history.ts";
import { noOptions, type RequestLimits } from "./parse-parts.ts";
import { parseQueryBody } from "./parse-query-body.ts";
import { parseListRequest, parseReadRequest } from "./parse-read.ts";
import {
  parseCreateRequest,
  parseDeleteManyRequest,
  parseDeleteRequest,
  parseUpdateManyRequest,
  parseUpdateRequest,
} from "./parse-write.ts";
import type { Address, DataRequest, RequestOptions, RequestParts } from "./request.ts";

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
