import { parseFilter, readName, type Slot } from "@rowhouse/access";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { isStorableText } from "@rowhouse/json";
import { parseAggregates, parseGroups } from "./parse-aggregate.ts";
import { parseTerms } from "./parse-names.ts";
import {
  filterOptions,
  parseFilterParameter,
  parseId,
  parseWhole,
  type RequestLimits,
  requireKnown,
  shapeOf,
} from "./parse-parts.ts";
import { parseQuery, type Query } from "./parse-query.ts";
import type {
  AggregateRequest,
  Deep,
  DeepRequest,
  ListRequest,
  OrderTerm,
  ReadRequest,
  Target,
} from "./request.ts";

const offsetMax = 9_007_199_254_740_991;
const fieldsMax = 1600;

/** Parses `GET /api/{schema}/table/{table}` and `GET /api/{schema}/view/{name}`: a list or an aggregation. */
export function parseListRequest(
  target: Target,
  rawQuery: string,
  limits: RequestLimits,
): ListRequest | AggregateRequest {
  const query = parseQuery(rawQuery);
  return query.single.has("aggregate") || query.single.has("group_by")
    ? buildAggregateRequest(target, query, limits, true)
    : buildListRequest(target, query, limits, true);
}

/** A list of a workflow's step or of a stored query; its filter is JSON already. */
export interface ListInput {
  readonly fields?: string;
  readonly where?: unknown;
  readonly orderBy?: string;
  /** Maximum number of rows. */
  readonly limit?: number;
  readonly cursor?: string;
  readonly search?: string;
  readonly count?: "exact" | "estimated";
}

/** Creates a list without an HTTP request. */
export function listRequestOf(
  target: Target,
  input: ListInput,
  limits: RequestLimits,
): ListRequest {
  const single = new Map<string, string>();
  if (input.fields !== undefined) single.set("fields", input.fields);
  if (input.orderBy !== undefined) single.set("order_by", input.orderBy);
  if (input.limit !== undefined) single.set("limit", String(input.limit));
  if (input.cursor !== undefined) single.set("cursor", input.cursor);
  if (input.search !== undefined) single.set("search", input.search);
  if (input.count !== undefined) single.set("count", input.count);
  const nested = new Map(input.where === undefined ? [] : [["where", input.where]]);
  return buildListRequest(target, { single, nested }, limits, false);
}

/** An aggregation of a stored query; its filters are JSON already. */
export interface AggregateInput {
  readonly aggregate: string;
  readonly groupBy?: string;
  readonly where?: unknown;
  readonly having?: unknown;
  readonly orderBy?: string;
  /** Maximum number of groups. */
  readonly limit?: number;
}

/** Creates an aggregation without an HTTP request. */
export function aggregateRequestOf(
  target: Target,
  input: AggregateInput,
  limits: RequestLimits,
): AggregateRequest {
  const single = new Map([["aggregate", input.aggregate]]);
  if (input.groupBy !== undefined) single.set("group_by", input.groupBy);
  if (input.orderBy !== undefined) single.set("order_by", input.orderBy);
  if (input.limit !== undefined) single.set("limit", String(input.limit));
  const nested = new Map<string, unknown>();
  if (input.where !== undefined) nested.set("where", input.where);
  if (input.having !== undefined) nested.set("having", input.having);
  return buildAggregateRequest(target, { single, nested }, limits, false);
}

const listParameters = [
  "fields",
  "where",
  "search",
  "order_by",
  "limit",
  "offset",
  "cursor",
  "count",
];
const searchLengthMax = 1000;

function buildListRequest(
  target: Target,
  query: Query,
  limits: RequestLimits,
  commaLists: boolean,
): ListRequest {
  const faults = requireKnown(query, listParameters, ["where", "deep"]);
  const fields = parseFields(query, faults);
  const { single } = query;
  const order = parseOrder(single.get("order_by"), faults, "order_by");
  const { limitDefault, limitMax } = limits;
  const limit = parseWhole(single.get("limit"), "limit", limitDefault, limitMax, faults);
  const offset = parseWhole(single.get("offset"), "offset", 0, offsetMax, faults);
  const count = parseCount(single.get("count"), faults);
  const cursor = single.get("cursor") ?? null;
  if (cursor !== null && single.has("offset")) {
    const message = "A cursor takes the place of an offset";
    faults.push(createFault("QUERY_INVALID", { path: "offset", message }));
  }
  throwFaults(faults);
  const where = parseFilterParameter(query, "where", limits, commaLists, []);
  const deeper = parseDeep(query, limits, where.slots);
  const { search, slots } = parseSearch(single.get("search"), deeper.slots);
  const { filter } = where;
  const { deep } = deeper;
  const parts = [fields, [...deep], filter, search, order, limit, offset > 0, count];
  return {
    kind: "LIST",
    target,
    fields,
    deep,
    where: filter,
    slots,
    search,
    order,
    limit,
    offset,
    cursor,
    after: null,
    count,
    shape: shapeOf("LIST", target, ...parts),
  };
}

const aggregateParameters = [
  "aggregate",
  "group_by",
  "where",
  "having",
  "search",
  "order_by",
  "limit",
  "offset",
  "count",
];

