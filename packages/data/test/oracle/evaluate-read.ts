import { valueInside } from "./documents.ts";
import type { Access } from "./evaluate-access.ts";
import { holdsFor, textTestOf, untypedFilter } from "./evaluate-filter.ts";
import { compareOrdered, groupJson, groupRows } from "./evaluate-groups.ts";
import { faultsOf } from "./faults.ts";
import { fieldValue, resultOf } from "./group-result.ts";
import type {
  Condition,
  Deep,
  Expected,
  Filter,
  ListRequest,
  OrderTerm,
  Path,
  ReadRequest,
  Row,
  Table,
} from "./model.ts";
import { outputOf } from "./outputs.ts";
import { rankedSearch } from "./ranked-search.ts";
import { columnOf, tableOf } from "./relations.ts";
import { compareValues, isPattern, jsonOf } from "./values.ts";
import { rankOfWords } from "./words.ts";
import { filterBrackets } from "./write-request.ts";

export const limitDefault = 50;

/** Computes the expected response of a list or of one row. */
export function expectedRead(request: ListRequest | ReadRequest, access: Access): Expected {
  const table = tableOf(access.world, request.table);
  const faults = faultsOf(request, table, access);
  if (faults.length > 0 || table === undefined) return { kind: "REFUSED", codes: faults };
  const fields = (request.fields ?? [{ steps: [], name: "*" }]).map((path) =>
    access.meaningOf(path, table),
  );
  if (request.kind === "READ") {
    const row = matchingRows({ where: null, search: null }, table, access).find((its) =>
      table.primaryKey.every((name, at) => its.get(name) === request.key[at]),
    );
    if (row === undefined) return { kind: "REFUSED", codes: ["NOT_FOUND"] };
    return body({ data: project(fields, request.deep, [], table, row, access) });
  }
  const { order, limit, offset, count, deep } = request;
  const where = asWritten(request);
  const matching = matchingRows({ ...request, where }, table, access);
  const start = offset ?? 0;
  const search = rankedSearch(where, table, access);
  const page = sortRows(matching, order, table, access, search).slice(
    start,
    start + (limit ?? limitDefault),
  );
  const data = page.map((row) => project(fields, deep, [], table, row, access));
  if (!count) return body({ data });
  return { ...body({ data, meta: { count: matching.length } }), count: matching.length };
}

/** The filter of a request in the syntax in which it is sent. */
export function asWritten({ where, form }: Pick<ListRequest, "where" | "form">): Filter | null {
  const isText = where !== null && form === "BRACKETS" && filterBrackets(where, "") !== undefined;
  return isText ? untypedFilter(where) : where;
}

/** The visible rows that the request selects. */
export function matchingRows(
  { where, search }: Pick<ListRequest, "where" | "search">,
  table: Table,
  access: Access,
): readonly Row[] {
  return (access.world.rows.get(table.name) ?? []).filter(
    (row) =>
      access.showsRow(table, row) &&
      (where === null || holdsFor(where, table, row, access) === true) &&
      (search === null || isFound(search, table, row, access)),
  );
}

/** Whether a visible text contains the search text, regardless of case. */
function isFound(search: string, table: Table, row: Row, access: Access): boolean {
  const contains = textTestOf("_icontains");
  return table.columns.some(({ name, type }) => {
    const value = row.get(name) ?? null;
    const isText = isPattern(type) && value !== null && access.showsField(table, row, name);
    return isText && contains?.(value, search) === true;
  });
}

function body(content: unknown): Expected & { kind: "BODY" } {
  return { kind: "BODY", status: 200, body: content };
}

/** A row as JSON, with the fields that its reader may see. */
export function projectAll(table: Table, row: Row, access: Access): unknown {
  return project([{ steps: [], name: "*" }], [], [], table, row, access);
}

/** In place of a cursor, because only the engine can create one. */
export class AnyCursor {}

