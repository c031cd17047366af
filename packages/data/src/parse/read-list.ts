import type { Slot } from "@rowhouse/access";
import { createError, throwFaults } from "@rowhouse/errors";
import { isStorableText } from "@rowhouse/wire";
import type { ParameterSource } from "./object-reader.ts";
import { cursorWithOffset, deepShape, offsetMax, type ParsedDeep } from "./parse-deep.ts";
import { type RequestLimits, shapeOf } from "./query-parameters.ts";
import type { AggregateRequest, ListRequest, Target } from "./request.ts";
import {
  labelGroups,
  readAggregates,
  readCount,
  readFields,
  readGroupTerms,
  readOrderTerms,
} from "./terms.ts";

/** The parameters of a request: their names, and those of them that a query may have in brackets. */
interface Parameters {
  readonly names: readonly string[];
  readonly nested: readonly string[];
}

export const listParameters: Parameters = {
  names: [
    ...["fields", "where", "search", "order_by", "limit", "offset", "cursor", "count", "deep"],
  ],
  nested: ["where", "deep"],
};

export const aggregateParameters: Parameters = {
  names: [
    ...["aggregate", "group_by", "labels", "where", "having", "search", "order_by", "limit"],
    ...["offset", "count"],
  ],
  nested: ["where", "having"],
};

/** The source of a whole list. */
export interface ListSource extends ParameterSource {
  /** @throws AppError */
  deep(slots: readonly Slot[]): ParsedDeep;
}

/**
 * Reads a list.
 *
 * @throws AppError QUERY_INVALID, or the code of the source, with every fault
 */
export function readList(
  target: Target,
  source: ListSource,
  limits: RequestLimits,
  etags: boolean,
): ListRequest {
  const { faults } = source;
  const fields = readFields(source.terms("fields"), faults);
  const { order, limit, offset, count, search } = readPage(source, limits);
  const cursor = source.text("cursor") ?? null;
  if (cursor !== null && source.has("offset")) faults.push(cursorWithOffset);
  throwFaults(faults);
  const { filter: where, slots: whereSlots } = source.filter("where", []);
  const { deep, slots } = source.deep(whereSlots);
  const parts = { fields, deep, where, slots, search, order, limit, offset, cursor, count, etags };
  return assembleList(target, parts);
}

/**
 * Reads an aggregation.
 *
 * @throws AppError QUERY_INVALID, or the code of the source, with every fault
 */
export function readAggregation(
  target: Target,
  source: ParameterSource,
  limits: RequestLimits,
): AggregateRequest {
  const { faults } = source;
  const terms = readGroupTerms(source.terms("group_by") ?? [], faults);
  const groups = labelGroups(terms, source.text("labels"), source.placeOf("labels"), faults);
  const aggregates = readAggregates(source.terms("aggregate") ?? ["count"], faults);
  const { search: text, order, limit, offset, count } = readPage(source, limits);
  throwFaults(faults);
  const { filter: where, slots: whereSlots } = source.filter("where", []);
  const { filter: having, slots: filterSlots } = source.filter("having", whereSlots);
  const { search, slots } = readSearch(text, filterSlots);
  const filters = { where, having };
  const shape = shapeOf(
    ...["AGGREGATE", target, aggregates, groups, filters, search, order, limit, offset > 0, count],
  );
  const page = { order, limit, offset, count, search };
  return { kind: "AGGREGATE", target, aggregates, groups, where, having, ...page, slots, shape };
}

/** Reads the parameters that lists and aggregations share. */
function readPage(source: ParameterSource, { limitDefault, limitMax }: RequestLimits) {
  return {
    order: readOrderTerms(source.terms("order_by") ?? [], "order_by", source.faults),
    limit: source.whole("limit", limitDefault, limitMax),
    offset: source.whole("offset", 0, offsetMax),
    count: readCount(source.text("count"), source.placeOf("count"), source.faults),
    search: source.text("search"),
  };
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

/** @throws AppError QUERY_INVALID for an impossible search text */
function assembleList(target: Target, parts: ListParts): ListRequest {
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
