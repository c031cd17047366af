import { AppError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { isObject } from "@rowhouse/wire";
import type { ExportFormat } from "../parse/headers.ts";
import { parseListRequest, parseQueryBody } from "../parse/parse-read.ts";
import {
  noOptions,
  parseQuery,
  parseWhole,
  type RequestLimits,
  requireWhole,
} from "../parse/query-parameters.ts";
import type {
  AggregateRequest,
  ListRequest,
  RequestOptions,
  RequestParts,
} from "../parse/request.ts";

export type ExportRequest = ListRequest | AggregateRequest;

/** The limit of an export without the parameter `limit`. */
export const unlimited = Number.MAX_SAFE_INTEGER;

/**
 * Parses an export: the parameters of a list, but without `limit` it returns every row, and `limit` may exceed
 * `data.max_limit`. A file cannot contain `count` or a cursor, so both are rejected.
 */
export function parseExportRequest(
  parts: RequestParts,
  limits: RequestLimits,
  { etags }: Pick<RequestOptions, "etags"> = noOptions,
): ExportRequest {
  const faults: Fault[] = [];
  if (etags) refuse("Prefer", "Prefer: etags applies to a list as JSON", faults);
  const { limit, rest } =
    parts.method === "QUERY" ? splitBody(parts, faults) : splitQuery(parts, faults);
  let request: ExportRequest;
  try {
    request =
      rest.method === "QUERY"
        ? parseQueryBody(rest, limits, noOptions)
        : parseListRequest(rest.target, rest.query, limits);
  } catch (error) {
    if (error instanceof AppError) throwFaults([...faults, ...error.faults]);
    throw error;
  }
  for (const [path, { isPaged }] of request.kind === "LIST" ? request.deep : []) {
    if (isPaged) refuse(`deep[${path}][cursor]`, "An export gives every related row", faults);
  }
  throwFaults(faults);
  return { ...request, limit };
}

/** The limit of an export, and the parts that it shares with a list. */
interface SplitParts {
  readonly limit: number;
  readonly rest: RequestParts;
}

const ownParameters = ["limit", "count", "cursor"];

function splitQuery(parts: RequestParts, faults: Fault[]): SplitParts {
  const { single } = parseQuery(parts.query);
  const limit = parseWhole(single.get("limit"), "limit", unlimited, unlimited, faults);
  refuseOthers((name) => single.has(name), faults);
  // Decoding cannot fail, because the query was decoded before.
  const nameOf = (part: string) =>
    decodeURIComponent((part.split("=", 1)[0] ?? "").replaceAll("+", " "));
  const others = parts.query.split("&").filter((part) => !ownParameters.includes(nameOf(part)));
  return { limit, rest: { ...parts, query: others.join("&") } };
}

function splitBody(parts: RequestParts, faults: Fault[]): SplitParts {
  if (!isObject(parts.data)) return { limit: unlimited, rest: parts };
  const { data } = parts;
  const { limit } = data;
  if (limit !== undefined) requireWhole(limit, "limit", unlimited, faults);
  refuseOthers((name) => Object.hasOwn(data, name), faults);
  const others = Object.entries(data).filter(([name]) => !ownParameters.includes(name));
  return {
    limit: limit === undefined ? unlimited : Number(limit),
    rest: { ...parts, data: Object.fromEntries(others) },
  };
}

function refuseOthers(has: (name: string) => boolean, faults: Fault[]): void {
  for (const path of ["count", "cursor"]) {
    if (has(path)) refuse(path, "An export gives all rows, and nothing but rows", faults);
  }
}

function refuse(path: string, message: string, faults: Fault[]): void {
  faults.push(createFault("QUERY_INVALID", { path, message }));
}

/** Returns the headers of the file of a relation. */
export function exportHeadersOf(format: ExportFormat, name: string): Record<string, string> {
  if (format === "NDJSON") return { "Content-Type": "application/x-ndjson; charset=utf-8" };
  return {
    "Content-Type": "text/csv; charset=utf-8; header=present",
    "Content-Disposition": attachment(`${name}.csv`),
  };
}

/** RFC 6266: an ASCII name for every client, and the exact name if it differs. */
function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^A-Za-z0-9._ -]/g, "_");
  if (plain === fileName) return `attachment; filename="${plain}"`;
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
