import fc from "fast-check";
import { anyBroadFilter, anyCommonFilter, anyOperand, anyRowFilter } from "./generate-filter.ts";
import { anySchema } from "./generate-schema.ts";
import type { Action, Grant, PresetOperand, Role, Table, User, Value, World } from "./model.ts";
import { userIds } from "./values.ts";

export interface WorldOptions {
  /** Whether grants hide much: most have a list of fields and a row filter, and most users have several roles. */
  readonly secretive: boolean;
}

const actions: readonly (readonly [action: Action, chance: number])[] = [
  ["READ", 8],
  ["CREATE", 5],
  ["UPDATE", 6],
  ["DELETE", 4],
];

function preset(table: Table): fc.Arbitrary<ReadonlyMap<string, PresetOperand | null>> {
  const settable = table.columns.filter(
    ({ identity, type }) => !identity && type !== "text[]" && type !== "jsonb",
  );
  return fc.constantFrom(...settable).chain(({ name, type }) =>
    fc
      .oneof({ weight: 4, arbitrary: anyOperand(type) }, fc.constant(null))
      // A preset of $NOW would store a value that no test can predict.
      .filter((operand) => operand?.kind !== "VARIABLE" || operand.name !== "$NOW")
      .map((operand) => new Map([[name, operand]])),
  );
}

function anyGrant(
  tables: readonly Table[],
  table: Table,
  action: Action,
  { secretive }: WorldOptions,
): fc.Arbitrary<Grant> {
  const writes = action === "CREATE" || action === "UPDATE";
  const names = table.columns.map(({ name }) => name);
  const filter = fc.oneof(
    { weight: 3, arbitrary: anyRowFilter(tables, table) },
    { weight: 2, arbitrary: anyCommonFilter(tables, table) },
  );
  // Of rows that several roles read, each may show other fields.
  const shown = action === "READ" ? fc.oneof(filter, anyBroadFilter(table)) : filter;
  return fc.record({
    table: fc.constant(table.name),
    action: fc.constant(action),
    fields:
      action === "DELETE"
        ? fc.constant(null)
        : fc.option(fc.subarray(names, { minLength: 1 }), { freq: secretive ? 12 : 3 }),
    rowFilter: fc.option(shown, { freq: secretive ? 8 : 1 }),
    check: writes ? fc.option(filter, { freq: 2 }) : fc.constant(null),
    presets: writes
      ? fc.oneof(
          { weight: 3, arbitrary: fc.constant(new Map<string, PresetOperand | null>()) },
          { weight: 1, arbitrary: preset(table) },
        )
      : fc.constant(new Map<string, PresetOperand | null>()),
  });
}

function anyRole(tables: readonly Table[], options: WorldOptions): fc.Arbitrary<Role> {
  const grants = tables.flatMap((table) =>
    actions.map(([action, chance]) =>
      fc
        .nat({ max: 9 })
        .chain((draw) =>
          draw < chance
            ? anyGrant(tables, table, action, options).map((grant): readonly Grant[] => [grant])
            : fc.constant<readonly Grant[]>([]),
        ),
    ),
  );
  return fc.tuple(...grants).map((lists) => ({ grants: lists.flat() }));
}

function anyUser(id: string, roleCount: number, { secretive }: WorldOptions): fc.Arbitrary<User> {
  const email = `user${id.at(-1)}@example.com`;
  const optional = (...texts: string[]): fc.Arbitrary<Value> =>
    fc.option(fc.constantFrom(...texts), { freq: 2 });
  return fc
    .record({
      name: fc.constantFrom("", "a", "O'Neil", "日本", "%"),
      time_zone: optional("Europe/Berlin", "America/New_York"),
      // A text that is also a number: a variable is cast to the type of the other side.
      level: optional("3", "1"),
      last_sign_in_at: optional("2000-01-01T00:00:00.000000Z", "2024-03-31T01:30:00.500000Z"),
      roles: fc.subarray([...Array(roleCount).keys()], { minLength: secretive ? 2 : 1 }),
      standing: fc.nat({ max: 19 }),
    })
    .map(({ roles, standing, ...columns }) => ({
      id,
      email,
      columns: new Map<string, Value>([
        ...Object.entries(columns).map(([name, value]) => [`$USER.${name}`, value] as const),
        ["$USER.id", id],
        ["$USER.email", email],
        ["$USER.active", "true"],
        // Every other time in these worlds is on the same side of this one as of the real current time.
        ["$NOW", "2035-01-01T00:00:00.000000Z"],
      ]),
      roles: standing === 0 ? [] : roles,
      administrator: standing === 1,
    }));
}

/** Generates schema, rows, roles with grants, and users. */
export function anyWorld(options: WorldOptions): fc.Arbitrary<World> {
  const roleCounts = options.secretive ? fc.constant(3) : fc.integer({ min: 1, max: 3 });
  return anySchema.chain(({ tables, rows }) =>
    roleCounts.chain((count) =>
      fc.record({
        tables: fc.constant(tables),
        rows: fc.constant(rows),
        roles: fc.array(anyRole(tables, options), { minLength: count, maxLength: count }),
        users: fc.tuple(...userIds.map((id) => anyUser(id, count, options))),
      }),
    ),
  );
}
