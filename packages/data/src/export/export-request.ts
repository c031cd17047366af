import { AppError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { noOptions, type RequestLimits } from "../parse/parse-parts.ts";
import { parseQuery } from "../parse/parse-query.ts";
import { parseListRequest } from "../parse/parse-read.ts";
import type {
  AggregateRequest,
  ListRequest,
  RequestOptions,
  RequestParts,
  Target,
} from "../parse/request.ts";

/** A list or an aggregation to export. */
export type ExportRequest = ListRequest | AggregateRequest;

/** The limit of an export without the parameter `limit`. */
export const unlimited = Number.MAX_SAFE_INTEGER;

/**
 * Parses an export: the parameters of a list, but without `limit` it returns every row, and `limit` may exceed
 * `data.max_limit`. A file cannot contain `count` or a cursor, so both are rejected.
 */
export function parseExportRequest(
  { target, query: rawQuery }: Pick<RequestParts, "target" | "query">,
  limits: RequestLimits,
  { etags }: Pick<RequestOptions, "etags"> = noOptions,
): ExportRequest {
  const { single } = parseQuery(rawQuery);
  const faults: Fault[] = [];
  const limit = parseLimit(single.get("limit"), faults);
  for (const path of ["count", "cursor"]) {
    const message = "An export gives all rows, and nothing but rows";
    if (single.has(path)) faults.push(createFault("QUERY_INVALID", { path, message }));
  }
  if (etags) {
    const message = "Prefer: etags applies to a list as JSON";
    faults.push(createFault("QUERY_INVALID", { path: "Prefer", message }));
  }
  return { ...parseRest(target, rawQuery, limits, faults), limit };
}

function parseRest(
  target: Target,
  rawQuery: string,
  limits: RequestLimits,
  faults: readonly Fault[],
): ExportRequest {
  const rest = rawQuery.split("&").filter((part) => !isOwn(part));
  let request: ExportRequest;
  try {
    request = parseListRequest(target, rest.join("&"), limits);
  } catch (error) {
    if (error instanceof AppError) throwFaults([...faults, ...error.faults]);
    throw error;
  }
  throwFaults(faults);
  return request;
}

/** Reads a parameter; decoding cannot fail, because the query was decoded before. */
function isOwn(part: string): boolean {
  const name = decodeURIComponent((part.split("=", 1)[0] ?? "").replaceAll("+", " "));
  return name === "limit" || name === "count" || name === "cursor";
}

function parseLimit(text: string | undefined, faults: Fault[]): number {
  if (text === undefined) return unlimited;
  const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) {
    const message = `This is a whole number from 0 to ${unlimited}`;
    faults.push(createFault("QUERY_INVALID", { path: "limit", message }));
  }
  return value;
}
