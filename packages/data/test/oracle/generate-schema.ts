import fc from "fast-check";
import type { Column, ForeignKey, Method, OnDelete, Row, Table, TypeName, Value } from "./model.ts";
import { anyValue, types } from "./values.ts";

const tableNames = ["drivers", "Vehicles", "trip-log", 'Größe "x"'];
/** `driver` and `parent` can also be names of relations. */
const columnNames = [
  "n",
  "Odd Name",
  'q"uote',
  "dot.ted",
  "ünï",
  "select",
  "driver",
  "parent",
  "z",
];
const keyNames = ["driver_id", "spare_id", "parent_id", "boss", "main"];
const typeNames = Object.keys(types) as TypeName[];
const frequentTypes = ["int", "numeric", "text", "words", "words", "jsonb", "jsonb"] as const;
const methods: readonly Method[] = ["GET", "POST", "PATCH", "DELETE"];

/** Limits on the tables and their rows. */
export interface Schema {
  readonly tables: readonly Table[];
  readonly rows: ReadonlyMap<string, readonly Row[]>;
}

const plain = { nullable: false, default: null, identity: false, unique: false, min: null };

const payload = fc
  .record({
    type: fc.constantFrom<TypeName>(...typeNames, ...frequentTypes),
    nullable: fc.nat({ max: 3 }).map((draw) => draw > 0),
    default: fc.option(fc.nat(), { freq: 3 }),
    unique: fc.nat({ max: 9 }).map((draw) => draw === 0),
    checked: fc.nat({ max: 2 }).map((draw) => draw === 0),
  })
  .map(
    ({ type, nullable, default: draw, unique, checked }): Omit<Column, "name"> => ({
      type,
      nullable,
      default: draw === null ? null : pick(types[type].pool, draw),
      identity: false,
      unique: unique && type === "text",
      min: checked && type === "int" ? 0 : null,
    }),
  )
  // A default that violates its own check would reject every row.
  .map((column) => (column.min === null ? column : { ...column, default: null }));

const keys: readonly (readonly Column[])[] = [
  [{ ...plain, name: "id", type: "int" }],
  [{ ...plain, name: "id", type: "bigint", identity: true }],
  [{ ...plain, name: "id", type: "uuid" }],
  [{ ...plain, name: "Code", type: "text" }],
  [
    { ...plain, name: "a", type: "int" },
    { ...plain, name: "b", type: "text" },
  ],
];

interface Reference {
  readonly name: string;
  /** The index of the referenced table among those generated before, itself included. */
  readonly target: number;
  readonly nullable: boolean;
  readonly onDelete: number;
  /** Whether its column is unique, so that the other direction has one row. */
  readonly unique: boolean;
  readonly isNamed: boolean;
}

const reference = (name: string): fc.Arbitrary<Reference> =>
  fc.record({
    name: fc.constant(name),
    target: fc.nat(),
    nullable: fc.nat({ max: 2 }).map((draw) => draw > 0),
    onDelete: fc.nat(),
    unique: fc.nat({ max: 3 }).map((draw) => draw === 0),
    isNamed: fc.nat({ max: 3 }).map((draw) => draw === 0),
  });

const draft = fc.record({
  key: fc.constantFrom(...keys),
  names: fc.shuffledSubarray(columnNames, { minLength: 3, maxLength: 6 }),
  columns: fc.array(payload, { minLength: 6, maxLength: 6 }),
  references: fc
    .shuffledSubarray(keyNames, { maxLength: 3 })
    .chain((names) => fc.tuple(...names.map(reference))),
  /** Whether its key consists of its first two foreign keys, or an administrator marks it. */
  junction: fc.constantFrom(null, null, null, "KEY", "KEY", "MARK"),
  exposed: fc.oneof(
    { weight: 5, arbitrary: fc.constant(methods) },
    { weight: 1, arbitrary: fc.subarray([...methods]) },
  ),
});

/** One ON DELETE action per world: a mixture depends on the order of PostgreSQL's triggers. */
const deletions: readonly (readonly OnDelete[])[] = [
  ["no action"],
  ["restrict"],
  ["cascade", "set null"],
];

