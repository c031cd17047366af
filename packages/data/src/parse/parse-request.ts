import { createError } from "@rowhouse/errors";
import { isPossibleName } from "@rowhouse/json";
import type { RequestLimits } from "./parse-parts.ts";
import { parseListRequest, parseReadRequest } from "./parse-read.ts";
import {
  parseCreateRequest,
  parseDeleteManyRequest,
  parseDeleteRequest,
  parseUpdateManyRequest,
  parseUpdateRequest,
} from "./parse-write.ts";
import type { DataRequest, Target, WriteOptions } from "./request.ts";

/** What an address of the Data API names. */
export interface Address {
  readonly target: Target;
  /** As it was sent: its parts are decoded after they are split. Null for the relation itself. */
  readonly id: string | null;
}

/** A request in its parts: stage 1 of the pipeline makes a `DataRequest` of them. */
export interface RequestParts extends Address {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** As it was sent, without the question mark. */
  readonly query: string;
  /** What the body holds under `data`; nothing where there is no body. */
  readonly data?: unknown;
}

/**
 * `/api/{schema}/{table|view}/{name}[/{id}]`, taken apart before anything is decoded.
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
 * Reads a request out of its parts.
 *
 * @throws AppError of the contract, METHOD_NOT_ALLOWED for a method that the address never takes
 */
export function parseRequest(
  { method, target, id, query, data }: RequestParts,
  limits: RequestLimits,
  options?: WriteOptions,
): DataRequest {
  const isView = target.kind === "VIEW";
  if ((isView && method !== "GET") || (method === "POST" && id !== null)) {
    const allow = isView ? "GET, HEAD" : "GET, HEAD, PATCH, DELETE";
    throw createError("METHOD_NOT_ALLOWED", { headers: { Allow: allow } });
  }
  switch (method) {
    case "GET":
      return id === null
        ? parseListRequest(target, query, limits)
        : parseReadRequest(target, id, query, limits);
    case "POST":
      return parseCreateRequest(target, query, data, limits, options);
    case "PATCH":
      return id === null
        ? parseUpdateManyRequest(target, query, data, limits, options)
        : parseUpdateRequest(target, id, query, data, options);
    case "DELETE":
      return id === null
        ? parseDeleteManyRequest(target, query, limits)
        : parseDeleteRequest(target, id, query, options);
    default:
      return method satisfies never;
  }
}
