import { AppError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import type { RequestLimits } from "../parse/parse-parts.ts";
import { parseQuery } from "../parse/parse-query.ts";
import { parseListRequest } from "../parse/parse-read.ts";
import type { AggregateRequest, ListRequest, Target } from "../parse/request.ts";

/** What an export gives: a list, or what is aggregated of it. */
export type ExportRequest = ListRequest | AggregateRequest;

/** The limit of an export that names none. */
export const unlimited = Number.MAX_SAFE_INTEGER;

/**
 * A list as an export asks for it: the same parameters, but without `limit` it gives every row, and with it as many as it
 * says. What a list tells beside its rows has no place in a file.
 */
export function parseExportRequest(
  target: Target,
  rawQuery: string,
  limits: RequestLimits,
): ExportRequest {
  const { single } = parseQuery(rawQuery);
  const faults: Fault[] = [];
  const limit = parseLimit(single.get("limit"), faults);
  for (const path of ["count", "cursor"]) {
    const message = "An export gives all rows, and nothing but rows";
    if (single.has(path)) faults.push(createFault("QUERY_INVALID", { path, message }));
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

/** A parameter that is read here; the query was decoded before, so this one can be. */
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
