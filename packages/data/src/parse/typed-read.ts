import type { Filter } from "@rowhouse/access";
import { createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { inParameter, readFilter } from "./object-reader.ts";
import { type ParsedWhere, type RequestLimits, requireWhole, shapeOf } from "./query-parameters.ts";
import { type ListSource, readAggregation, readList } from "./read-list.ts";
import type { AggregateRequest, ListRequest, ReadRequest, Target } from "./request.ts";
import { readFields } from "./terms.ts";

/** A list without an HTTP request. Each term is one name in the syntax of a query; the filter is JSON. */
export interface ListInput {
  readonly fields?: readonly string[];
  readonly where?: unknown;
  /** Further filters, which only narrow the result. */
  readonly narrowedBy?: readonly NarrowingFilter[];
  /** Begins the path of a fault of `where`; by default `where`. */
  readonly wherePath?: string;
  readonly orderBy?: readonly string[];
  /** Maximum number of rows. */
  readonly limit?: number;
  readonly cursor?: string;
  readonly search?: string;
  readonly count?: "exact" | "estimated";
  readonly etags?: boolean;
}

/** A filter beside the one of a request. It is parsed on its own, so nothing in it can widen the other. */
export interface NarrowingFilter {
  readonly filter: unknown;
  /** Begins the path of its faults. */
  readonly path: string;
}

/**
 * Creates a list from typed parts.
 *
 * @throws AppError QUERY_INVALID with the parameters of a query as paths
 */
export function listRequestOf(
  target: Target,
  input: ListInput,
  limits: RequestLimits,
): ListRequest {
  const { fields, cursor, search, count, etags = false } = input;
  const source = typedSource(input, { fields }, { cursor, search, count }, limits);
  return readList(target, source, limits, etags);
}

/** An aggregation without an HTTP request. Each term is one term of a query; the filters are JSON. */
export interface AggregateInput {
  readonly aggregate: readonly string[];
  readonly groupBy?: readonly string[];
  readonly where?: unknown;
  readonly narrowedBy?: readonly NarrowingFilter[];
  readonly wherePath?: string;
  readonly search?: string;
  readonly having?: unknown;
  readonly orderBy?: readonly string[];
  /** Maximum number of groups. */
  readonly limit?: number;
}

/**
 * Creates an aggregation from typed parts.
 *
 * @throws AppError QUERY_INVALID with the parameters of a query as paths
 */
export function aggregateRequestOf(
  target: Target,
  input: AggregateInput,
  limits: RequestLimits,
): AggregateRequest {
  const { aggregate, groupBy: group_by, search } = input;
  const source = typedSource(input, { aggregate, group_by }, { search }, limits);
  return readAggregation(target, source, limits);
}

/**
 * Creates a read of the row with a key.
 *
 * @param terms the fields; null for all
 * @throws AppError QUERY_INVALID
 */
export function readRequestOf(
  target: Target,
  id: readonly string[],
  terms: readonly string[] | null,
): ReadRequest {
  const faults: Fault[] = [];
  const fields = readFields(terms, faults);
  throwFaults(faults);
  const shape = shapeOf("READ", target, fields, [], id.length);
  return { kind: "READ", target, id, fields, deep: new Map(), slots: [], shape };
}

/** The parts of both kinds of input. */
type CommonInput = Pick<ListInput, "where" | "narrowedBy" | "wherePath" | "orderBy" | "limit"> &
  Pick<AggregateInput, "having">;

function typedSource(
  input: CommonInput,
  lists: Readonly<Record<string, readonly string[] | undefined>>,
  texts: Readonly<Record<string, string | undefined>>,
  limits: RequestLimits,
): ListSource {
  const faults: Fault[] = [];
  const terms: typeof lists = { ...lists, order_by: input.orderBy };
  return {
    faults,
    has: () => false,
    text: (name) => texts[name],
    terms: (name) => {
      const list = terms[name] ?? null;
      if (name === "aggregate" && list?.length === 0) {
        const message = "aggregate must have at least one term: count, sum(price)";
        faults.push(createFault("QUERY_INVALID", { path: name, message }));
      }
      return list;
    },
    whole: (name, fallback, max) => {
      const value = name === "limit" ? input.limit : undefined;
      if (value === undefined) return Math.min(fallback, max);
      requireWhole(value, name, max, faults);
      return value;
    },
    filter: (name, slots) =>
      name === "where"
        ? readFilters(input, limits)
        : readFilter(input.having, inParameter(name), limits, slots),
    deep: (slots) => ({ deep: new Map(), slots }),
    placeOf: (path) => ({ code: "QUERY_INVALID", path }),
  };
}

/** Parses each filter by itself, each within the limits, and joins them. */
function readFilters(
  { where, wherePath = "where", narrowedBy = [] }: CommonInput,
  limits: RequestLimits,
): ParsedWhere {
  let { filter, slots } = readFilter(where, inParameter(wherePath), limits, []);
  for (const narrowing of narrowedBy) {
    const next = readFilter(narrowing.filter, inParameter(narrowing.path), limits, slots);
    filter = joined(filter, next.filter);
    slots = next.slots;
  }
  return { filter, slots };
}

function joined(one: Filter | null, other: Filter | null): Filter | null {
  if (one === null || other === null) return one ?? other;
  return { kind: "AND", filters: [one, other] };
}
