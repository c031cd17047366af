import fc from "fast-check";
import { Access } from "./evaluate-access.ts";
import { isSameKey, pick } from "./generate-schema.ts";
import type { Action, Method, Row, Table, User, Value, World } from "./model.ts";
import { columnOf, edgesOf } from "./relations.ts";
import { isTied, renameHiddenColumn, renameUnknownTable, unknownTables } from "./twin-names.ts";
import { types } from "./values.ts";

/** One kind of difference between a world and its twin; the draws select where it applies. */
type Change = (world: World, user: User, draws: readonly number[]) => World;

/** Generates a world that its user cannot distinguish from the first; a visible change is left out. */
export function anyTwin(world: World, user: User): fc.Arbitrary<World> {
  const draws = fc.array(fc.nat(), { minLength: 4, maxLength: 4 });
  const change = fc.tuple(
    fc.constantFrom<Change>(
      removeHiddenRow,
      addHiddenRow,
      addHiddenRow,
      renameHiddenColumn,
      renameUnknownTable,
      exposeUnknownTable,
      dropOtherGrant,
    ),
    draws,
  );
  const cells = world.tables.flatMap((table, a) =>
    (world.rows.get(table.name) ?? []).flatMap((_, b) =>
      table.columns.map((__, c) => [a, b, c] as const),
    ),
  );
  return fc
    .record({
      // Every hidden cell receives another value.
      values: fc.array(fc.nat(), { minLength: cells.length, maxLength: cells.length, size: "max" }),
      changes: fc.array(change, { minLength: 10, maxLength: 30, size: "max" }),
    })
    .map(({ values, changes }) => {
      const all: (readonly [Change, readonly number[]])[] = [
        ...cells.map((cell, at) => [setHiddenCell, [...cell, values[at] ?? 0]] as const),
        ...changes,
      ];
      return all.reduce((twin, [apply, its]) => {
        const candidate = apply(twin, user, its);
        return candidate !== twin && looksAlike(twin, candidate, user) ? candidate : twin;
      }, world);
    });
}

/** Whether a user sees the same in both worlds and may do the same to the same rows. */
function looksAlike(left: World, right: World, user: User): boolean {
  return (
    JSON.stringify(namesOf(left)) === JSON.stringify(namesOf(right)) &&
    JSON.stringify(viewOf(left, user)) === JSON.stringify(viewOf(right, user))
  );
}

