import type { Access } from "./evaluate-access.ts";
import { holdsFor, textTestOf } from "./evaluate-filter.ts";
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
  TypeName,
  Value,
} from "./model.ts";
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
    return body({ data: project(fields, [], [], table, row, access) });
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

function project(
  fields: readonly Path[],
  deep: readonly Deep[],
  place: readonly string[],
  table: Table,
  row: Row,
  access: Access,
): unknown {
  const json: Record<string, unknown> = {};
  const inner = new Map<string, Path[]>();
  for (const path of fields) {
    const { steps, name } = path;
    const [first, ...rest] = steps;
    if (first !== undefined)
      inner.set(first, [...(inner.get(first) ?? []), { ...path, steps: rest }]);
    else {
      const isAll = name === "*" || name === null;
      for (const column of table.columns) {
        const isMeant = isAll || column.name === name;
        if (isMeant && access.showsField(table, row, column.name)) {
          json[column.name] = jsonOf(column.type, row.get(column.name) ?? null);
        }
      }
    }
  }
  for (const [name, paths] of inner) {
    const edge = access.edge(table, name);
    if (edge === undefined) throw new TypeError(`No relation ${name}`);
    const here = [...place, name];
    const chosen = deep.find(({ steps }) => steps.join("\0") === here.join("\0"));
    const { target } = edge;
    const related = access
      .related(edge, row)
      .filter(
        (its) => chosen?.where == null || holdsFor(chosen.where, target, its, access) === true,
      );
    if (paths[0]?.steps.length === 0 && paths[0].apply !== undefined) {
      json[name] = numbersOf(paths, target, related, access);
      continue;
    }
    const rows = sortRows(related, chosen?.order ?? [], target, access)
      .slice(0, chosen?.limit ?? related.length)
      .map((its) => project(paths, deep, here, target, its, access));
    json[name] = edge.kind === "ONE" ? (rows[0] ?? null) : rows;
  }
  return json;
}

/** The numbers of related rows, by the names of their results. */
function numbersOf(
  paths: readonly Path[],
  table: Table,
  rows: readonly Row[],
  access: Access,
): unknown {
  return Object.fromEntries(
    paths.map(({ name, apply = null }) => {
      const path = name === null ? null : { steps: [], name };
      const { name: result, json } = resultOf({ apply, path, unit: null }, table, rows, access);
      return [result, json];
    }),
  );
}

function sortRows(
  rows: readonly Row[],
  order: readonly OrderTerm[],
  table: Table,
  access: Access,
): readonly Row[] {
  const keyed = rows.map((row) => ({
    row,
    values: order.map((term) => fieldValue(term.path, table, row, access)),
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

/** Nulls are last in ascending and first in descending order, unless the term says otherwise. */
export function compareOrdered(
  { descending, nulls }: Pick<OrderTerm, "descending" | "nulls">,
  type: TypeName,
  left: Value,
  right: Value,
): number {
  if (left === null || right === null) {
    const difference = Number(left === null) - Number(right === null);
    return (nulls === null ? descending : nulls === "first") ? -difference : difference;
  }
  const compared = compareValues(type, left, right) ?? 0;
  return descending ? -compared : compared;
}

function compareKeys(table: Table, left: Row, right: Row): number {
  for (const name of table.primaryKey) {
    const type = columnOf(table, name)?.type ?? "text";
    const order = compareValues(type, left.get(name) ?? null, right.get(name) ?? null) ?? 0;
    if (order !== 0) return order;
  }
  return 0;
}
