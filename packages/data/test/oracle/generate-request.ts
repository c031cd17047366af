import fc from "fast-check";
import type { DocumentChange } from "./documents.ts";
import { lists } from "./evaluate-access.ts";
import { anyAggregate } from "./generate-aggregate.ts";
import { anyList, anyRead } from "./generate-list.ts";
import { anyWhere, Vocabulary } from "./generate-read.ts";
import { pick, valueFor } from "./generate-schema.ts";
import type { Column, Filter, Request, Row, Table, UpdateRequest, Value, World } from "./model.ts";
import { anyValue, types } from "./values.ts";

export interface RequestOptions {
  readonly relations: boolean;
  readonly writes: boolean;
  /** The index of the user; any user if omitted. */
  readonly user?: number;
}

/** Generates a request of one user of the world. */
export function anyRequest(world: World, options: RequestOptions): fc.Arbitrary<Request> {
  const { user: only, writes, relations } = options;
  const users = only === undefined ? fc.nat({ max: world.users.length - 1 }) : fc.constant(only);
  const kinds = fc.constantFrom(...readKinds, ...(writes ? writeKinds : []));
  return fc.tuple(users, kinds, fc.nat(), fc.nat({ max: 6 })).chain(([user, kind, draw, odd]) => {
    // Most requests are for a table that the user may read.
    const open = world.tables.filter((table) => {
      const { access } = Vocabulary.of(world, user, table, relations);
      return table.exposed.includes("GET") && access.knownFields(table).length > 0;
    });
    const table = pick(odd === 0 || open.length === 0 ? world.tables : open, draw);
    return remembered(Vocabulary.of(world, user, table, relations), user, kind);
  });
}

type Kind = Request["kind"];

const times = (kind: Kind, count: number): readonly Kind[] => Array<Kind>(count).fill(kind);
const readKinds = [...times("LIST", 12), ...times("AGGREGATE", 4), ...times("READ", 2)];
const writeKinds = [
  ...[...times("CREATE", 4), ...times("UPDATE", 4)],
  ...[...times("DELETE", 2), ...times("DELETE_MANY", 1)],
];

const requests = new WeakMap<Vocabulary, Map<Kind, fc.Arbitrary<Request>>>();

/** To compose a generator costs more than to generate with it. */
function remembered(words: Vocabulary, user: number, kind: Kind): fc.Arbitrary<Request> {
  const known = requests.get(words) ?? new Map<Kind, fc.Arbitrary<Request>>();
  requests.set(words, known);
  const arbitrary = known.get(kind) ?? anyOfKind(words, user, kind);
  known.set(kind, arbitrary);
  return arbitrary;
}

function anyOfKind(words: Vocabulary, user: number, kind: Kind): fc.Arbitrary<Request> {
  const { world } = words.access;
  const key = anyKey(world, words.table);
  const base = { user: fc.constant(user), table: fc.constant(words.table.name) };
  switch (kind) {
    case "LIST":
      return anyList(words, user);
    case "AGGREGATE":
      return anyAggregate(words, user);
    case "READ":
      return anyRead(words, user, key);
    case "CREATE":
      return fc.record({ kind: fc.constant(kind), ...base, values: anyNewRow(words, world) });
    case "UPDATE":
      return fc
        .tuple(fc.record({ kind: fc.constant(kind), ...base, key }), anyChange(words, world))
        .map(([request, change]) => ({ ...request, ...change }));
    case "DELETE":
      return fc.record({ kind: fc.constant(kind), ...base, key, representation: fc.boolean() });
    case "DELETE_MANY":
      return fc.record({
        kind: fc.constant(kind),
        ...base,
        where: anyWhere(words, 1).filter((where) => !isEmptyFilter(where)),
        form: fc.constantFrom("BRACKETS" as const, "JSON" as const),
        affectedMax: fc.constantFrom(0, 1, 2, 9, 9),
        representation: fc.boolean(),
      });
    default:
      return kind satisfies never;
  }
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

/** Whether a filter is `{}` in other words; a deletion requires a filter. */
function isEmptyFilter(filter: Filter): boolean {
  return filter.kind === "AND" && filter.filters.every(isEmptyFilter);
}

/** Generates values of columns, and changes of parts of documents. */
function anyChange(
  words: Vocabulary,
  world: World,
): fc.Arbitrary<Pick<UpdateRequest, "values" | "changes">> {
  const documents = words.table.columns.filter(({ type }) => type === "jsonb");
  return fc
    .tuple(anyDraws(words.table), ...documents.map(() => fc.option(anyDocumentChange, { freq: 3 })))
    .map(([draws, ...changed]) => {
      const changes = new Map(
        documents.flatMap(({ name }, at) => {
          const change = changed[at];
          return change == null ? [] : [[name, change] as const];
        }),
      );
      const isAlone = changes.size > 0 && draws.extra % 4 > 0;
      const values = new Map(isAlone ? [] : choose(words, world, "UPDATE", draws));
      for (const name of changes.keys()) values.delete(name);
      const first = words.table.columns.at(-1)?.name ?? "";
      if (values.size + changes.size === 0) values.set(first, draws.input.get(first) ?? null);
      return { values, changes };
    });
}

/** Generates a change of which no path leads through another. */
const anyDocumentChange: fc.Arbitrary<DocumentChange> = fc
  .record({
    keys: fc.uniqueArray(fc.constantFrom("a.b", "a.x", "c.d", "c.n.m", "0", 'q"', "new"), {
      minLength: 1,
      maxLength: 4,
    }),
    json: fc.array(fc.constantFrom("1", '"v"', "null", '{"k":[1]}', "[1,2]", "-1.5"), {
      minLength: 4,
      maxLength: 4,
    }),
    sets: fc.nat({ max: 4 }),
  })
  .map(({ keys, json, sets }) => {
    const paths = keys.map((key) => key.split("."));
    return {
      sets: paths.slice(0, sets).map((path, at) => [path, json[at] ?? "1"] as const),
      unsets: paths.slice(sets),
    };
  });
