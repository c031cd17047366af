import type { Snapshot } from "@rowhouse/db";
import { type DocumentedTable, indexMethods } from "@rowhouse/ddl";
import { describedIn, isUncarried } from "../../documents/described.ts";
import { awaitedIn, matcherOf } from "../../documents/elsewhere.ts";
import type { State } from "../../model/part.ts";
import { type ColumnLook, columnLooks, presentationOf } from "../presentation.ts";
import {
  type ColumnDocument,
  elsewhereTable,
  type IndexDocument,
  type PresentTable,
  pathOfTable,
  type TableStructure,
  withoutStructure,
} from "./table-document.ts";

/** Reads the documents of all tables, by path, and those of tables that other tools have not created yet. */
export async function readTables(state: State): Promise<Map<string, PresentTable>> {
  const { snapshot, elsewhere } = state;
  const { tables, isOwn } = await describedIn(state);
  const isMatched = matcherOf(elsewhere.patterns);
  const present = new Map<string, PresentTable>();
  for (const table of tables) {
    const path = pathOfTable(table);
    const isOthers = isMatched(table.schema, table.name);
    const { managed = false, objects = [] } = elsewhere.documents[path] ?? {};
    const isLeft = isOthers || managed;
    const hasSql = !isLeft && isOwn(table.schema, table.name);
    const isWhole = isLeft || table.uncarried !== null;
    const document = documentOf(snapshot, table, hasSql, isWhole ? undefined : objects);
    // These appear once they are exposed or shown in another way; partitions come and go, and so do an extension's.
    const isNamed = !isWhole || !isPlain(document);
    const isUnnamed =
      (table.uncarried === "PARTITION" && !hasSql) || table.uncarried === "EXTENSION";
    const hasNoFile = !(isNamed || managed) && (isOthers || isUnnamed);
    present.set(path, { ...document, hasNoFile });
  }
  for (const path of awaitedIn(elsewhere, present, "tables")) present.set(path, elsewhereTable);
  return present;
}

/**
 * Returns the document of a table that exists.
 *
 * @param hasSql whether statements of `sql` create what the document does not describe
 * @param named the objects that the last applied document leaves to other tools; undefined for a whole table
 */
function documentOf(
  snapshot: Snapshot,
  table: DocumentedTable,
  hasSql: boolean,
  named: readonly string[] | undefined,
): PresentTable {
  const relation = snapshot.catalogue.relationByName(table.schema, table.name);
  const looks: ReadonlyMap<string, ColumnLook> =
    relation === undefined ? new Map() : columnLooks(snapshot, relation);
  const key = table.keys.find(({ kind }) => kind === "PRIMARY_KEY");
  const shown = relation && presentationOf(snapshot, relation);
  const structure = structureOf(table, (column) => looks.get(column));
  const left = hasSql ? structure.elsewhere.filter(isLeft(table)) : structure.elsewhere;
  const elsewhere = [...new Set([...left, ...(named ?? [])])].toSorted();
  const primaryKey = hasSql ? describedKey(table) : structure.primaryKey;
  const described = { ...structure, elsewhere, primaryKey };
  return {
    ...{ managed: null, renamedFrom: null },
    actual: {
      ...structure,
      ...{ primaryKey, codedDefaults: table.codedDefaults, primaryKeyName: key?.name ?? null },
    },
    ...(named === undefined
      ? withoutStructure(described, hasSql ? "sql" : "elsewhere")
      : described),
    exposed: [...(shown?.exposed ?? [])],
    label: shown?.label ?? null,
    description: shown?.description ?? null,
    title: shown?.title ?? null,
    history: relation?.resource.history ?? false,
    junction: relation?.resource.junction ?? false,
  };
}

/** Whether no statement creates an object of a table: an index that is invalid would become valid. */
function isLeft({ indexes }: DocumentedTable): (name: string) => boolean {
  const invalid = new Set(indexes.filter(({ valid }) => !valid).map(({ name }) => name));
  return (name) => isUncarried(name) || invalid.has(name);
}

/** A primary key that is more than columns stands in `sql` alone. */
function describedKey({ keys, unusualConstraints }: DocumentedTable): string[] {
  const primary = keys.find(({ kind }) => kind === "PRIMARY_KEY");
  const isDescribed = primary !== undefined && !unusualConstraints.includes(primary.name);
  return isDescribed ? [...primary.columns] : [];
}

