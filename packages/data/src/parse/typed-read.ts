import { type Filter, parseFilter, type Slot } from "@rowhouse/access";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { isStorableText } from "@rowhouse/wire";
import { deepShape } from "./parse-deep.ts";
import {
  filterOptions,
  type ParsedWhere,
  type RequestLimits,
  requireWhole,
  shapeOf,
} from "./query-parameters.ts";
import type { AggregateRequest, ListRequest, ReadRequest, Target } from "./request.ts";
import { readAggregates, readFields, readGroupTerms, readOrderTerms } from "./terms.ts";

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
  const faults: Fault[] = [];
  const fields = readFields(input.fields ?? null, faults);
  const order = readOrderTerms(input.orderBy ?? [], "order_by", faults);
  const limit = limitOf(input.limit, limits, faults);
  throwFaults(faults);
  const { filter: where, slots } = readFilters(input, limits);
  const { cursor = null, search, count = null, etags = false } = input;
  const parts = { fields, where, slots, order, limit, cursor, search, count, etags };
  return assembleList(target, { ...parts, deep: new Map(), offset: 0 });
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
  const faults: Fault[] = [];
  const groups = readGroupTerms(input.groupBy ?? [], faults);
  const aggregates = readAggregates(input.aggregate, faults);
  if (input.aggregate.length === 0) {
    const message = "aggregate must have at least one term: count, sum(price)";
    faults.push(createFault("QUERY_INVALID", { path: "aggregate", message }));
  }
  const order = readOrderTerms(input.orderBy ?? [], "order_by", faults);
  const limit = limitOf(input.limit, limits, faults);
  throwFaults(faults);
  const where = readFilters(input, limits);
  const { filter: having, slots } = readFilter(input.having, "having", limits, where.slots);
  const parts = { aggregates, groups, where: where.filter, having, slots, order, limit };
  return assembleAggregate(target, { ...parts, offset: 0, count: null, search: input.search });
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

function limitOf(
  value: number | undefined,
  { limitDefault, limitMax }: RequestLimits,
  faults: Fault[],
): number {
  if (value === undefined) return Math.min(limitDefault, limitMax);
  requireWhole(value, "limit", limitMax, faults);
  return value;
}

/** Parses each filter by itself, each within the limits, and joins them. */
function readFilters(
  {
    where,
    wherePath = "where",
    narrowedBy = [],
  }: Pick<ListInput, "where" | "wherePath" | "narrowedBy">,
  limits: RequestLimits,
): ParsedWhere {
  let { filter, slots } = readFilter(where, wherePath, limits, []);
  for (const narrowing of narrowedBy) {
    const next = readFilter(narrowing.filter, narrowing.path, limits, slots);
    filter = joined(filter, next.filter);
    slots = next.slots;
  }
  return { filter, slots };
}

function joined(one: Filter | null, other: Filter | null): Filter | null {
  if (one === null || other === null) return one ?? other;
  return { kind: "AND", filters: [one, other] };
}

function readFilter(
  input: unknown,
  root: string,
  limits: RequestLimits,
  slots: readonly Slot[],
): ParsedWhere {
  if (input === undefined) return { filter: null, slots };
  return parseFilter(input, { ...filterOptions(limits, root, slots), commaLists: false });
}

const searchLengthMax = 1000;

/** Parts of a list; `slots` are the literals of its filters, and `search` is the text as sent. */
type ListParts = Pick<
  ListRequest,
  | "fields"
  | "deep"
  | "where"
  | "slots"
  | "order"
  | "limit"
  | "offset"
  | "cursor"
  | "count"
  | "etags"
> & { readonly search: string | undefined };

/**
 * Creates a list from its parts.
 *
 * @throws AppError QUERY_INVALID for an impossible search text
 */
export function assembleList(target: Target, parts: ListParts): ListRequest {
  const { search, slots } = readSearch(parts.search, parts.slots);
  const { fields, deep, where, order, limit, offset, cursor, count, etags } = parts;
  const page = [order, limit, offset > 0, count, etags];
  const shape = shapeOf("LIST", target, fields, deepShape(deep), where, search, page);
  // Listed one by one: this runs on every request, and copies of objects are slow.
  return {
    kind: "LIST",
    target,
    shape,
    fields,
    deep,
    where,
    slots,
    search,
    order,
    limit,
    offset,
    count,
    cursor,
    etags,
    after: null,
  };
}

/** Returns a list with other values: the literals of its filters and the cursor. */
export function listWith(
  list: ListRequest,
  slots: readonly Slot[],
  cursor: string | null,
): ListRequest {
  const { target, shape, fields, deep, where, search, order, limit, offset, count, etags } = list;
  return {
    kind: "LIST",
    target,
    shape,
    fields,
    deep,
    where,
    slots,
    search,
    order,
    limit,
    offset,
    count,
    cursor,
    etags,
    after: null,
  };
}

/** Parts of an aggregation; `slots` are the literals of its filters, and `search` is the text as sent. */
type AggregateParts = Pick<
  AggregateRequest,
  "aggregates" | "groups" | "where" | "having" | "slots" | "order" | "limit" | "offset" | "count"
> & { readonly search: string | undefined };

/**
 * Creates an aggregation from its parts.
 *
 * @throws AppError QUERY_INVALID for an impossible search text
 */
export function assembleAggregate(
  target: Target,
  { search: text, slots: filterSlots, ...parts }: AggregateParts,
): AggregateRequest {
  const { search, slots } = readSearch(text, filterSlots);
  const { aggregates, groups, where, having, order, limit, offset, count } = parts;
  const filters = { where, having };
  const shape = shapeOf(
    ...["AGGREGATE", target, aggregates, groups, filters, search, order, limit, offset > 0, count],
  );
  return { kind: "AGGREGATE", target, ...parts, search, slots, shape };
}

/** Adds the search text to the literals; returns the number of its slot, or null without a text. */
function readSearch(
  text: string | undefined,
  slots: readonly Slot[],
): { readonly search: number | null; readonly slots: readonly Slot[] } {
  if (text === undefined || text === "") return { search: null, slots };
  if (text.length > searchLengthMax || !isStorableText(text)) {
    throw createError("QUERY_INVALID", {
      path: "search",
      message: `search is a text of at most ${searchLengthMax} characters`,
    });
  }
  return { search: slots.length, slots: [...slots, { value: text, path: "search" }] };
}
