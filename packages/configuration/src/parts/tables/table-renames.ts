import { type NewNames, type RenamedType, renameInExpression, renameInType } from "@rowhouse/ddl";
import type { Fault } from "@rowhouse/errors";
import { throwAll } from "../../documents/document-faults.ts";
import { readRelationKey, relationKey } from "../../documents/document-name.ts";
import type { Document } from "../../model/document.ts";
import type { PartChange, PlanNote } from "../../model/part.ts";
import { dropColumns, type PlacedChange } from "./table-changes.ts";
import { pathOfTable, type TableDocument } from "./table-document.ts";

/** A table that gets another name or schema. */
export interface RenamedTable {
  readonly document: Document<TableDocument>;
  readonly from: { readonly schema: string; readonly name: string };
  readonly to: { readonly schema: string; readonly name: string };
}

/** The present documents under the names that the wanted ones have, and how they get them. */
export interface Renamed {
  readonly present: ReadonlyMap<string, TableDocument>;
  readonly tables: readonly RenamedTable[];
  /** The changes that rename columns, by the path of the wanted document. */
  readonly columns: ReadonlyMap<string, readonly PlacedChange[]>;
}

type Present = ReadonlyMap<string, TableDocument>;
type Wanted = ReadonlyMap<string, Document<TableDocument>>;

interface Told extends Pick<PartChange<unknown>, "notes" | "isStale"> {
  /** Whether the root file leaves a table to other tools. */
  readonly isOthers: (schema: string, name: string) => boolean;
  readonly faults: Fault[];
}

/**
 * Finds what `renamedFrom` renames: a table or column that exists under its former name. Where the former name is gone,
 * nothing is left to rename. If both exist, a column that has another one's former name for the first time takes the place
 * of the present one, which is dropped; otherwise `renamedFrom` has no effect, and a note says so.
 *
 * @throws AppError with a fault for a table that would take the place of another one, for columns that exchange their names,
 *   and for a table of other tools
 */
export async function findRenames(
  present: Present,
  wanted: Wanted,
  types: readonly RenamedType[],
  change: Omit<Told, "faults">,
): Promise<Renamed> {
  const faults: Fault[] = [];
  const told = { ...change, faults };
  const tables = [...renamedTables(present, wanted, told)];
  const placed = new Map(present);
  for (const { document, from } of tables) {
    const former = pathOfTable(from);
    const table = placed.get(former);
    placed.delete(former);
    if (table !== undefined) placed.set(document.path, table);
  }
  const columns = new Map<string, PlacedChange[]>();
  const names = new Map<string, ReadonlyMap<string, string>>();
  for (const [path, document] of wanted) {
    const before = placed.get(path);
    const found = before && renamedColumns(before, document, told);
    if (before === undefined || found === undefined || found.size === 0) continue;
    names.set(path, found);
    const replaced = [...found.values()].filter((name) => before.columns[name] !== undefined);
    const { after, changes } = dropColumns(before, new Set(replaced));
    placed.set(path, after);
    const renamed = [...found].map(([column, name]): PlacedChange => {
      return { change: { kind: "renameColumn", column, name }, placeOf: () => ["columns", name] };
    });
    columns.set(path, [...changes, ...renamed]);
  }
  throwAll(faults);
  if (tables.length + names.size + types.length === 0) return { present, tables, columns };
  const moved = new Map(tables.map(({ from, to }) => [pathOfTable(from), to]));
  const renamed = new Map<string, TableDocument>();
  for (const [path, table] of placed) {
    const referring = withNames(path, table, moved, names);
    renamed.set(path, await withTexts(referring, { columns: names.get(path) ?? new Map(), types }));
  }
  return { present: renamed, tables, columns };
}

function* renamedTables(
  present: Present,
  wanted: Wanted,
  { isOthers, isStale, notes, faults }: Told,
): Generator<RenamedTable> {
  for (const [path, document] of wanted) {
    const { renamedFrom } = document.value;
    const from = renamedFrom === null ? undefined : readRelationKey(renamedFrom);
    if (from === undefined || !present.has(pathOfTable(from))) continue;
    if (present.has(path)) {
      if (wanted.has(pathOfTable(from)) || isStale(path, renamedFrom ?? "")) {
        notes.push(staleName(document, `${renamedFrom} and this table both exist`));
        continue;
      }
      const message = `${renamedFrom} and this table both exist; drop one of them, or remove renamedFrom`;
      faults.push(document.faultAt(["renamedFrom"], message));
      continue;
    }
    if (isOthers(from.schema, from.name) || wanted.get(pathOfTable(from))?.value.managed != null) {
      const message = `The files leave ${renamedFrom} to other tools, so it is not renamed`;
      faults.push(document.faultAt(["renamedFrom"], message));
      continue;
    }
    const [schema = "", name = ""] = document.names;
    yield { document, from, to: { schema, name } };
  }
}

