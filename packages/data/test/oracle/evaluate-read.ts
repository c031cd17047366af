import type { Access } from "./evaluate-access.ts";
import { holdsFor, textTestOf } from "./evaluate-filter.ts";
import { compareOrdered, groupJson, groupRows } from "./evaluate-groups.ts";
import { faultsOf } from "./faults.ts";
import { fieldValue, resultOf } from "./group-result.ts";
import type {
  Deep,
  Expected,
  ListRequest,
  OrderTerm,
  Path,
  ReadRequest,
  Row,
  Table,
} from "./model.ts";
import { outputOf } from "./outputs.ts";
import { columnOf, tableOf } from "./relations.ts";
import { compareValues, isPattern, jsonOf } from "./values.ts";

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
  const matching = matchingRows(request, table, access);
  const start = offset ?? 0;
  const page = sortRows(matching, order, table, access).slice(
    start,
    start + (limit ?? limitDefault),
  );
  const data = page.map((row) => project(fields, deep, [], table, row, access));
  return body({ data, ...(count ? { meta: { count: matching.length } } : {}) });
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

function body(content: unknown): Expected {
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
  // The related row takes the place of a field that only `*` includes, also where the field is hidden.
  for (const [member, { step, paths }] of inner) {
    const edge = access.edge(table, step);
    if (edge === undefined) throw new TypeError(`No relation ${step}`);
    const here = [...place, member];
    const chosen = deep.find((its) => its.place.join("\0") === here.join("\0"));
    const { target } = edge;
    const related = access
      .related(edge, row)
      .filter(
        (its) => chosen?.where == null || holdsFor(chosen.where, target, its, access) === true,
      );
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
    object[path.at(-1) ?? ""] = path.reduce(memberOf, document);
  }
  return json;
}

/** A member of an object, or an item of a list by its position; null if there is none. */
function memberOf(value: unknown, key: string): unknown {
  const isKnown = typeof value === "object" && value !== null && Object.hasOwn(value, key);
  return isKnown ? (value as Record<string, unknown>)[key] : null;
}

const relatedMax = 1000;

/** The value that orders a row: a field, or a number of related rows. */
function orderValue({ path }: OrderTerm, table: Table, row: Row, access: Access) {
  const { steps, apply } = path;
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
): readonly Row[] {
  const keyed = rows.map((row) => ({
    row,
    values: order.map((term) => orderValue(term, table, row, access)),
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
