import type { Slot } from "@rowhouse/access";
import { createError } from "@rowhouse/errors";
import { isStorableText } from "@rowhouse/wire";
import { deepShape } from "./parse-deep.ts";
import { shapeOf } from "./parse-parts.ts";
import type { AggregateRequest, ListRequest, Target } from "./request.ts";

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
