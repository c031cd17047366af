import type { Database, Snapshot } from "@rowhouse/db";
import {
  type DocumentedTable,
  indexMethods,
  isReservedSchema,
  loadDocumentedTables,
} from "@rowhouse/ddl";
import { type ColumnLook, columnLooks, presentationOf } from "../presentation.ts";
import {
  type ColumnDocument,
  type IndexDocument,
  pathOfTable,
  type TableDocument,
  type TableStructure,
  withoutStructure,
} from "./table-document.ts";

/** Reads the documents of all tables, by path. */
export async function readTables(
  database: Database,
  snapshot: Snapshot,
): Promise<Map<string, TableDocument>> {
  const tables = await database.transaction(loadDocumentedTables);
  return new Map(
    tables
      .map((table): [string, TableDocument] => [pathOfTable(table), documentOf(snapshot, table)])
      // The tables of the service itself appear once they are exposed or shown in another way.
      .filter(([, table]) => table.managed === null || !isPlain(table)),
  );
}

/** Returns the document of a table that exists. */
function documentOf(snapshot: Snapshot, table: DocumentedTable): TableDocument {
  const relation = snapshot.catalogue.relationByName(table.schema, table.name);
  const looks: ReadonlyMap<string, ColumnLook> =
    relation === undefined ? new Map() : columnLooks(snapshot, relation);
  const shown = relation && presentationOf(snapshot, relation);
  const structure = structureOf(table, (column) => looks.get(column));
  return {
    ...{ managed: null, renamedFrom: null },
    ...(isReservedSchema(table.schema) ? withoutStructure(structure) : structure),
    exposed: [...(shown?.exposed ?? [])],
    label: shown?.label ?? null,
    description: shown?.description ?? null,
    title: shown?.title ?? null,
    history: relation?.resource.history ?? false,
    junction: relation?.resource.junction ?? false,
  };
}

/** Whether a table that is managed elsewhere is shown as it is. */
function isPlain({
  columns,
  exposed,
  label,
  description,
  title,
  history,
  junction,
}: TableDocument) {
  const isShown = [label, description, title].some((text) => text !== null);
  const isMarked = exposed.length > 0 || history || junction;
  return Object.keys(columns).length === 0 && !isShown && !isMarked;
}

/** Returns the part of a document that the table itself has. */
export function structureOf(
  table: DocumentedTable,
  lookOf: (column: string) => ColumnLook | undefined,
): TableStructure {
  const primary = table.keys.find(({ kind }) => kind === "PRIMARY_KEY");
  const unique = table.keys.filter(
    ({ kind, definition }) => kind === "UNIQUE" && isDescribable(definition),
  );
  const indexes = table.indexes.filter(
    ({ isPlain, valid, method }) => isPlain && valid && isKnown(method),
  );
  const foreignKeys = table.foreignKeys.filter(
    (key) => key.onUpdate === "NO ACTION" && key.validated,
  );
  const checks = table.checks.filter(({ validated }) => validated);
  const described = new Set(
    [
      ...unique,
      ...indexes,
      ...foreignKeys,
      ...checks,
      ...(primary === undefined ? [] : [primary]),
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
          default: column.default,
          identity: column.identity,
          generated: column.generatedAs,
          comment: column.comment,
          renamedFrom: null,
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
    elsewhere: all
      .filter((one) => !described.has(one.name))
      .map((one) => one.name)
      .toSorted(),
  };
}

/** Whether a unique constraint is one that a document can describe: it is not deferrable and has no further columns. */
function isDescribable(definition: string): boolean {
  return /^UNIQUE (NULLS NOT DISTINCT )?\([^()]*\)$/.test(definition);
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
