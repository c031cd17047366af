import type { Fault } from "@rowhouse/errors";
import { throwAll } from "../../documents/document-faults.ts";
import { readRelationKey } from "../../documents/document-name.ts";
import type { Document } from "../../model/document.ts";
import type { PlacedChange } from "./table-changes.ts";
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

/**
 * Finds what `renamedFrom` renames: a table or column that exists under its former name and not under the new one. Where
 * the former name is gone, nothing is left to rename.
 *
 * @param isOthers whether the root file leaves a table to other tools
 * @throws AppError with a fault for a name that both exist: whether one is to be dropped is not guessed; and for a table of
 *   other tools
 */
export function findRenames(
  present: Present,
  wanted: Wanted,
  isOthers: (schema: string, name: string) => boolean,
): Renamed {
  const faults: Fault[] = [];
  const tables = [...renamedTables(present, wanted, isOthers, faults)];
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
    const found = before && renamedColumns(before, document, faults);
    if (found === undefined || found.size === 0) continue;
    names.set(path, found);
    columns.set(
      path,
      [...found].map(([column, name]) => ({
        change: { kind: "renameColumn", column, name },
        placeOf: () => ["columns", name],
      })),
    );
  }
  throwAll(faults);
  if (tables.length === 0 && names.size === 0) return { present, tables, columns };
  const moved = new Map(tables.map(({ from, to }) => [pathOfTable(from), to]));
  const rename = (path: string, table: TableDocument) => withNames(path, table, moved, names);
  return {
    present: new Map([...placed].map(([path, table]) => [path, rename(path, table)])),
    ...{ tables, columns },
  };
}

function* renamedTables(
  present: Present,
  wanted: Wanted,
  isOthers: (schema: string, name: string) => boolean,
  faults: Fault[],
): Generator<RenamedTable> {
  for (const [path, document] of wanted) {
    const { renamedFrom } = document.value;
    const from = renamedFrom === null ? undefined : readRelationKey(renamedFrom);
    if (from === undefined || !present.has(pathOfTable(from))) continue;
    if (present.has(path)) {
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
  faults: Fault[],
): Map<string, string> {
  const names = new Map<string, string>();
  for (const [name, { renamedFrom }] of Object.entries(document.value.columns)) {
    if (renamedFrom === null || before.columns[renamedFrom] === undefined) continue;
    if (before.columns[name] === undefined && !names.has(renamedFrom)) {
      names.set(renamedFrom, name);
      continue;
    }
    const message = `${renamedFrom} and ${name} both exist; drop one of them, or remove renamedFrom`;
    faults.push(document.faultAt(["columns", name, "renamedFrom"], message));
  }
  return names;
}

/** Returns a document with the new names of tables and columns. Expressions keep theirs: they are compared anew. */
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
