import { Access } from "./evaluate-access.ts";
import { pick } from "./generate-schema.ts";
import type { Column, Filter, Grant, Path, Table, User, World } from "./model.ts";
import { edgesOf, tableOf } from "./relations.ts";

/** Whether conflicts and relations may reveal the column: it is part of a key or of a foreign key. */
export function isTied(table: Table, column: Column): boolean {
  return (
    column.unique ||
    table.primaryKey.includes(column.name) ||
    table.foreignKeys.some(({ columns }) => columns.includes(column.name))
  );
}

/** Renames a column that no grant of the user to read or write lists. */
export function renameHiddenColumn(
  world: World,
  user: User,
  [a = 0, b = 0, c = 0]: readonly number[],
): World {
  const table = pick(world.tables, a);
  const access = new Access(world, user);
  const columns = table.columns.filter(
    (column) =>
      !isTied(table, column) &&
      (["READ", "CREATE", "UPDATE"] as const).every((action) =>
        access
          .grants(table, action)
          .every(
            ({ fields, presets }) =>
              fields?.includes(column.name) === false && !presets.has(column.name),
          ),
      ),
  );
  if (columns.length === 0) return world;
  const { name: before } = pick(columns, b);
  const after = `secret ${c}`;
  const rename = (name: string): string => (name === before ? after : name);
  return {
    ...world,
    tables: world.tables.map((other) =>
      other === table
        ? {
            ...table,
            columns: table.columns.map((its) => ({ ...its, name: rename(its.name) })),
          }
        : other,
    ),
    rows: new Map(world.rows).set(
      table.name,
      (world.rows.get(table.name) ?? []).map(
        (row) => new Map(Array.from(row, ([name, value]) => [rename(name), value])),
      ),
    ),
    roles: world.roles.map(({ grants }) => ({
      grants: grants.map((grant) => renameInGrant(world, grant, table, rename)),
    })),
  };
}

function renameInGrant(
  world: World,
  grant: Grant,
  table: Table,
  rename: (name: string) => string,
): Grant {
  const at = (start: string, steps: readonly string[]): string =>
    steps.reduce((its, name) => {
      const edges = edgesOf(world, tableOf(world, its) ?? table);
      return edges.find((edge) => edge.name === name)?.target.name ?? its;
    }, start);
  const inFilter = (filter: Filter, start: string): Filter => {
    switch (filter.kind) {
      case "CONDITION": {
        const renamed = ({ steps, name }: Path): Path =>
          name === null || at(start, steps) !== table.name
            ? { steps, name }
            : { steps, name: rename(name) };
        return {
          ...filter,
          path: renamed(filter.path),
          operands: filter.operands.map((operand) =>
            operand.kind === "FIELD" ? { ...operand, path: renamed(operand.path) } : operand,
          ),
        };
      }
      case "QUANTIFIED":
      case "COUNTED":
        return { ...filter, filter: inFilter(filter.filter, at(start, filter.steps)) };
      case "NOT":
        return { ...filter, filter: inFilter(filter.filter, start) };
      default:
        return { ...filter, filters: filter.filters.map((inner) => inFilter(inner, start)) };
    }
  };
  const { rowFilter, check } = grant;
  const own = grant.table === table.name ? rename : (name: string) => name;
  return {
    ...grant,
    fields: grant.fields?.map(own) ?? null,
    rowFilter: rowFilter === null ? null : inFilter(rowFilter, grant.table),
    check: check === null ? null : inFilter(check, grant.table),
    presets: new Map(Array.from(grant.presets, ([name, preset]) => [own(name), preset])),
  };
}

/** The tables on which the user has no grant. */
export function unknownTables(world: World, user: User): readonly Table[] {
  const access = new Access(world, user);
  return world.tables.filter((table) => access.grants(table).length === 0);
}

/** Renames such a table. */
export function renameUnknownTable(
  world: World,
  user: User,
  [a = 0, b = 0]: readonly number[],
): World {
  const unknown = unknownTables(world, user);
  if (unknown.length === 0) return world;
  const { name: before } = pick(unknown, a);
  const after = `hidden-${b}`;
  const rename = (name: string): string => (name === before ? after : name);
  return {
    ...world,
    tables: world.tables.map((table) => ({
      ...table,
      name: rename(table.name),
      foreignKeys: table.foreignKeys.map((key) => ({ ...key, target: rename(key.target) })),
    })),
    rows: new Map(Array.from(world.rows, ([name, rows]) => [rename(name), rows])),
    roles: world.roles.map(({ grants }) => ({
      grants: grants.map((grant) => ({ ...grant, table: rename(grant.table) })),
    })),
  };
}