const tables = fc
  .record({
    drafts: fc.array(draft, { minLength: 2, maxLength: 4 }),
    deletion: fc.constantFrom(...deletions),
  })
  .map(({ drafts, deletion }) => {
    const built: Table[] = [];
    for (const [index, draft] of drafts.entries()) {
      const { names, columns, exposed, junction } = draft;
      const name = tableNames[index] ?? "";
      const isKey = junction === "KEY" && index > 0 && draft.references.length > 1;
      const isMark = junction === "MARK" && draft.references.length > 1;
      const references = isMark ? draft.references.slice(0, 2) : draft.references;
      const key = isKey ? [] : draft.key;
      const own: Column[] = [
        ...key,
        ...names.map((column, at) => ({ name: column, ...(columns[at] ?? plainText) })),
      ];
      const primaryKey = key.map((column) => column.name);
      const isPart = (): boolean => isKey && foreignKeys.length < 2;
      const foreignKeys: ForeignKey[] = [];
      for (const {
        name: base,
        target,
        nullable: mayBeNull,
        onDelete,
        unique,
        isNamed,
      } of references) {
        // A key cannot refer to itself.
        const place = target % (isKey ? index : index + 1);
        const isSelf = place === index;
        const nullable = mayBeNull && !isPart();
        const other = isSelf ? { name, columns: own, primaryKey } : built[place];
        if (other === undefined) continue;
        const isComposite = other.primaryKey.length > 1;
        // A relation over several columns is named after its target; two of them to one table would differ in constraint
        // names only.
        const isTwin = isSelf || foreignKeys.some((key) => key.target === other.name);
        if (isComposite && isTwin) continue;
        const referring = other.primaryKey.map((part): Column => {
          const column = other.columns.find(({ name: its }) => its === part);
          return {
            ...plain,
            name: isComposite ? `${base}_${part}` : base,
            type: column?.type ?? "text",
            nullable: nullable || isSelf,
            unique: unique && !isComposite,
          };
        });
        if (own.some((column) => referring.some((part) => part.name === column.name))) continue;
        own.push(...referring);
        if (isPart()) primaryKey.push(...referring.map((column) => column.name));
        const action = pick(deletion, onDelete);
        foreignKeys.push({
          columns: referring.map((column) => column.name),
          target: other.name,
          targetColumns: other.primaryKey,
          onDelete: action === "set null" && !(nullable || isSelf) ? "cascade" : action,
          relationName: isNamed && !isComposite ? `of_${base}` : null,
        });
      }
      if (primaryKey.length === 0 || (isKey && foreignKeys.length < 2)) {
        own.push(...draft.key);
        primaryKey.splice(0, primaryKey.length, ...draft.key.map((column) => column.name));
      }
      built.push({ name, columns: own, primaryKey, foreignKeys, marked: isMark, exposed });
    }
    return built;
  });

const plainText: Omit<Column, "name"> = { ...plain, type: "text", nullable: true };

/** Generates a schema with rows that satisfy its constraints. */
export const anySchema: fc.Arbitrary<Schema> = tables.chain((list) =>
  fc
    .tuple(
      ...list.map((table) =>
        fc.array(
          fc.tuple(
            fc.tuple(...table.columns.map(valueFor)),
            fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
          ),
          { minLength: 3, maxLength: 12, size: "max" },
        ),
      ),
    )
    .map((drafts) => ({ tables: list, rows: settleRows(list, drafts) })),
);

/** Generates a value that the column alone permits. */
export function valueFor(column: Column): fc.Arbitrary<Value> {
  const value =
    column.min === null
      ? anyValue(column.type)
      : fc.nat({ max: 5 }).map((number) => String((column.min ?? 0) + number));
  return column.nullable ? fc.option(value, { freq: 3 }) : value;
}

type RowDraft = readonly [readonly Value[], readonly number[]];

/** Makes foreign keys refer to existing rows and drops rows that violate a key. */
function settleRows(
  list: readonly Table[],
  drafts: readonly (readonly RowDraft[])[],
): ReadonlyMap<string, readonly Row[]> {
  const rows = new Map<string, Row[]>();
  for (const [index, table] of list.entries()) {
    const settled: Map<string, Value>[] = [];
    rows.set(table.name, settled);
    for (const [values, draws] of drafts[index] ?? []) {
      const row = new Map(table.columns.map((column, at) => [column.name, values[at] ?? null]));
      const isReferring = table.foreignKeys.every((key, at) =>
        refer(row, table, key, rows.get(key.target) ?? [], draws[at] ?? 0),
      );
      const keysOf = [
        table.primaryKey,
        ...table.columns.flatMap((column) => (column.unique ? [[column.name]] : [])),
      ];
      const isNew = keysOf.every((key) => !settled.some((other) => isSameKey(key, row, other)));
      if (isReferring && isNew) settled.push(row);
    }
  }
  return rows;
}

function refer(
  row: Map<string, Value>,
  table: Table,
  key: ForeignKey,
  targets: readonly Row[],
  draw: number,
): boolean {
  const mayBeNull = key.columns.every(
    (name) => table.columns.find((column) => column.name === name)?.nullable,
  );
  const isNull = targets.length === 0 || (mayBeNull && draw % 4 === 0);
  if (isNull && !mayBeNull) return false;
  const target = isNull ? undefined : pick(targets, draw);
  for (const [at, name] of key.columns.entries()) {
    row.set(name, target?.get(key.targetColumns[at] ?? "") ?? null);
  }
  return true;
}

/** Whether two rows have the same key; nulls are distinct. */
export function isSameKey(key: readonly string[], left: Row, right: Row): boolean {
  return key.every((name) => left.get(name) !== null && left.get(name) === right.get(name));
}

export function pick<Item>(items: readonly Item[], draw: number): Item {
  const item = items[draw % items.length];
  if (item === undefined) throw new RangeError("Nothing to pick from");
  return item;
}
