import {
  type FieldNames,
  isSameEnd,
  plainPath,
  resolveGrantPath,
  wholeName,
} from "@rowhouse/access";
import { type Catalogue, type Relation, schema, type Transaction } from "@rowhouse/db";
import { eq } from "drizzle-orm";
import type { Openable } from "../presentation/openers.ts";

/** A column that a stored reading names, bound to its number. */
export interface ReadingColumn {
  /** The resource where the path begins. */
  readonly resourceId: string;
  /** The path as the reading names it. */
  readonly mention: string;
  /** The relations of the path with a trailing dot; empty for a column of the resource itself. */
  readonly relationPath: string;
  /** The resource of the column. */
  readonly pathResourceId: string;
  readonly attributeNumber: number;
  readonly columnName: string;
}

/** A column as a stored reading names it, with its current path. */
export interface MentionedName {
  readonly resourceId: string;
  readonly mention: string;
  readonly name: string;
  readonly isRelated: boolean;
  /** `Column.meaning` when the reading was saved; null if it was not recorded. */
  readonly meaning: string | null;
}

const { readingColumns } = schema;
const owners = { data_view: "dataViewId", dashboard: "dashboardId" } as const;

/**
 * Binds the columns among the names that a reading of a relation contains. A name that leads to no column, as one of a
 * relation does, is not bound and keeps its text, and so does a path whose text is also the name of a column.
 *
 * @param paths with or without the marks of `readPath`
 */
export function bindReadingColumns(
  catalogue: Catalogue,
  relation: Relation,
  paths: Iterable<string>,
): ReadingColumn[] {
  return [...new Set(paths)].flatMap((path) => {
    const mention = plainPath(path);
    const found = resolveGrantPath(catalogue, relation, path);
    if (found === undefined) return [];
    if (!isSameEnd(found, resolveGrantPath(catalogue, relation, mention))) return [];
    const { name, attributeNumber } = found.column;
    return {
      resourceId: relation.resource.id,
      mention,
      relationPath: mention.slice(0, mention.length - name.length),
      pathResourceId: found.relation.resource.id,
      attributeNumber,
      columnName: name,
    };
  });
}

/**
 * Stores the bound columns of a record in place of its earlier ones; several readings of a record may share a column.
 *
 * @param keepsFilters whether the filters of the record stay as they are, so that their columns keep the meaning for which
 * the filters were written
 */
export async function replaceReadingColumns(
  { orm }: Transaction,
  kind: Openable,
  recordId: string,
  columns: readonly ReadingColumn[],
  keepsFilters: boolean,
): Promise<void> {
  const owner = owners[kind];
  const former = await orm
    .delete(readingColumns)
    .where(eq(readingColumns[owner], recordId))
    .returning();
  const distinct = new Map(
    columns.map((column) => [`${column.resourceId} ${column.mention}`, column]),
  );
  if (distinct.size === 0) return;
  const keyOf = (column: ReadingColumn) =>
    [column.resourceId, column.relationPath, column.pathResourceId, column.attributeNumber].join();
  const meanings = new Map(keepsFilters ? former.map((one) => [keyOf(one), one.meaning]) : []);
  await orm.insert(readingColumns).values(
    [...distinct.values()].map((column) => ({
      ...column,
      [owner]: recordId,
      // A trigger completes that of the others.
      meaning: meanings.get(keyOf(column)) ?? null,
    })),
  );
}

/** SQL for the columns of a record, as a JSON array of `MentionedName`. */
export function mentionedNamesSql(kind: Openable, idSql: string): string {
  return `coalesce((select pg_catalog.json_agg(pg_catalog.json_build_object('resourceId', c.resource_id, 'mention', c.mention,
      'name', c.relation_path || c.column_name, 'isRelated', c.relation_path <> '', 'meaning', c.meaning))
      from system.reading_columns c where c.${kind}_id = ${idSql}), '[]')`;
}

/** Returns the current path of each field that a record names in readings of one resource. */
export function currentNames(
  columns: readonly MentionedName[],
  resourceId: string | null,
): FieldNames {
  const names = new Map(
    columns.flatMap((column): [string, MentionedName][] =>
      column.resourceId === resourceId && column.mention !== column.name
        ? [[column.mention, column]]
        : [],
    ),
  );
  return (path, written) => {
    const now = names.get(path);
    const isOther = now?.isRelated === false && wholeName(written) === undefined;
    return now === undefined || isOther ? path : now.name;
  };
}
