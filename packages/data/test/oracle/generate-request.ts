import fc from "fast-check";
import { lists } from "./evaluate-access.ts";
import { anyAggregate } from "./generate-aggregate.ts";
import { anyList, anyRead } from "./generate-list.ts";
import { Vocabulary } from "./generate-read.ts";
import { pick, valueFor } from "./generate-schema.ts";
import type { Column, Request, Row, Table, Value, World } from "./model.ts";
import { anyValue, types } from "./values.ts";

export interface RequestOptions {
  readonly relations: boolean;
  readonly writes: boolean;
  /** The index of the user; any user if omitted. */
  readonly user?: number;
}

/** Generates a request of one user of the world. */
export function anyRequest(world: World, options: RequestOptions): fc.Arbitrary<Request> {
  return fc
    .tuple(
      options.user === undefined
        ? fc.nat({ max: world.users.length - 1 })
        : fc.constant(options.user),
      fc.constantFrom(...world.tables),
    )
    .chain(([user, table]) => {
      const words = new Vocabulary(world, user, table, options.relations);
      const key = anyKey(world, table);
      const base = { user: fc.constant(user), table: fc.constant(table.name) };
      return fc.oneof(
        { weight: 12, arbitrary: anyList(words, user) },
        { weight: 4, arbitrary: anyAggregate(words, user) },
        { weight: 2, arbitrary: anyRead(words, user, key) },
        ...(options.writes
          ? [
              {
                weight: 4,
                arbitrary: fc.record({
                  kind: fc.constant("CREATE" as const),
                  ...base,
                  values: anyNewRow(words, world),
                }),
              },
              {
                weight: 4,
                arbitrary: fc.record({
                  kind: fc.constant("UPDATE" as const),
                  ...base,
                  key,
                  values: anyChange(words, world),
                }),
              },
              {
                weight: 2,
                arbitrary: fc.record({
                  kind: fc.constant("DELETE" as const),
                  ...base,
                  key,
                  representation: fc.boolean(),
                }),
              },
            ]
          : []),
      );
    });
}

function anyKey(world: World, table: Table): fc.Arbitrary<readonly string[]> {
  const typed = table.primaryKey.map(
    (name) => table.columns.find((column) => column.name === name)?.type ?? "text",
  );
  const random = fc.tuple(...typed.map((type) => anyValue(type)));
  const impossible = fc.constant(typed.map((type) => types[type].impossible?.[0] ?? "\u0000"));
  const rows = world.rows.get(table.name) ?? [];
  if (rows.length === 0) return random;
  const present = fc
    .constantFrom(...rows)
    .map((row) => table.primaryKey.map((name) => row.get(name) ?? ""));
  return fc.oneof(
    { weight: 12, arbitrary: present },
    { weight: 2, arbitrary: random },
    { weight: 1, arbitrary: impossible },
  );
}

/** Generates values for a column: mostly valid, rarely impossible or null. */
function anyInput(column: Column): fc.Arbitrary<Value> {
  const { impossible } = types[column.type];
  return fc.oneof(
    { weight: 30, arbitrary: valueFor(column) },
    { weight: 2, arbitrary: anyValue(column.type) },
    { weight: 1, arbitrary: fc.constant(null) },
    ...(impossible === undefined ? [] : [{ weight: 1, arbitrary: fc.constantFrom(...impossible) }]),
  );
}

function anyRowInput(table: Table): fc.Arbitrary<ReadonlyMap<string, Value>> {
  return fc
    .tuple(...table.columns.map(anyInput))
    .map((values) => new Map(table.columns.map(({ name }, at) => [name, values[at] ?? null])));
}

/** Makes most foreign keys of an input refer to existing rows. */
function withReferences(
  world: World,
  table: Table,
  input: ReadonlyMap<string, Value>,
  draws: readonly number[],
): Map<string, Value> {
  const values = new Map(input);
  for (const [at, key] of table.foreignKeys.entries()) {
    const draw = draws[at] ?? 0;
    const targets: readonly Row[] = world.rows.get(key.target) ?? [];
    if (targets.length === 0 || draw % 8 === 0) continue;
    const target = pick(targets, draw);
    for (const [index, name] of key.columns.entries()) {
      values.set(name, target.get(key.targetColumns[index] ?? "") ?? null);
    }
  }
  return values;
}

interface Draws {
  readonly input: ReadonlyMap<string, Value>;
  readonly references: readonly number[];
  /** Per column, whether the request sets it. */
  readonly sent: readonly number[];
  readonly extra: number;
}

function anyDraws(table: Table): fc.Arbitrary<Draws> {
  const count = table.columns.length;
  return fc.record({
    input: anyRowInput(table),
    references: fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
    sent: fc.array(fc.nat({ max: 99 }), { minLength: count, maxLength: count }),
    extra: fc.nat({ max: 99 }),
  });
}

function choose(
  { access, table }: Vocabulary,
  world: World,
  action: "CREATE" | "UPDATE",
  { input, references, sent, extra }: Draws,
): ReadonlyMap<string, Value> {
  const grants = access.grants(table, action);
  const values = withReferences(world, table, input, references);
  for (const [at, column] of table.columns.entries()) {
    const draw = sent[at] ?? 0;
    const isSettable =
      !column.identity &&
      grants.some((grant) => lists(grant, column.name) && !grant.presets.has(column.name));
    const isNeeded = action === "CREATE" && !column.nullable && column.default === null;
    const chance = !isSettable ? 2 : isNeeded ? 97 : action === "CREATE" ? 50 : 35;
    if (draw >= chance) values.delete(column.name);
  }
  if (extra === 0) values.set("nope", "1");
  return values;
}

function anyNewRow(words: Vocabulary, world: World): fc.Arbitrary<ReadonlyMap<string, Value>> {
  return anyDraws(words.table).map((draws) => choose(words, world, "CREATE", draws));
}

function anyChange(words: Vocabulary, world: World): fc.Arbitrary<ReadonlyMap<string, Value>> {
  return anyDraws(words.table).map((draws) => {
    const values = choose(words, world, "UPDATE", draws);
    const first = words.table.columns.at(-1)?.name ?? "";
    return values.size > 0 ? values : new Map([[first, draws.input.get(first) ?? null]]);
  });
}