/** The names by which grants refer to relations; other relations may change their names. */
function namesOf(world: World): unknown {
  const isNamed = JSON.stringify(world.roles).match(/"steps":\["/) !== null;
  return isNamed ? world.tables.map((table) => edgesOf(world, table).map(({ name }) => name)) : [];
}

const changing: readonly Action[] = ["UPDATE", "DELETE"];

function viewOf(world: World, user: User): unknown {
  const access = new Access(world, user);
  return world.tables
    .filter((table) => access.grants(table).length > 0)
    .map((table) => [
      table.name,
      table.exposed,
      access.knownFields(table),
      access.edges(table).map(({ name, kind, target }) => [name, kind, target.name]),
      (world.rows.get(table.name) ?? [])
        .map((row) => {
          const shown = access.showsRow(table, row);
          const fields = table.columns.flatMap(({ name }) =>
            access.showsField(table, row, name) ? [[name, row.get(name)]] : [],
          );
          const grants = changing.map((action) =>
            access
              .grants(table, action)
              .map(({ rowFilter }) => access.matches(rowFilter, table, row)),
          );
          const isFound = shown || grants.flat().includes(true);
          return isFound ? [keyOf(table, row), shown, fields, grants] : [];
        })
        .filter((row) => row.length > 0),
    ]);
}

function keyOf(table: Table, row: Row): readonly Value[] {
  return table.primaryKey.map((name) => row.get(name) ?? null);
}

const withRows = (world: World, name: string, rows: readonly Row[]): World => ({
  ...world,
  rows: new Map(world.rows).set(name, rows),
});

/** Changes a hidden value in a visible or a hidden row. */
function setHiddenCell(
  world: World,
  user: User,
  [a = 0, b = 0, c = 0, d = 0]: readonly number[],
): World {
  const table = pick(world.tables, a);
  const rows = world.rows.get(table.name) ?? [];
  if (rows.length === 0) return world;
  const row = pick(rows, b);
  const column = table.columns[c];
  if (column === undefined || isTied(table, column)) return world;
  if (new Access(world, user).showsField(table, row, column.name)) return world;
  const values = types[column.type].pool.filter(
    (text) => column.min === null || BigInt(text) >= BigInt(column.min),
  );
  const value = column.nullable && d % 5 === 0 ? null : pick(values, d);
  return withRows(
    world,
    table.name,
    rows.map((other) => (other === row ? new Map(row).set(column.name, value) : other)),
  );
}

/** Removes a hidden row without references in either direction, so that no deletion reveals it. */
function removeHiddenRow(world: World, user: User, [a = 0, b = 0]: readonly number[]): World {
  const table = pick(world.tables, a);
  const rows = world.rows.get(table.name) ?? [];
  if (rows.length === 0) return world;
  const row = pick(rows, b);
  const refers = table.foreignKeys.some(({ columns }) =>
    columns.every((name) => row.get(name) !== null),
  );
  const isReferred = world.tables.some(({ name, foreignKeys }) =>
    foreignKeys.some(
      (key) =>
        key.target === table.name &&
        (world.rows.get(name) ?? []).some((other) =>
          key.columns.every((own, at) => other.get(own) === row.get(key.targetColumns[at] ?? "")),
        ),
    ),
  );
  if (refers || isReferred || new Access(world, user).showsRow(table, row)) return world;
  return withRows(
    world,
    table.name,
    rows.filter((other) => other !== row),
  );
}

/** Adds a hidden row with a key that no request names. */
function addHiddenRow(world: World, user: User, [a = 0, b = 0, c = 0]: readonly number[]): World {
  const table = pick(world.tables, a);
  const rows = world.rows.get(table.name) ?? [];
  const row = new Map<string, Value>();
  const isReferring = table.foreignKeys.some(({ columns }) =>
    columns.some((name) => table.primaryKey.includes(name)),
  );
  if (isReferring) return world;
  for (const [at, column] of table.columns.entries()) {
    const tied = isTied(table, column);
    if (tied && !column.nullable && !table.primaryKey.includes(column.name)) return world;
    const pool = types[column.type].pool.filter(
      (text) => column.min === null || BigInt(text) >= BigInt(column.min),
    );
    const value = tied || (column.nullable && (c + at) % 4 === 0) ? null : pick(pool, b + at);
    row.set(column.name, value);
  }
  for (const name of table.primaryKey) {
    const type = columnOf(table, name)?.type ?? "text";
    row.set(name, unusedKeys[type]?.(c % 100) ?? `unused ${c % 100}`);
  }
  if (rows.some((other) => isSameKey(table.primaryKey, row, other))) return world;
  const twin = withRows(world, table.name, [...rows, row]);
  return new Access(twin, user).showsRow(table, row) ? world : twin;
}

const unusedKeys: Readonly<Record<string, (at: number) => string>> = {
  int: (at) => String(70_000 + at),
  bigint: (at) => String(70_000 + at),
  uuid: (at) => `bbbbbbbb-0000-4000-8000-0000000000${String(at).padStart(2, "0")}`,
};

function exposeUnknownTable(world: World, user: User, [a = 0, b = 0]: readonly number[]): World {
  const unknown = unknownTables(world, user);
  if (unknown.length === 0) return world;
  const table = pick(unknown, a);
  const exposed: readonly Method[] = pick([[], ["GET"], ["GET", "POST", "PATCH", "DELETE"]], b);
  const tables = world.tables.map((other) => (other === table ? { ...table, exposed } : other));
  return { ...world, tables };
}

/** Removes a grant of a role that the user does not have. */
function dropOtherGrant(world: World, user: User, [a = 0, b = 0]: readonly number[]): World {
  const others = [...world.roles.keys()].filter((index) => !user.roles.includes(index));
  if (others.length === 0) return world;
  const index = pick(others, a);
  const grants = world.roles[index]?.grants ?? [];
  if (grants.length === 0) return world;
  const gone = pick(grants, b);
  return {
    ...world,
    roles: world.roles.with(index, { grants: grants.filter((it) => it !== gone) }),
  };
}
