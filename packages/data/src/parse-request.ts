import { type Filter, type ParseFilterOptions, parseFilter, type Slot } from "@rowhouse/access";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { parseAggregates, parseGroups } from "./parse-aggregate.ts";
import { parseJsonParameter, parseQuery, type Query } from "./parse-query.ts";
import type {
  AggregateRequest,
  Conflict,
  CreateRequest,
  Deep,
  DeepRequest,
  DeleteRequest,
  ListRequest,
  OrderTerm,
  ReadRequest,
  Selection,
  Target,
  UpdateRequest,
  Values,
  WriteOptions,
} from "./request.ts";

/** The limits that parsing holds (contract §3); each is a setting. */
export interface RequestLimits {
  readonly limitDefault: number;
  readonly limitMax: number;
  readonly filterNodesMax: number;
  readonly filterDepthMax: number;
  readonly listMax: number;
  /** Rows of one create at most. */
  readonly rowsMax: number;
  /** What `max_affected` may be at most. */
  readonly affectedMax: number;
}

const offsetMax = 9_007_199_254_740_991;
const fieldsMax = 1600;

/** `GET /api/{schema}/table/{table}` and `GET /api/{schema}/view/{name}`: a list, or what is aggregated of it. */
export function parseListRequest(
  target: Target,
  rawQuery: string,
  limits: RequestLimits,
): ListRequest | AggregateRequest {
  const query = parseQuery(rawQuery);
  return query.single.has("aggregate") || query.single.has("group_by")
    ? buildAggregateRequest(target, query, limits)
    : buildListRequest(target, query, limits, true);
}

/** What a workflow's step asks of a list; its filter is JSON already. */
export interface ListInput {
  readonly fields?: string;
  readonly where?: unknown;
  readonly orderBy?: string;
  /** Rows at most. */
  readonly limit?: number;
}

/** A list that no HTTP request made. */
export function listRequestOf(
  target: Target,
  input: ListInput,
  limits: RequestLimits,
): ListRequest {
  const single = new Map<string, string>();
  if (input.fields !== undefined) single.set("fields", input.fields);
  if (input.orderBy !== undefined) single.set("order_by", input.orderBy);
  if (input.limit !== undefined) single.set("limit", String(input.limit));
  const nested = new Map(input.where === undefined ? [] : [["where", input.where]]);
  return buildListRequest(target, { single, nested }, limits, false);
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
  const where = parseFilterParameter(query, "where", limits, true, []);
  const having = parseFilterParameter(query, "having", limits, true, where.slots);
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
  if (text.length > searchLengthMax || text.includes("\0") || !text.isWellFormed()) {
    throw createError("QUERY_INVALID", {
      path: "search",
      message: `search is a text of at most ${searchLengthMax} characters`,
    });
  }
  return { search: slots.length, slots: [...slots, { value: text, path: "search" }] };
}

/** `GET …/{id}`. */
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

const noOptions: WriteOptions = { minimal: false, ifMatch: null };

/** `POST /api/{schema}/table/{table}`: one row or a list of rows. */
export function parseCreateRequest(
  target: Target,
  rawQuery: string,
  data: unknown,
  limits: RequestLimits,
  options: WriteOptions = noOptions,
): CreateRequest {
  const query = parseQuery(rawQuery);
  const faults = requireKnown(query, ["on_conflict", "resolution"], []);
  const conflict = parseConflict(query, faults);
  throwFaults(faults);
  if (!Array.isArray(data))
    return createOf(target, [parseValues(data, "/data")], false, conflict, options);
  if (data.length === 0 || data.length > limits.rowsMax) {
    const message = `A list holds 1 to ${limits.rowsMax} rows`;
    throw createError("BODY_INVALID", { path: "/data", message });
  }
  const rows = data.map((row, index) => parseValues(row, `/data/${index}`));
  const empty = rows.findIndex((row) => row.size === 0);
  if (empty >= 0) {
    const message = "A row of a list sets at least one field";
    throw createError("BODY_INVALID", { path: `/data/${empty}`, message });
  }
  return createOf(target, rows, true, conflict, options);
}

