import { type Filter, type ParseFilterOptions, parseFilter, type Slot } from "@rowhouse/access";
import { createError, createFault, type Fault } from "@rowhouse/errors";
import { parseJsonParameter, type Query } from "./parse-query.ts";

/** The limits that parsing enforces; each is a setting. */
export interface RequestLimits {
  readonly limitDefault: number;
  readonly limitMax: number;
  readonly filterNodesMax: number;
  readonly filterDepthMax: number;
  readonly listMax: number;
  /** Maximum number of rows in one create. */
  readonly rowsMax: number;
  /** Maximum of `max_affected`. */
  readonly affectedMax: number;
}

/** Returns an error for each parameter that this kind of request does not define. */
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

/** Parses an integer from 0 to `max`; the default is the lesser of `fallback` and `max`. */
export function parseWhole(
  text: string | undefined,
  path: string,
  fallback: number,
  max: number,
  faults: Fault[],
): number {
  if (text === undefined) return Math.min(fallback, max);
  const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value) || value > max) {
    const message = `This is a whole number from 0 to ${max}`;
    faults.push(createFault("QUERY_INVALID", { path, message }));
    return fallback;
  }
  return value;
}

/** Returns the request without its values: the key of its compiled statement. */
export function shapeOf(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

/**
 * Splits an id into the key's values before decoding, so that a value may contain a comma.
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

/** A parsed filter, and the values of the request up to the end of the filter. */
export interface Where {
  readonly filter: Filter | null;
  readonly slots: readonly Slot[];
}

/**
 * Parses the filter in the parameter `name`, as JSON or in brackets. `slots` are the preceding values of the request.
 *
 * @throws AppError QUERY_INVALID with every error of the filter
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

/** Options for a filter of a query string; `root` is the beginning of the path in its errors. */
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