function buildAggregateRequest(
  target: Target,
  query: Query,
  limits: RequestLimits,
  commaLists: boolean,
): AggregateRequest {
  const faults = requireKnown(query, aggregateParameters, ["where", "having"]);
  const { single } = query;
  const groups = single.has("group_by") ? parseGroups(single.get("group_by") ?? "", faults) : [];
  const aggregates = parseAggregates(single.get("aggregate") ?? "count", faults);
  const order = parseOrder(single.get("order_by"), faults, "order_by");
  const { limitDefault, limitMax } = limits;
  const limit = parseWhole(single.get("limit"), "limit", limitDefault, limitMax, faults);
  const offset = parseWhole(single.get("offset"), "offset", 0, offsetMax, faults);
  const count = parseCount(single.get("count"), faults);
  throwFaults(faults);
  const where = parseFilterParameter(query, "where", limits, commaLists, []);
  const having = parseFilterParameter(query, "having", limits, commaLists, where.slots);
  const { search, slots } = parseSearch(single.get("search"), having.slots);
  const filters = { where: where.filter, having: having.filter };
  const parts = [aggregates, groups, filters, search, order, limit, offset > 0, count];
  return {
    kind: "AGGREGATE",
    target,
    aggregates,
    groups,
    ...filters,
    search,
    slots,
    order,
    limit,
    offset,
    count,
    shape: shapeOf("AGGREGATE", target, ...parts),
  };
}

function parseCount(text: string | undefined, faults: Fault[]): ListRequest["count"] {
  if (text === undefined || text === "exact" || text === "estimated") return text ?? null;
  const message = "count takes exact or estimated";
  faults.push(createFault("QUERY_INVALID", { path: "count", message }));
  return null;
}

function parseSearch(
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

/** Parses `GET …/{id}`. */
export function parseReadRequest(
  target: Target,
  rawId: string,
  rawQuery: string,
  limits: RequestLimits,
): ReadRequest {
  const query = parseQuery(rawQuery);
  const faults = requireKnown(query, ["fields"], ["deep"]);
  const fields = parseFields(query, faults);
  throwFaults(faults);
  const { deep, slots } = parseDeep(query, limits, []);
  const id = parseId(rawId);
  const shape = shapeOf("READ", target, fields, [...deep], id.length);
  return { kind: "READ", target, id, fields, deep, slots, shape };
}

/** Creates the read of one row without an HTTP request, by the values of its key. */
export function readRequestOf(
  target: Target,
  id: readonly string[],
  fieldList: string | undefined,
): ReadRequest {
  const single = new Map(fieldList === undefined ? [] : [["fields", fieldList]]);
  const faults: Fault[] = [];
  const fields = parseFields({ single, nested: new Map() }, faults);
  throwFaults(faults);
  const shape = shapeOf("READ", target, fields, [], id.length);
  return { kind: "READ", target, id, fields, deep: new Map(), slots: [], shape };
}

function parseFields(query: Query, faults: Fault[]): readonly string[] | null {
  const text = query.single.get("fields");
  if (text === undefined || text === "*") return null;
  const fields = [...new Set(parseTerms(text, "fields", faults).map(readName))];
  if (fields.includes("") || fields.length > fieldsMax) {
    faults.push(
      createFault("QUERY_INVALID", { path: "fields", message: "fields is a list of field names" }),
    );
  }
  return fields;
}

function parseOrder(text: string | undefined, faults: Fault[], path: string): OrderTerm[] {
  if (text === undefined) return [];
  const terms = parseTerms(text, path, faults).map(orderTermOf);
  const names = terms.map((term) => term.field);
  if (names.includes("") || new Set(names).size < names.length || terms.length > 32) {
    const message = "order_by is a list of different fields: -created_at,plate:nulls_last";
    faults.push(createFault("QUERY_INVALID", { path, message }));
  }
  return terms;
}

/** Parses `-created_at`, `plate:nulls_last`, `-"a,b"`. */
export function orderTermOf(written: string): OrderTerm {
  const descending = written.startsWith("-");
  const name = descending ? written.slice(1) : written;
  const nulls = name.endsWith(":nulls_last")
    ? "LAST"
    : name.endsWith(":nulls_first")
      ? "FIRST"
      : null;
  return {
    field: readName(nulls === null ? name : name.slice(0, name.lastIndexOf(":"))),
    descending,
    nulls,
  };
}

/** Parses `deep[trips][limit]=5&deep[trips][order_by]=-started_at&deep[trips][where][distance][_gt]=10`. */
function parseDeep(
  query: Query,
  limits: RequestLimits,
  slotsBefore: readonly Slot[],
): { readonly deep: Deep; readonly slots: readonly Slot[] } {
  const deep = new Map<string, DeepRequest>();
  const faults: Fault[] = [];
  let slots = slotsBefore;
  for (const [relation, options] of Object.entries(query.nested.get("deep") ?? {})) {
    const root = `deep[${relation}]`;
    if (typeof options !== "object" || options === null || Array.isArray(options)) {
      const message = "deep takes limit, order_by and where of a relation";
      faults.push(createFault("QUERY_INVALID", { path: root, message }));
      continue;
    }
    const { limit, order_by, where, ...unknown } = options as Record<string, unknown>;
    for (const name of Object.keys(unknown)) {
      const message = "Unknown parameter";
      faults.push(createFault("QUERY_INVALID", { path: `${root}[${name}]`, message }));
    }
    const parsed =
      where === undefined
        ? { filter: null, slots }
        : parseFilter(where, filterOptions(limits, `${root}[where]`, slots));
    slots = parsed.slots;
    deep.set(readName(relation), {
      where: parsed.filter,
      order: parseOrder(textOf(order_by), faults, `${root}[order_by]`),
      limit:
        limit === undefined
          ? null
          : parseWhole(textOf(limit), `${root}[limit]`, limits.limitMax, limits.limitMax, faults),
    });
  }
  throwFaults(faults);
  return { deep, slots };
}

/** Converts a group in place of a value to a value that every parser rejects. */
function textOf(value: unknown): string | undefined {
  return value === undefined || typeof value === "string" ? value : "";
}