/** A create that no HTTP request made: a workflow's step. */
export function createRequestOf(target: Target, values: Values): CreateRequest {
  return createOf(target, [values], false, null, noOptions);
}

function createOf(
  target: Target,
  rows: readonly Values[],
  isList: boolean,
  conflict: Conflict | null,
  { minimal }: WriteOptions,
): CreateRequest {
  const byFields = new Map<string, { fields: readonly string[]; positions: number[] }>();
  for (const [position, row] of rows.entries()) {
    const fields = [...row.keys()];
    const key = JSON.stringify([...fields].sort());
    const group = byFields.get(key) ?? { fields, positions: [] };
    byFields.set(key, group);
    group.positions.push(position);
  }
  if (byFields.size > groupsMax) {
    throw createError("BODY_INVALID", {
      path: "/data",
      message: `The rows of a list set at most ${groupsMax} different sets of fields`,
    });
  }
  const groups = [...byFields.values()];
  const fields = groups.map((group) => group.fields);
  const shape = shapeOf("CREATE", target, fields, isList, conflict, minimal);
  return { kind: "CREATE", target, rows, groups, isList, conflict, minimal, shape };
}

/** Each set of fields is an INSERT of its own within the statement. */
const groupsMax = 20;

function parseConflict(query: Query, faults: Fault[]): Conflict | null {
  const fields = query.single.get("on_conflict");
  const resolution = query.single.get("resolution");
  if (fields === undefined && resolution === undefined) return null;
  if (fields === undefined || fields === "") {
    const message = "on_conflict is the list of fields of a unique key";
    faults.push(createFault("QUERY_INVALID", { path: "on_conflict", message }));
  }
  if (resolution !== "merge" && resolution !== "ignore") {
    const message = "resolution takes merge or ignore";
    faults.push(createFault("QUERY_INVALID", { path: "resolution", message }));
    return null;
  }
  return { fields: [...new Set((fields ?? "").split(","))], resolution };
}

/** `PATCH …/{id}`. */
export function parseUpdateRequest(
  target: Target,
  rawId: string,
  rawQuery: string,
  data: unknown,
  options: WriteOptions = noOptions,
): UpdateRequest {
  throwFaults(requireKnown(parseQuery(rawQuery), [], []));
  return updateOf(target, selectionByKey(rawId, options), data, options);
}

/** `PATCH /api/{schema}/table/{table}?where…&max_affected=…`. */
export function parseUpdateManyRequest(
  target: Target,
  rawQuery: string,
  data: unknown,
  limits: RequestLimits,
  options: WriteOptions = noOptions,
): UpdateRequest {
  return updateOf(target, selectionByFilter(rawQuery, limits), data, options);
}

/** `DELETE …/{id}`. */
export function parseDeleteRequest(
  target: Target,
  rawId: string,
  rawQuery: string,
  options: WriteOptions = noOptions,
): DeleteRequest {
  throwFaults(requireKnown(parseQuery(rawQuery), [], []));
  return deleteOf(target, selectionByKey(rawId, options));
}

/** `DELETE /api/{schema}/table/{table}?where…&max_affected=…`. */
export function parseDeleteManyRequest(
  target: Target,
  rawQuery: string,
  limits: RequestLimits,
): DeleteRequest {
  return deleteOf(target, selectionByFilter(rawQuery, limits));
}

function updateOf(
  target: Target,
  selection: Selection,
  data: unknown,
  { minimal }: WriteOptions,
): UpdateRequest {
  const values = parseValues(data, "/data");
  if (values.size === 0) {
    throw createError("BODY_INVALID", { path: "/data", message: "There is nothing to change" });
  }
  const shape = shapeOf("UPDATE", target, shapeOfSelection(selection), [...values.keys()], minimal);
  return { kind: "UPDATE", target, selection, values, minimal, shape };
}

function deleteOf(target: Target, selection: Selection): DeleteRequest {
  const shape = shapeOf("DELETE", target, shapeOfSelection(selection));
  return { kind: "DELETE", target, selection, shape };
}

function selectionByKey(rawId: string, { ifMatch }: WriteOptions): Selection {
  return { by: "KEY", id: parseId(rawId), ifMatch };
}

