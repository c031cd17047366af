import { isDeepStrictEqual } from "node:util";
import type { TableChange } from "@rowhouse/ddl";
import type { DocumentPath } from "../../yaml/yaml-text.ts";
import type { ColumnDocument, TableDocument } from "./table-document.ts";

/** A change of a table, and where its document asks for it. */
export interface PlacedChange {
  readonly change: TableChange;
  /** Returns the place of a fault, by the part of its pointer below the change. */
  placeOf(rest: readonly string[]): DocumentPath;
}

/**
 * Returns the changes from one state of a table to another: those that concern the table alone, and new foreign keys,
 * whose target may be created or changed before.
 */
export function placedChanges(
  before: TableDocument,
  after: TableDocument,
  primaryKeyName: string | null,
): { own: PlacedChange[]; foreignKeys: PlacedChange[] } {
  return {
    own: [
      ...removals(before, after),
      ...keyRemovals(before, after, primaryKeyName),
      ...columnChanges(before, after),
      ...keyChanges(before, after),
      ...checkChanges(before, after),
      ...indexChanges(before, after),
      ...commentChanges(before, after),
    ],
    foreignKeys: [...newForeignKeys(before, after)],
  };
}

const fieldNames: Readonly<Record<string, string>> = {
  dataType: "type",
  checkMessage: "message",
  targetColumns: "references",
  targetTable: "references",
};

function at(path: DocumentPath, change: TableChange): PlacedChange {
  return {
    change,
    placeOf: ([field, ...rest]) =>
      field === undefined ? path : [...path, fieldNames[field] ?? field, ...rest],
  };
}

/** The names that a later state has no longer, or has with another meaning. */
function lost<Value>(
  before: Readonly<Record<string, Value>>,
  after: Readonly<Record<string, Value>>,
  isSame: (a: Value, b: Value) => boolean = isDeepStrictEqual,
): string[] {
  return Object.entries(before).flatMap(([name, value]) => {
    const other = after[name];
    return other !== undefined && isSame(value, other) ? [] : [name];
  });
}

/** Returns the changes that drop keys, checks and indexes. */
export function* removals(before: TableDocument, after: TableDocument): Generator<PlacedChange> {
  for (const name of lost(before.foreignKeys, after.foreignKeys)) {
    yield at(["foreignKeys", name], { kind: "dropConstraint", constraint: name });
  }
  for (const name of lost(before.indexes, after.indexes)) {
    yield at(["indexes", name], { kind: "dropIndex", index: name });
  }
  for (const name of lost(before.checks, after.checks, (a, b) => a.check === b.check)) {
    yield at(["checks", name], { kind: "dropConstraint", constraint: name });
  }
  for (const name of lost(before.unique, after.unique)) {
    yield at(["unique", name], { kind: "dropConstraint", constraint: name });
  }
}

function* keyRemovals(
  { primaryKey: before }: TableDocument,
  { primaryKey: after }: TableDocument,
  constraint: string | null,
): Generator<PlacedChange> {
  if (before.length === 0 || constraint === null || isDeepStrictEqual(before, after)) return;
  yield at(["primaryKey"], { kind: "dropConstraint", constraint });
}

function* columnChanges(before: TableDocument, after: TableDocument): Generator<PlacedChange> {
  const wasGenerated = (name: string) => before.columns[name]?.generated != null;
  const gone = Object.keys(before.columns).filter((name) => after.columns[name] === undefined);
  const drop = (name: string) => at(["columns"], { kind: "dropColumn", column: name });
  yield* gone.filter(wasGenerated).map(drop);
  // What a generated column reads changes while none reads it by its former expression, and is as it will be for the new one.
  const place = (name: string, { generated }: ColumnDocument) =>
    generated !== null ? 2 : wasGenerated(name) ? 0 : 1;
  const ordered = Object.entries(after.columns).toSorted(
    ([a, one], [b, other]) => place(a, one) - place(b, other),
  );
  for (const [name, column] of ordered) {
    const former = before.columns[name];
    if (former === undefined) {
      const { type, nullable, default: standard, identity, generated, comment } = column;
      yield at(["columns", name], {
        kind: "addColumn",
        name,
        dataType: type,
        ...(nullable ? {} : { nullable: false }),
        ...(standard === null ? {} : { default: standard }),
        ...(identity === null ? {} : { identity }),
        ...(generated === null ? {} : { generated }),
        ...(comment === null ? {} : { comment }),
      });
      continue;
    }
    const changed = {
      ...(former.type === column.type ? {} : typeChange(column)),
      ...(former.nullable === column.nullable ? {} : { nullable: column.nullable }),
      ...(former.default === column.default ? {} : { default: column.default }),
      ...(former.identity === column.identity ? {} : { identity: column.identity }),
      ...(former.generated === column.generated ? {} : { generated: column.generated }),
      ...(former.comment === column.comment ? {} : { comment: column.comment }),
    };
    if (Object.keys(changed).length === 0) continue;
    yield at(["columns", name], { kind: "changeColumn", column: name, ...changed });
  }
  yield* gone.filter((name) => !wasGenerated(name)).map(drop);
}

