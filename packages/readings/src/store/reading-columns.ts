import {
  type FieldNames,
  isSameEnd,
  plainPath,
  resolveGrantPath,
  wholeName,
} from "@rowhouse/access";
import { type Catalogue, type Relation, schema, type Transaction } from "@rowhouse/db";
import { eq } from "drizzle-orm";
import type { Openable } from "./openers.ts";

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

/** The current path of a column that was renamed after the reading was saved. */
export interface RenamedColumn {
  readonly resourceId: string;
  readonly mention: string;
  readonly name: string;
  readonly isRelated: boolean;
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

/** Stores the bound columns of a record in place of its earlier ones; several readings of a record may share a column. */
export async function replaceReadingColumns(
  { orm }: Transaction,
  kind: Openable,
  recordId: string,
  columns: readonly ReadingColumn[],
): Promise<void> {
  const owner = owners[kind];
  await orm.delete(readingColumns).where(eq(readingColumns[owner], recordId));
  const distinct = new Map(
    columns.map((column) => [`${column.resourceId} ${column.mention}`, column]),
  );
  if (distinct.size === 0) return;
  await orm
    .insert(readingColumns)
    .values([...distinct.values()].map((column) => ({ ...column, [owner]: recordId })));
}

/** SQL for the columns of a record that were renamed since it was saved, as a JSON array of `RenamedColumn`. */
export function renamedColumns(kind: Openable, idSql: string): string {
  return `coalesce((select pg_catalog.json_agg(pg_catalog.json_build_object('resourceId', c.resource_id, 'mention', c.mention,
      'name', c.relation_path || c.column_name, 'isRelated', c.relation_path <> '')) from system.reading_columns c
      where c.${kind}_id = ${idSql} and c.mention <> c.relation_path || c.column_name), '[]')`;
}

/** Returns the current path of each field that a record names in readings of one resource. */
export function currentNames(
  renamed: readonly RenamedColumn[],
  resourceId: string | null,
): FieldNames {
  const names = new Map(
    renamed.flatMap((column): [string, RenamedColumn][] =>
      column.resourceId === resourceId ? [[column.mention, column]] : [],
    ),
  );
  return (path, written) => {
    const now = names.get(path);
    const isOther = now?.isRelated === false && wholeName(written) === undefined;
    return now === undefined || isOther ? path : now.name;
  };
}
