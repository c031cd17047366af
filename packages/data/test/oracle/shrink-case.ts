import type { Filter, Grant, Request, Row, World } from "./model.ts";

/** A failing case. */
export interface Case {
  readonly world: World;
  readonly request: Request;
}

/**
 * Finds a smaller failing case: fewer rows, grants, conditions and parts of the request. It uses the structure of a
 * world, so one second of it achieves more than a minute of a general shrinker.
 *
 * @param fails whether a case still fails
 */
export async function shrinkCase(
  first: Case,
  fails: (it: Case) => Promise<boolean>,
  deadline: number,
): Promise<Case> {
  let best = first;
  for (let found = true; found; ) {
    found = false;
    for (const smaller of smallerCases(best)) {
      if (Date.now() > deadline) return best;
      if (!(await fails(smaller))) continue;
      best = smaller;
      found = true;
      break;
    }
  }
  return best;
}

function* smallerCases({ world, request }: Case): Generator<Case> {
  for (const smaller of smallerRequests(request)) yield { world, request: smaller };
  for (const table of world.tables) {
    const isUsed =
      table.name === request.table ||
      world.tables.some(({ foreignKeys }) =>
        foreignKeys.some(({ target }) => target === table.name),
      );
    if (isUsed) continue;
    const roles = world.roles.map(({ grants }) => ({
      grants: grants.filter((grant) => grant.table !== table.name),
    }));
    yield {
      world: { ...world, tables: world.tables.filter((other) => other !== table), roles },
      request,
    };
  }
  for (const [index, role] of world.roles.entries()) {
    for (const grant of role.grants) {
      for (const smaller of [undefined, ...smallerGrants(grant)]) {
        const grants = role.grants.flatMap((other) => (other === grant ? (smaller ?? []) : other));
        yield { world: { ...world, roles: world.roles.with(index, { grants }) }, request };
      }
    }
  }
  for (const [name, rows] of world.rows) {
    for (const row of rows) {
      if (isReferred(world, name, row)) continue;
      const fewer = new Map(world.rows).set(
        name,
        rows.filter((other) => other !== row),
      );
      yield { world: { ...world, rows: fewer }, request };
    }
  }
  for (const table of world.tables) {
    for (const column of table.columns) {
      if (!canGo(world, request, table.name, column.name)) continue;
      const columns = table.columns.filter((other) => other !== column);
      const tables = world.tables.map((other) => (other === table ? { ...table, columns } : other));
      yield { world: { ...world, tables }, request };
    }
  }
}

/** Whether only its own table mentions a column. */
function canGo(world: World, request: Request, tableName: string, name: string): boolean {
  const mention = JSON.stringify(name);
  const says = (it: unknown): boolean =>
    JSON.stringify(it, (_, value: unknown) => (value instanceof Map ? [...value] : value)).includes(
      mention,
    );
  const table = world.tables.find((other) => other.name === tableName);
  return (
    !says(request) &&
    !says(world.roles) &&
    table?.primaryKey.includes(name) === false &&
    !says(world.tables.map(({ foreignKeys }) => foreignKeys))
  );
}

function isReferred(world: World, name: string, row: Row): boolean {
  return world.tables.some((table) =>
    table.foreignKeys.some(
      (key) =>
        key.target === name &&
        (world.rows.get(table.name) ?? []).some((other) =>
          key.columns.every((own, at) => other.get(own) === row.get(key.targetColumns[at] ?? "")),
        ),
    ),
  );
}

function* smallerGrants(grant: Grant): Generator<Grant> {
  if (grant.presets.size > 0) yield { ...grant, presets: new Map() };
  for (const rowFilter of smallerFilters(grant.rowFilter)) yield { ...grant, rowFilter };
  for (const check of smallerFilters(grant.check)) yield { ...grant, check };
  if (grant.fields === null) return;
  yield { ...grant, fields: null };
  for (const field of grant.fields.length > 1 ? grant.fields : []) {
    yield { ...grant, fields: grant.fields.filter((other) => other !== field) };
  }
}

function* smallerFilters(filter: Filter | null): Generator<Filter | null> {
  if (filter === null) return;
  yield null;
  if ("filters" in filter) {
    yield* filter.filters;
    for (const [at, inner] of filter.filters.entries()) {
      yield { ...filter, filters: filter.filters.toSpliced(at, 1) };
      for (const smaller of smallerFilters(inner)) {
        if (smaller !== null) yield { ...filter, filters: filter.filters.with(at, smaller) };
      }
    }
  } else if (filter.kind !== "CONDITION") {
    if (filter.kind === "NOT") yield filter.filter;
    for (const smaller of smallerFilters(filter.filter)) {
      if (smaller !== null) yield { ...filter, filter: smaller };
    }
  } else if (filter.kind === "CONDITION" && filter.operator.endsWith("in")) {
    for (const at of filter.operands.keys()) {
      yield { ...filter, operands: filter.operands.toSpliced(at, 1) };
    }
  }
}

function* smallerRequests(request: Request): Generator<Request> {
  if (request.kind === "CREATE" || request.kind === "UPDATE") {
    for (const name of request.values.size > 1 ? request.values.keys() : []) {
      const values = new Map(request.values);
      values.delete(name);
      yield { ...request, values };
    }
  }
  if (request.kind === "UPDATE") {
    for (const name of request.changes.size + request.values.size > 1
      ? request.changes.keys()
      : []) {
      const changes = new Map(request.changes);
      changes.delete(name);
      yield { ...request, changes };
    }
  }
  if (request.kind === "AGGREGATE") {
    for (const at of request.outputs.length > 1 ? request.outputs.keys() : []) {
      yield { ...request, outputs: request.outputs.toSpliced(at, 1) };
    }
    for (const having of smallerFilters(request.having)) yield { ...request, having };
    for (const where of smallerFilters(request.where)) yield { ...request, where };
    for (const at of request.order.keys()) {
      yield { ...request, order: request.order.toSpliced(at, 1) };
    }
    if (request.search !== null) yield { ...request, search: null };
  }
  if (request.kind !== "LIST" && request.kind !== "READ") return;
  if (request.kind === "LIST") {
    for (const at of request.deep.keys()) yield { ...request, deep: request.deep.toSpliced(at, 1) };
    for (const at of request.order.keys()) {
      yield { ...request, order: request.order.toSpliced(at, 1) };
    }
    if (request.search !== null) yield { ...request, search: null };
    if (request.count) yield { ...request, count: false };
    if (request.offset !== null) yield { ...request, offset: null };
    if (request.limit !== null) yield { ...request, limit: null };
    for (const where of smallerFilters(request.where)) yield { ...request, where };
  }
  if (request.fields === null) return;
  yield { ...request, fields: null };
  for (const at of request.fields.length > 1 ? request.fields.keys() : []) {
    yield { ...request, fields: request.fields.toSpliced(at, 1) };
  }
}