/** Returns the new names of columns by the former ones. */
function renamedColumns(
  before: TableDocument,
  document: Document<TableDocument>,
  { isStale, notes, faults }: Told,
): Map<string, string> {
  const names = new Map<string, string>();
  const { columns } = document.value;
  for (const [name, { renamedFrom }] of Object.entries(columns)) {
    if (renamedFrom === null || before.columns[renamedFrom] === undefined) continue;
    const refuse = (message: string) =>
      faults.push(document.faultAt(["columns", name, "renamedFrom"], message));
    const isFree = before.columns[name] === undefined;
    if (names.has(renamedFrom)) {
      refuse(`${renamedFrom} gets the name ${names.get(renamedFrom)}, so it cannot get this one`);
    } else if (!isFree && isStale(document.path, renamedFrom, name)) {
      notes.push(staleName(document, `${renamedFrom} and ${name} both exist`));
    } else if (isFree || columns[renamedFrom] === undefined) {
      names.set(renamedFrom, name);
    } else if (before.columns[columns[renamedFrom].renamedFrom ?? ""] !== undefined) {
      refuse(
        `${renamedFrom} gets another name as well; give one of them a third name in an apply before`,
      );
    } else {
      notes.push(staleName(document, `${renamedFrom} and ${name} both exist`));
    }
  }
  return names;
}

function staleName({ path, names }: Document<unknown>, both: string): PlanNote {
  const [schema = "", name = ""] = names;
  const message = `${both}, so renamedFrom has no effect; remove it`;
  return { document: path, subject: relationKey(schema, name), message };
}

/** Returns a document with the new names of columns and types in its texts. */
async function withTexts(table: TableDocument, names: NewNames): Promise<TableDocument> {
  if (names.columns.size + names.types.length === 0) return table;
  const renamed = async <Text extends string | null>(text: Text) =>
    text === null ? text : ((await renameInExpression(text, names)) as Text);
  return {
    ...table,
    columns: await mapValues(table.columns, async (column) => ({
      ...column,
      type: await renameInType(column.type, names.types),
      default: await renamed(column.default),
      generated: await renamed(column.generated),
    })),
    checks: await mapValues(table.checks, async (check) => ({
      ...check,
      check: await renamed(check.check),
    })),
    indexes: await mapValues(table.indexes, async (index) => ({
      ...index,
      keys: await Promise.all(
        index.keys.map(async (key) =>
          "column" in key ? key : { ...key, expression: await renamed(key.expression) },
        ),
      ),
      where: await renamed(index.where),
    })),
  };
}

async function mapValues<Value>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value) => Promise<Value>,
): Promise<Record<string, Value>> {
  const entries = Object.entries(values).map(async ([key, value]) => [key, await map(value)]);
  return Object.fromEntries(await Promise.all(entries)) as Record<string, Value>;
}

/** Returns a document with the new names of tables and columns where it refers to them. */
function withNames(
  path: string,
  table: TableDocument,
  tables: ReadonlyMap<string, { readonly schema: string; readonly name: string }>,
  columns: ReadonlyMap<string, ReadonlyMap<string, string>>,
): TableDocument {
  const own = (name: string) => columns.get(path)?.get(name) ?? name;
  const owns = (names: readonly string[]) => names.map(own);
  return {
    ...table,
    columns: mapEntries(table.columns, (column, name) => [own(name), column]),
    primaryKey: owns(table.primaryKey),
    unique: mapEntries(table.unique, (key, name) => [name, { ...key, columns: owns(key.columns) }]),
    foreignKeys: mapEntries(table.foreignKeys, (key, name) => {
      const { schema, table: target, columns: referred } = key.references;
      const former = pathOfTable({ schema, name: target });
      const to = tables.get(former) ?? { schema, name: target };
      const renamed = columns.get(pathOfTable(to));
      const references = {
        ...{ schema: to.schema, table: to.name },
        columns: referred.map((column) => renamed?.get(column) ?? column),
      };
      return [name, { ...key, columns: owns(key.columns), references }];
    }),
    indexes: mapEntries(table.indexes, (index, name) => [
      name,
      {
        ...index,
        keys: index.keys.map((key) =>
          "column" in key ? { ...key, column: own(key.column) } : key,
        ),
      },
    ]),
  };
}

function mapEntries<Value>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value, key: string) => [string, Value],
): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => map(value, key)));
}
