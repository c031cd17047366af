import {
  type Column,
  type ColumnPresentation,
  type ColumnSource,
  loadColumnSources,
  type Queryable,
  type Relation,
  requireFound,
  type Snapshot,
} from "@rowhouse/db";
import { type ColumnColors, readColors } from "./column-colors.ts";
import { type ColumnFormat, readFormat } from "./column-format.ts";
import { isFileColumn } from "./file-column.ts";
import { type ColumnRelation, columnRelations } from "./relation-names.ts";

/** A column with its presentation. */
export interface PresentedColumn {
  readonly name: string;
  readonly dataType: string;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
  readonly identity: "ALWAYS" | "BY_DEFAULT" | null;
  readonly generated: boolean;
  readonly comment: string | null;
  /** The labels of an enum, in order. */
  readonly values: string[] | null;
  /** Whether it refers to a file, so that it can have the formats `file` and `image`. */
  readonly isFile: boolean;
  readonly label: string | null;
  readonly format: ColumnFormat | null;
  readonly colors: ColumnColors | null;
  /** The name that an administrator has given to its relation. */
  readonly relationName: string | null;
  /** The relation of the foreign key that it alone forms; its name is another one while `relationName` is taken. */
  readonly relation: ColumnRelation | null;
  /**
   * The table column that supplies the label, format and colors of a view column; null if they belong to the column
   * itself.
   */
  readonly source: { resourceId: string; schema: string; table: string; column: string } | null;
}

/**
 * Lists the columns of a resource in their order, without secret columns.
 *
 * @throws AppError NOT_FOUND
 */
export async function listResourceColumns(
  database: Queryable,
  snapshot: Snapshot,
  resourceId: string,
): Promise<PresentedColumn[]> {
  const relation = requireFound(snapshot.catalogue.relationByResource(resourceId.toLowerCase()));
  const sources = await sourcesOf(database, snapshot, relation);
  const relationOf = columnRelations(snapshot.catalogue, relation);
  return relation.columns.map((column) => ({
    ...present(snapshot, relation, column, sources?.get(column.attributeNumber)),
    relation: relationOf(column),
  }));
}

/**
 * Returns one column by its name.
 *
 * @throws AppError NOT_FOUND
 */
export async function readResourceColumn(
  database: Queryable,
  snapshot: Snapshot,
  resourceId: string,
  name: string,
): Promise<PresentedColumn> {
  const columns = await listResourceColumns(database, snapshot, resourceId);
  return requireFound(columns.find((column) => column.name === name));
}

/** The table columns that supply the columns of a view, by attribute number; undefined for a table. */
export async function sourcesOf(
  database: Queryable,
  snapshot: Pick<Snapshot, "catalogue">,
  relation: Relation,
): Promise<ReadonlyMap<number, ColumnSource> | undefined> {
  if (relation.resource.kind !== "VIEW") return undefined;
  const sources = await loadColumnSources(database, snapshot.catalogue, [relation]);
  return sources.get(relation.oid);
}

/** The presentation of a column without its relation. */
function present(
  snapshot: Pick<Snapshot, "presentations" | "catalogue">,
  relation: Relation,
  column: Column,
  source: ColumnSource | undefined,
): Omit<PresentedColumn, "relation"> {
  const shown = source ?? { relation, column };
  const isFile = isFileColumn(snapshot, shown.relation, shown.column);
  const stored: ColumnPresentation | undefined = snapshot.presentations
    .get(shown.relation.resource.id)
    ?.get(shown.column.attributeNumber);
  return {
    name: column.name,
    dataType: column.type.name,
    nullable: column.nullable,
    hasDefault: column.hasDefault,
    identity: column.identity,
    generated: column.generated,
    comment: column.comment,
    values: column.type.labels === null ? null : [...column.type.labels],
    isFile,
    label: stored?.label ?? null,
    format: readFormat(stored?.format, { type: column.type, isFile }),
    colors: readColors(stored?.colors),
    relationName: relation.resource.relationNames[column.attributeNumber] ?? null,
    source:
      source === undefined
        ? null
        : {
            resourceId: source.relation.resource.id,
            schema: source.relation.schema,
            table: source.relation.name,
            column: source.column.name,
          },
  };
}