function project(
  fields: readonly Path[],
  deep: readonly Deep[],
  place: readonly string[],
  table: Table,
  row: Row,
  access: Access,
): unknown {
  const json: Record<string, unknown> = {};
  const inner = new Map<string, { readonly step: string; readonly paths: Path[] }>();
  const parts = new Map<string, (readonly string[])[]>();
  for (const path of fields) {
    const { steps, name, inside, aliases } = path;
    const [first, ...rest] = steps;
    if (first !== undefined) {
      const member = aliases?.steps[0] ?? first;
      const known = inner.get(member) ?? { step: first, paths: [] };
      const others = { steps: aliases?.steps.slice(1) ?? [], name: aliases?.name ?? null };
      known.paths.push({ ...path, steps: rest, aliases: others });
      inner.set(member, known);
    } else if (inside !== undefined && name !== null) {
      parts.set(name, [...(parts.get(name) ?? []), inside]);
    } else {
      const isAll = name === "*" || name === null;
      for (const column of table.columns) {
        const isMeant = isAll || column.name === name;
        if (isMeant && access.showsField(table, row, column.name)) {
          const member = isAll ? column.name : (aliases?.name ?? column.name);
          json[member] = jsonOf(column.type, row.get(column.name) ?? null);
        }
      }
    }
  }
  for (const [name, paths] of parts) {
    delete json[name];
    if (!access.showsField(table, row, name)) continue;
    const document = jsonOf("jsonb", row.get(name) ?? null);
    json[name] = partsOf(document, paths);
  }
  const deepFilters = new Map(deep.map((its) => [its, its.where && untypedFilter(its.where)]));
  // The related row takes the place of a field that only `*` includes, also where the field is hidden.
  for (const [member, { step, paths }] of inner) {
    const edge = access.edge(table, step);
    if (edge === undefined) throw new TypeError(`No relation ${step}`);
    const here = [...place, member];
    const chosen = deep.find((its) => its.place.join("\0") === here.join("\0"));
    const { target } = edge;
    // `deep` is written in brackets.
    const where = chosen === undefined ? null : (deepFilters.get(chosen) ?? null);
    const related = access
      .related(edge, row)
      .filter((its) => where === null || holdsFor(where, target, its, access) === true);
    const start = chosen?.offset ?? 0;
    const end = start + (chosen?.limit ?? relatedMax);
    if (paths[0]?.steps.length === 0 && paths[0].apply !== undefined) {
      const outputs = [...(chosen?.groups ?? []), ...paths.map(outputOf)];
      const { having = null, order = [] } = chosen ?? {};
      const results = groupRows(related, { outputs, having, order }, target, access);
      const groups = results.map(groupJson);
      json[member] = (chosen?.groups ?? []).length === 0 ? groups[0] : groups.slice(start, end);
      continue;
    }
    const rows = sortRows(related, chosen?.order ?? [], target, access)
      .slice(start, end)
      .map((its) => project(paths, deep, here, target, its, access));
    if (chosen?.isPaged === true) {
      const isFull = rows.length === chosen.limit && rows.length > 0;
      json[member] = { data: rows, ...(isFull ? { nextCursor: new AnyCursor() } : {}) };
    } else json[member] = edge.kind === "ONE" ? (rows[0] ?? null) : rows;
  }
  return json;
}

/** An object with the values at some paths of a document. */
function partsOf(document: unknown, paths: readonly (readonly string[])[]): unknown {
  const json: Record<string, unknown> = {};
  for (const path of paths) {
    let object = json;
    for (const key of path.slice(0, -1)) {
      object[key] ??= {};
      object = object[key] as Record<string, unknown>;
    }
    object[path.at(-1) ?? ""] = valueInside(document, path) ?? null;
  }
  return json;
}

const relatedMax = 1000;

/** The value that orders a row: a field, a number of related rows, or how well it matches a search. */
function orderValue(
  { path }: OrderTerm,
  table: Table,
  row: Row,
  access: Access,
  search: Condition | undefined,
) {
  const { steps, name, apply } = path;
  if (name === "_rank" && search?.search !== undefined) {
    const { value } = fieldValue(search.path, table, row, access);
    const [operand] = search.operands;
    const query = operand?.kind === "LITERAL" ? operand.text : "";
    const rank = value === null ? null : rankOfWords(value, query, search.search).toFixed(60);
    return { type: "numeric" as const, value: rank };
  }
  const last = steps.at(-1);
  if (apply === undefined || last === undefined) return fieldValue(path, table, row, access);
  let at: { readonly table: Table; readonly row: Row | undefined } = { table, row };
  for (const step of steps.slice(0, -1)) {
    const edge = access.edge(at.table, step);
    if (edge === undefined) throw new TypeError(`No relation ${step}`);
    const next = at.row === undefined ? undefined : access.related(edge, at.row)[0];
    at = { table: edge.target, row: next };
  }
  const edge = access.edge(at.table, last);
  if (edge === undefined) throw new TypeError(`No relation ${last}`);
  const rows = at.row === undefined ? [] : access.related(edge, at.row);
  return resultOf(outputOf(path), edge.target, rows, access);
}

function sortRows(
  rows: readonly Row[],
  order: readonly OrderTerm[],
  table: Table,
  access: Access,
  search?: Condition,
): readonly Row[] {
  const keyed = rows.map((row) => ({
    row,
    values: order.map((term) => orderValue(term, table, row, access, search)),
  }));
  keyed.sort((left, right) => {
    for (const [at, term] of order.entries()) {
      const [one, two] = [left.values[at], right.values[at]];
      if (one?.type == null || two === undefined) continue;
      const compared = compareOrdered(term, one.type, one.value, two.value);
      if (compared !== 0) return compared;
    }
    return compareKeys(table, left.row, right.row);
  });
  return keyed.map(({ row }) => row);
}

function compareKeys(table: Table, left: Row, right: Row): number {
  for (const name of table.primaryKey) {
    const type = columnOf(table, name)?.type ?? "text";
    const order = compareValues(type, left.get(name) ?? null, right.get(name) ?? null) ?? 0;
    if (order !== 0) return order;
  }
  return 0;
}