/** Whether a table that is managed elsewhere is shown as it is. */
function isPlain({ columns, exposed, label, description, title, history, junction }: PresentTable) {
  const isShown = [label, description, title].some((text) => text !== null);
  const isMarked = exposed.length > 0 || history || junction;
  return Object.keys(columns).length === 0 && !isShown && !isMarked;
}

/** Returns the part of a document that the table itself has. */
export function structureOf(
  table: DocumentedTable,
  lookOf: (column: string) => ColumnLook | undefined,
): TableStructure {
  const isUsual = ({ name }: { readonly name: string }) => !table.unusualConstraints.includes(name);
  const serials = new Set(table.serials);
  const coded = table.codedDefaults;
  const primary = table.keys.find(({ kind }) => kind === "PRIMARY_KEY");
  const unique = table.keys.filter((key) => key.kind === "UNIQUE" && isUsual(key));
  const indexes = table.indexes.filter(
    ({ isPlain, valid, method }) => isPlain && valid && isKnown(method),
  );
  const foreignKeys = table.foreignKeys.filter(
    (key) => key.onUpdate === "NO ACTION" && key.validated && isUsual(key),
  );
  const checks = table.checks.filter((check) => check.validated && isUsual(check));
  const described = new Set(
    [
      ...unique,
      ...indexes,
      ...foreignKeys,
      ...checks,
      ...(primary === undefined || !isUsual(primary) ? [] : [primary]),
    ].map((one) => one.name),
  );
  const all = [...table.keys, ...table.indexes, ...table.foreignKeys, ...table.checks];
  return {
    comment: table.comment,
    columns: Object.fromEntries(
      table.columns.map((column): [string, ColumnDocument] => [
        column.name,
        {
          type: column.dataType,
          nullable: column.nullable,
          // An identity does what the sequence of a serial column does, and a document describes it.
          ...(serials.has(column.name)
            ? { default: null, identity: "BY_DEFAULT" as const }
            : {
                default: coded[column.name] === undefined ? column.default : null,
                identity: column.identity,
              }),
          generated: column.generatedAs,
          comment: column.comment,
          renamedFrom: null,
          using: null,
          ...(lookOf(column.name) ?? {
            label: null,
            format: null,
            colors: null,
            relationName: null,
          }),
        },
      ]),
    ),
    primaryKey: [...(primary?.columns ?? [])],
    unique: byName(unique, ({ columns, definition }) => ({
      columns: [...columns],
      nullsNotDistinct: definition.startsWith("UNIQUE NULLS NOT DISTINCT"),
    })),
    checks: byName(checks, ({ expression, message }) => ({ check: expression, message })),
    foreignKeys: byName(foreignKeys, (key) => ({
      columns: [...key.columns],
      references: {
        schema: key.targetSchema,
        table: key.targetTable,
        columns: [...key.targetColumns],
      },
      onDelete: key.onDelete,
    })),
    indexes: byName(
      indexes,
      (index): IndexDocument => ({
        keys: index.terms.map(({ column, expression, descending, nullsFirst }) => ({
          ...(column === null ? { expression: expression ?? "" } : { column }),
          descending,
          // NULLs come last in ascending order, and first in descending order, unless an index says otherwise.
          ...(nullsFirst === descending
            ? {}
            : { nulls: nullsFirst ? ("FIRST" as const) : ("LAST" as const) }),
        })) as IndexDocument["keys"],
        unique: index.unique,
        method: index.method as IndexDocument["method"],
        where: index.where,
      }),
    ),
    elsewhere: [
      ...all.filter(({ name }) => !described.has(name)).map(({ name }) => name),
      ...table.others,
      ...Object.keys(coded)
        .filter((column) => !serials.has(column))
        .map((column) => `default of ${column}`),
    ].toSorted(),
  };
}

function isKnown(method: string): boolean {
  return (indexMethods as readonly string[]).includes(method);
}

function byName<Item extends { readonly name: string }, Value>(
  items: readonly Item[],
  describe: (item: Item) => Value,
): Record<string, Value> {
  const sorted = items.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return Object.fromEntries(sorted.map((item) => [item.name, describe(item)]));
}