/** Returns the changes that drop columns and what reads them, and the table after them. */
export function dropColumns(
  table: TableDocument,
  names: ReadonlySet<string>,
): { readonly after: TableDocument; readonly changes: readonly PlacedChange[] } {
  const after = withoutColumns(table, names);
  const drops = [...names].map((column) => at(["columns", column], { kind: "dropColumn", column }));
  return { after, changes: [...removals(table, after), ...drops] };
}

/** Returns a table without columns and what reads them. */
export function withoutColumns(table: TableDocument, names: ReadonlySet<string>): TableDocument {
  const isNamed = (columns: readonly string[]) => columns.some((name) => names.has(name));
  const reads = (text: string | null) => [...names].some((name) => text?.includes(name) === true);
  const rest = <Value>(
    values: Readonly<Record<string, Value>>,
    isLost: (value: Value) => boolean,
  ) => Object.fromEntries(Object.entries(values).filter(([, value]) => !isLost(value)));
  return {
    ...table,
    columns: Object.fromEntries(Object.entries(table.columns).filter(([name]) => !names.has(name))),
    primaryKey: isNamed(table.primaryKey) ? [] : table.primaryKey,
    unique: rest(table.unique, ({ columns }) => isNamed(columns)),
    foreignKeys: rest(table.foreignKeys, ({ columns }) => isNamed(columns)),
    checks: rest(table.checks, ({ check }) => reads(check)),
    indexes: rest(
      table.indexes,
      ({ keys, where }) =>
        reads(where) ||
        keys.some((key) => ("column" in key ? names.has(key.column) : reads(key.expression))),
    ),
  };
}

/** Returns the change after which a generated column no longer reads others. */
export function dropExpression(column: string): PlacedChange {
  return at(["columns", column], { kind: "changeColumn", column, generated: null });
}

function typeChange({ type, using }: ColumnDocument) {
  return { dataType: type, ...(using === null ? {} : { using }) };
}

function* keyChanges(before: TableDocument, after: TableDocument): Generator<PlacedChange> {
  const isSame = isDeepStrictEqual(before.primaryKey, after.primaryKey);
  if (!isSame && after.primaryKey.length > 0) {
    yield at(["primaryKey"], { kind: "addPrimaryKey", columns: after.primaryKey });
  }
  for (const name of lost(after.unique, before.unique)) {
    const key = after.unique[name];
    if (key === undefined) continue;
    const { columns, nullsNotDistinct } = key;
    const nulls = nullsNotDistinct ? { nullsNotDistinct } : {};
    yield at(["unique", name], { kind: "addUnique", name, columns, ...nulls });
  }
}

function* checkChanges(before: TableDocument, after: TableDocument): Generator<PlacedChange> {
  for (const [name, { check, message }] of Object.entries(after.checks)) {
    const former = before.checks[name];
    if (former?.check !== check) {
      const told = message === null ? {} : { checkMessage: message };
      yield at(["checks", name], { kind: "addCheck", name, check, ...told });
    } else if (former.message !== message) {
      yield at(["checks", name], { kind: "changeCheck", constraint: name, checkMessage: message });
    }
  }
}

function* indexChanges(before: TableDocument, after: TableDocument): Generator<PlacedChange> {
  for (const name of lost(after.indexes, before.indexes)) {
    const index = after.indexes[name];
    if (index === undefined) continue;
    const { keys, unique, method, where } = index;
    yield at(["indexes", name], {
      kind: "addIndex",
      name,
      keys: keys.map(({ descending, ...key }) => ({
        ...key,
        ...(descending ? { descending } : {}),
      })),
      ...(unique ? { unique } : {}),
      ...(method === "btree" ? {} : { method }),
      ...(where === null ? {} : { where }),
    });
  }
}

function* commentChanges(before: TableDocument, after: TableDocument): Generator<PlacedChange> {
  if (before.comment === after.comment) return;
  yield at(["comment"], { kind: "changeComment", comment: after.comment });
}

function* newForeignKeys(before: TableDocument, after: TableDocument): Generator<PlacedChange> {
  for (const name of lost(after.foreignKeys, before.foreignKeys)) {
    const key = after.foreignKeys[name];
    if (key === undefined) continue;
    const { columns, references, onDelete } = key;
    yield at(["foreignKeys", name], {
      kind: "addForeignKey",
      name,
      columns,
      targetSchema: references.schema,
      targetTable: references.table,
      targetColumns: references.columns,
      ...(onDelete === "NO ACTION" ? {} : { onDelete }),
    });
  }
}
