import { splitTerms } from "@rowhouse/access";
import { createError, type Fault, throwFaults } from "@rowhouse/errors";
import { cursorWithOffset, deepShape, offsetMax, parseDeep } from "./parse-deep.ts";
import {
  formOfId,
  noOptions,
  type ParsedQuery,
  parseFilterParameter,
  parseId,
  parseQuery,
  parseWhole,
  type RequestLimits,
  requireKnown,
  shapeOf,
} from "./query-parameters.ts";
import {
  queryFormOf,
  type ReadQuery,
  recallList,
  recallRead,
  rememberList,
} from "./remembered-requests.ts";
import type {
  AggregateRequest,
  ListRequest,
  ReadRequest,
  RequestOptions,
  Target,
} from "./request.ts";
import {
  labelGroups,
  readAggregates,
  readCount,
  readFields,
  readGroupTerms,
  readOrderTerms,
} from "./terms.ts";
import { assembleAggregate, assembleList } from "./typed-read.ts";

/**
 * Parses `GET /api/{schema}/table/{table}` and `GET /api/{schema}/view/{name}`: a list or an aggregation of it. A list
 * that differs from an earlier one in its values alone is not parsed again.
 */
export function parseListRequest(
  target: Target,
  rawQuery: string,
  limits: RequestLimits,
  { etags }: Pick<RequestOptions, "etags"> = noOptions,
): ListRequest | AggregateRequest {
  const form = queryFormOf(target, rawQuery, etags);
  if (form === undefined) return parseWholeList(target, rawQuery, limits, etags);
  const known = recallList(form, limits);
  if (known !== undefined) return known;
  const request = parseWholeList(target, rawQuery, limits, etags);
  if (request.kind === "LIST") rememberList(form, limits, request);
  return request;
}

function parseWholeList(
  target: Target,
  rawQuery: string,
  limits: RequestLimits,
  etags: boolean,
): ListRequest | AggregateRequest {
  const query = parseQuery(rawQuery);
  const isAggregate = query.single.has("aggregate") || query.single.has("group_by");
  if (etags) refuseEtags(isAggregate, target);
  return isAggregate
    ? parseAggregation(target, query, limits)
    : parseList(target, query, limits, etags);
}

const countInvalid = { code: "QUERY_INVALID", path: "count" } as const;

/** @throws AppError QUERY_INVALID unless the list has rows that a write can name */
export function refuseEtags(isAggregate: boolean, { kind }: Target): void {
  if (!isAggregate && kind === "TABLE") return;
  const message = "Prefer: etags applies to the rows of a table";
  throw createError("QUERY_INVALID", { path: "Prefer", message });
}

export const listParameters = [
  "fields",
  "where",
  "search",
  "order_by",
  "limit",
  "offset",
  "cursor",
  "count",
  "deep",
];

function parseList(
  target: Target,
  query: ParsedQuery,
  limits: RequestLimits,
  etags: boolean,
): ListRequest {
  const faults = requireKnown(query, listParameters, ["where", "deep"]);
  const fields = readFields(termsOf(query, "fields"), faults);
  const { order, limit, offset, count } = parsePage(query, limits, faults);
  const cursor = query.single.get("cursor") ?? null;
  if (cursor !== null && query.single.has("offset")) faults.push(cursorWithOffset);
  throwFaults(faults);
  const { filter: where, slots: whereSlots } = parseFilterParameter(
    query,
    "where",
    limits,
    true,
    [],
  );
  const { deep, slots } = parseDeep(query, limits, whereSlots);
  const search = query.single.get("search");
  const parts = { fields, deep, where, slots, search, order, limit, offset, cursor, count, etags };
  return assembleList(target, parts);
}

export const aggregateParameters = [
  "aggregate",
  "group_by",
  "labels",
  "where",
  "having",
  "search",
  "order_by",
  "limit",
  "offset",
  "count",
];

function parseAggregation(
  target: Target,
  query: ParsedQuery,
  limits: RequestLimits,
): AggregateRequest {
  const faults = requireKnown(query, aggregateParameters, ["where", "having"]);
  const terms = readGroupTerms(termsOf(query, "group_by") ?? [], faults);
  const labels = { code: "QUERY_INVALID", path: "labels" } as const;
  const groups = labelGroups(terms, query.single.get("labels"), labels, faults);
  const aggregates = readAggregates(termsOf(query, "aggregate") ?? ["count"], faults);
  const page = parsePage(query, limits, faults);
  throwFaults(faults);
  const where = parseFilterParameter(query, "where", limits, true, []);
  const having = parseFilterParameter(query, "having", limits, true, where.slots);
  return assembleAggregate(target, {
    ...{ ...page, groups, aggregates, where: where.filter, having: having.filter },
    ...{ slots: having.slots, search: query.single.get("search") },
  });
}

/** Parses the parameters that lists and aggregations share. */
function parsePage(
  { single }: ParsedQuery,
  { limitDefault, limitMax }: RequestLimits,
  faults: Fault[],
): Pick<ListRequest, "order" | "limit" | "offset" | "count"> {
  return {
    order: parseOrder(single.get("order_by"), faults, "order_by"),
    limit: parseWhole(single.get("limit"), "limit", limitDefault, limitMax, faults),
    offset: parseWhole(single.get("offset"), "offset", 0, offsetMax, faults),
    count: readCount(single.get("count"), countInvalid, faults),
  };
}

/** Parses `GET …/{id}`. A query of an earlier request is not parsed again. */
export function parseReadRequest(
  target: Target,
  rawId: string,
  rawQuery: string,
  limits: RequestLimits,
): ReadRequest {
  const id = parseId(rawId);
  const keyLength = formOfId(id);
  const { kind, fields, deep, slots, shape } = recallRead(target, keyLength, rawQuery, limits, () =>
    parseReadQuery(target, keyLength, rawQuery, limits),
  );
  return { kind, target, id, fields, deep, slots, shape };
}

function parseReadQuery(
  target: Target,
  keyLength: number,
  rawQuery: string,
  limits: RequestLimits,
): ReadQuery {
  const query = parseQuery(rawQuery);
  const faults = requireKnown(query, ["fields", "deep"], ["deep"]);
  const fields = readFields(termsOf(query, "fields"), faults);
  throwFaults(faults);
  const { deep, slots } = parseDeep(query, limits, []);
  const shape = shapeOf("READ", target, fields, deepShape(deep), keyLength);
  return { kind: "READ", fields, deep, slots, shape };
}

/** Splits a parameter at its commas; null if it is missing. */
function termsOf({ single }: ParsedQuery, name: string): string[] | null {
  const text = single.get(name);
  return text === undefined ? null : splitTerms(text);
}

function parseOrder(
  text: string | undefined,
  faults: Fault[],
  path: string,
): ReturnType<typeof readOrderTerms> {
  return text === undefined ? [] : readOrderTerms(splitTerms(text), path, faults);
}
