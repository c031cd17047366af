import {
  documentKeysMax,
  documentKeysOf,
  type RowSelection,
  readName,
  readPath,
  splitTerms,
} from "@rowhouse/access";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { isObject } from "@rowhouse/wire";
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
import type {
  CreateRequest,
  DeleteRequest,
  DocumentChange,
  OnConflict,
  RequestOptions,
  Selection,
  Target,
  UpdateRequest,
  Values,
} from "./request.ts";
import { requirePossible } from "./terms.ts";

/** Limits the different sets of fields: each is an INSERT of its own within the statement. */
export const groupsMax = 20;

/** Parses `POST /api/{schema}/table/{table}`: one row or a list of rows. */
export function parseCreateRequest(
  target: Target,
  rawQuery: string,
  data: unknown,
  limits: RequestLimits,
  options: RequestOptions = noOptions,
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

/** Creates a create without an HTTP request, for a workflow's step. */
export function createRequestOf(target: Target, values: Values): CreateRequest {
  return createOf(target, [values], false, null, noOptions);
}

/**
 * Creates an update without an HTTP request.
 *
 * @throws AppError QUERY_INVALID, BODY_INVALID
 */
export function updateRequestOf(
  target: Target,
  selection: RowSelection,
  values: Values,
  limits: RequestLimits,
): UpdateRequest {
  return updateTo(target, selectionOf(selection, limits), values, noOptions);
}

/**
 * Creates a delete without an HTTP request.
 *
 * @throws AppError QUERY_INVALID
 */
export function deleteRequestOf(
  target: Target,
  selection: RowSelection,
  limits: RequestLimits,
): DeleteRequest {
  return deleteOf(target, selectionOf(selection, limits), noOptions);
}

function selectionOf(selection: RowSelection, limits: RequestLimits): Selection {
  if ("id" in selection) return { by: "KEY", id: selection.id, ifMatch: null };
  const query: ParsedQuery = { single: new Map(), nested: new Map([["where", selection.where]]) };
  return filterSelection(query, Math.min(selection.maxAffected, limits.affectedMax), limits, false);
}

function createOf(
  target: Target,
  rows: readonly Values[],
  isList: boolean,
  conflict: OnConflict | null,
  { minimal }: RequestOptions,
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

/** Maximum number of columns of a unique key in PostgreSQL. */
const keyColumnsMax = 32;

/** Parses `on_conflict` and `resolution`; adds a fault for each invalid one. */
export function parseConflict(query: ParsedQuery, faults: Fault[]): OnConflict | null {
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
  const terms = splitTerms(fields ?? "");
  const names = requirePossible(terms, keyColumnsMax, "on_conflict", faults)
    ? terms.map(readName)
    : [];
  return { fields: [...new Set(names)], resolution };
}

/** Parses `PATCH …/{id}`. */
export function parseUpdateRequest(
  target: Target,
  rawId: string,
  rawQuery: string,
  data: unknown,
  options: RequestOptions = noOptions,
): UpdateRequest {
  throwFaults(requireKnown(parseQuery(rawQuery), [], []));
  return updateOf(target, selectionByKey(rawId, options), data, options);
}

/** Parses `PATCH /api/{schema}/table/{table}?where…&max_affected=…`. */
export function parseUpdateManyRequest(
  target: Target,
  rawQuery: string,
  data: unknown,
  limits: RequestLimits,
  options: RequestOptions = noOptions,
): UpdateRequest {
  return updateOf(target, selectionByFilter(rawQuery, limits), data, options);
}

/** Parses `DELETE …/{id}`. */
export function parseDeleteRequest(
  target: Target,
  rawId: string,
  rawQuery: string,
  options: RequestOptions = noOptions,
): DeleteRequest {
  throwFaults(requireKnown(parseQuery(rawQuery), [], []));
  return deleteOf(target, selectionByKey(rawId, options), options);
}

/** Parses `DELETE /api/{schema}/table/{table}?where…&max_affected=…`. */
export function parseDeleteManyRequest(
  target: Target,
  rawQuery: string,
  limits: RequestLimits,
  options: RequestOptions = noOptions,
): DeleteRequest {
  return deleteOf(target, selectionByFilter(rawQuery, limits), options);
}

function updateOf(
  target: Target,
  selection: Selection,
  data: unknown,
  options: RequestOptions,
): UpdateRequest {
  return updateTo(target, selection, parseValues(data, "/data"), options);
}

function updateTo(
  target: Target,
  selection: Selection,
  values: Values,
  { minimal }: RequestOptions,
): UpdateRequest {
  if (values.size === 0) {
    throw createError("BODY_INVALID", { path: "/data", message: "There is nothing to change" });
  }
  const changes = readChanges(values);
  const shape = shapeOf(
    ...["UPDATE", target, shapeOfSelection(selection), [...values.keys()], minimal, [...changes]],
  );
  return { kind: "UPDATE", target, selection, values, changes, minimal, shape };
}

function deleteOf(
  target: Target,
  selection: Selection,
  { representation }: RequestOptions,
): DeleteRequest {
  const shape = shapeOf("DELETE", target, shapeOfSelection(selection), representation);
  return { kind: "DELETE", target, selection, representation, shape };
}

function selectionByKey(rawId: string, { ifMatch }: RequestOptions): Selection {
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
  return filterSelection(query, affectedMax, limits, true);
}

function filterSelection(
  query: ParsedQuery,
  affectedMax: number,
  limits: RequestLimits,
  commaLists: boolean,
): Selection {
  const { filter, slots } = parseFilterParameter(query, "where", limits, commaLists, []);
  if (filter === null || (filter.kind === "AND" && filter.filters.length === 0)) {
    const message = "A write to many rows has a where";
    throw createError("QUERY_INVALID", { path: "where", message });
  }
  return { by: "FILTER", where: filter, slots, affectedMax };
}

function shapeOfSelection(selection: Selection): unknown {
  return selection.by === "KEY"
    ? [formOfId(selection.id), selection.ifMatch !== null]
    : [selection.where, selection.affectedMax];
}

function parseValues(data: unknown, path: string): Values {
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    throw createError("BODY_INVALID", { path, message: "A row is an object of fields" });
  }
  const fields = Object.entries(data);
  if (fields.length > columnsMax) {
    throw createError("BODY_INVALID", {
      path,
      message: `A row has at most ${columnsMax} fields`,
    });
  }
  return new Map(fields);
}

/** Maximum number of columns of a PostgreSQL table. */
const columnsMax = 1600;

/** Maximum number of paths in one change. */
const pathsMax = 100;
const operators: ReadonlySet<string> = new Set(["$set", "$unset", "$value"]);

/** Returns the fields of a PATCH whose values have the form of a change of a document. */
function readChanges(values: ReadonlyMap<string, unknown>): ReadonlyMap<string, DocumentChange> {
  const changes = new Map<string, DocumentChange>();
  for (const [field, value] of values) {
    const change = readChange(value);
    if (change !== undefined) changes.set(field, change);
  }
  return changes;
}

function readChange(value: unknown): DocumentChange | undefined {
  if (!isObject(value)) return undefined;
  const names = Object.keys(value);
  if (names.length === 0 || !names.every((name) => operators.has(name))) return undefined;
  const nothing: DocumentChange = { isWhole: false, sets: [], unsets: [], fault: null };
  if (names.includes("$value")) {
    const fault = names.length > 1 ? "$value stands alone" : null;
    return { ...nothing, isWhole: true, fault };
  }
  const { $set: set = {}, $unset: unset = [] } = value;
  if (!isObject(set) || !Array.isArray(unset) || !unset.every((path) => typeof path === "string")) {
    return { ...nothing, fault: "$set is an object of values by paths, $unset a list of paths" };
  }
  const written = [...Object.keys(set), ...(unset as readonly string[])];
  const paths = written.map((path) => documentKeysOf(readPath(path)));
  const known = paths.filter((path) => path !== undefined);
  if (known.length < paths.length || known.some((path) => path.length > documentKeysMax)) {
    return { ...nothing, fault: `A path has 1 to ${documentKeysMax} keys, which dots separate` };
  }
  if (known.length > pathsMax)
    return { ...nothing, fault: `A change has at most ${pathsMax} paths` };
  const fault = overlaps(known) ? "One path of a change leads through another" : null;
  const count = Object.keys(set).length;
  return { isWhole: false, sets: known.slice(0, count), unsets: known.slice(count), fault };
}

/** Whether a path is the beginning of another, or equal to it. */
function overlaps(paths: readonly (readonly string[])[]): boolean {
  const all = new Set(paths.map((path) => JSON.stringify(path)));
  if (all.size < paths.length) return true;
  return paths.some((path) =>
    path.slice(1).some((_, end) => all.has(JSON.stringify(path.slice(0, end + 1)))),
  );
}