function selectionByFilter(rawQuery: string, limits: RequestLimits): Selection {
  const query = parseQuery(rawQuery);
  const faults = requireKnown(query, ["where", "max_affected"], ["where"]);
  const affected = query.single.get("max_affected");
  if (affected === undefined) {
    const message = "A write to many rows says how many it may affect";
    faults.push(createFault("QUERY_INVALID", { path: "max_affected", message }));
  }
  const affectedMax = parseWhole(affected, "max_affected", 0, limits.affectedMax, faults);
  throwFaults(faults);
  const { filter, slots } = parseFilterParameter(query, "where", limits, true, []);
  if (filter === null || (filter.kind === "AND" && filter.filters.length === 0)) {
    const message = "A write to many rows has a where";
    throw createError("QUERY_INVALID", { path: "where", message });
  }
  return { by: "FILTER", where: filter, slots, affectedMax };
}

function shapeOfSelection(selection: Selection): unknown {
  return selection.by === "KEY"
    ? [selection.id.length, selection.ifMatch !== null]
    : [selection.where, selection.affectedMax];
}

function shapeOf(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

/** The key's values, split before they are decoded, so that a value may hold a comma. */
function parseId(rawId: string): string[] {
  try {
    return rawId.split(",").map(decodeURIComponent);
  } catch {
    throw createError("NOT_FOUND");
  }
}

function parseValues(data: unknown, path: string): Values {
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    throw createError("BODY_INVALID", { path, message: "A row is an object of fields" });
  }
  return new Map(Object.entries(data));
}

function requireKnown(query: Query, single: readonly string[], nested: readonly string[]): Fault[] {
  const unknown = [
    ...Array.from(query.single.keys()).filter((name) => !single.includes(name)),
    ...Array.from(query.nested.keys()).filter((name) => !nested.includes(name)),
  ];
  return unknown.map((path) =>
    createFault("QUERY_INVALID", { path, message: "Unknown parameter" }),
  );
}

function parseFields(query: Query, faults: Fault[]): readonly string[] | null {
  const text = query.single.get("fields");
  if (text === undefined || text === "*") return null;
  const fields = [...new Set(text.split(","))];
  if (fields.includes("") || fields.length > fieldsMax) {
    faults.push(
      createFault("QUERY_INVALID", { path: "fields", message: "fields is a list of field names" }),
    );
  }
  return fields;
}

function parseOrder(text: string | undefined, faults: Fault[], path: string): OrderTerm[] {
  if (text === undefined) return [];
  const terms = text.split(",").map((written): OrderTerm => {
    const descending = written.startsWith("-");
    const name = descending ? written.slice(1) : written;
    const nulls = name.endsWith(":nulls_last")
      ? "LAST"
      : name.endsWith(":nulls_first")
        ? "FIRST"
        : null;
    return {
      field: nulls === null ? name : name.slice(0, name.lastIndexOf(":")),
      descending,
      nulls,
    };
  });
  const names = terms.map((term) => term.field);
  if (names.includes("") || new Set(names).size < names.length || terms.length > 32) {
    const message = "order_by is a list of different fields: -created_at,plate:nulls_last";
    faults.push(createFault("QUERY_INVALID", { path, message }));
  }
  return terms;
}

function parseWhole(
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

interface Where {
  readonly filter: Filter | null;
  readonly slots: readonly Slot[];
}

function parseFilterParameter(
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

function filterOptions(
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

/** `deep[trips][limit]=5&deep[trips][order_by]=-started_at&deep[trips][where][distance][_gt]=10`. */
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
    deep.set(relation, {
      where: parsed.filter,
      order: parseOrder(textOf(order_by), faults, `${root}[order_by]`),
      limit: parseWhole(textOf(limit), `${root}[limit]`, limits.limitMax, limits.limitMax, faults),
    });
  }
  throwFaults(faults);
  return { deep, slots };
}

/** A group where a value belongs reads as a value that nothing accepts. */
function textOf(value: unknown): string | undefined {
  return value === undefined || typeof value === "string" ? value : "";
}
