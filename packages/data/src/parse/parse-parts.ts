import { type Filter, type ParseFilterOptions, parseFilter, type Slot } from "@rowhouse/access";
import { createError, createFault, type Fault } from "@rowhouse/errors";
import { isWhole, notWhole } from "./object-reader.ts";
import { parseJsonParameter, type Query } from "./parse-query.ts";
import type { RequestOptions } from "./request.ts";

/** The limits of parsing; each is a setting. */
export interface RequestLimits {
  readonly limitDefault: number;
  readonly limitMax: number;
  readonly filterNodesMax: number;
  readonly filterDepthMax: number;
  readonly listMax: number;
  /** Maximum number of rows of one create. */
  readonly rowsMax: number;
  /** Maximum of `max_affected`. */
  readonly affectedMax: number;
}

/** The options of a request without headers. */
export const noOptions: RequestOptions = {
  minimal: false,
  representation: false,
  ifMatch: null,
  etags: false,
};

/** Returns a fault for each parameter of a query that the request does not have. */
export function requireKnown(
  query: Query,
  single: readonly string[],
  nested: readonly string[],
): Fault[] {
  if (query.single.size === 0 && query.nested.size === 0) return [];
  const unknown = [
    ...Array.from(query.single.keys()).filter((name) => !single.includes(name)),
    ...Array.from(query.nested.keys()).filter((name) => !nested.includes(name)),
  ];
  return unknown.map((path) =>
    createFault("QUERY_INVALID", { path, message: "Unknown parameter" }),
  );
}

/** Reads an integer from 0 to `max`; a missing one is the lesser of `fallback` and `max`. */
export function parseWhole(
  text: string | undefined,
  path: string,
  fallback: number,
  max: number,
  faults: Fault[],
): number {
  if (text === undefined) return Math.min(fallback, max);
  const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return requireWhole(value, path, max, faults) ? value : fallback;
}

/** Returns whether a number is an integer from 0 to `max`; otherwise adds a fault. */
export function requireWhole(value: unknown, path: string, max: number, faults: Fault[]): boolean {
  if (isWhole(value, max)) return true;
  faults.push(createFault("QUERY_INVALID", { path, message: notWhole(max) }));
  return false;
}

/** Returns the key of a compiled statement, equal for requests that differ only in their values. */
export function shapeOf(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

/**
 * Returns the values of the key, split before they are decoded, so that a value may contain a comma.
 *
 * @throws AppError NOT_FOUND for malformed percent-encoding: no row has such an id
 */
export function parseId(rawId: string): string[] {
  try {
    return rawId.split(",").map(decodeURIComponent);
  } catch {
    throw createError("NOT_FOUND");
  }
}

/** A parsed filter, and the values of the request up to and including its own. */
export interface Where {
  readonly filter: Filter | null;
  readonly slots: readonly Slot[];
}

/**
 * Parses the filter in the parameter `name`, as JSON or in brackets. `slots` are the earlier values of the request.
 *
 * @throws AppError QUERY_INVALID with every fault of the filter
 */
export function parseFilterParameter(
  query: Query,
  name: string,
  limits: RequestLimits,
  commaLists: boolean,
  slots: readonly Slot[],
): Where {
  const json = query.single.get(name);
  const nested = query.nested.get(name);
  if (json === undefined && nested === undefined) return { filter: null, slots };
  const input = json === undefined ? nested : parseJsonParameter(name, json);
  return parseFilter(input, {
    ...filterOptions(limits, name, slots),
    commaLists: commaLists && json === undefined,
  });
}

/** Returns the options of a filter in a query string; `root` begins the path of its faults. */
export function filterOptions(
  limits: RequestLimits,
  root: string,
  slots: readonly Slot[],
): ParseFilterOptions {
  return {
    limits: {
      nodesMax: limits.filterNodesMax,
      depthMax: limits.filterDepthMax,
      listMax: limits.listMax,
    },
    pathOf: (segments) => [root, ...segments.map((segment) => `[${segment}]`)].join(""),
    code: "QUERY_INVALID",
    commaLists: true,
    slots,
  };
}
