import {
  type Column,
  loadColumnSources,
  type Queryable,
  type Relation,
  type Snapshot,
} from "@rowhouse/db";
import { type ColumnColors, readColors } from "./column-colors.ts";
import { type ColumnFormat, readFormat } from "./column-format.ts";
import { isFileColumn } from "./file-column.ts";

/** The label, format and colors of a column. */
export interface ShownColumn {
  readonly label: string | null;
  /** A column that refers to a file has the format `file` by default. */
  readonly format: ColumnFormat | null;
  readonly colors: ColumnColors | null;
}

export type ColumnPresenter = (relation: Relation, column: Column) => ShownColumn;

/**
 * Loads the presentation of the columns of these relations. A view column that comes directly from a table has the
 * presentation of the table column; the result does not name its origin.
 */
export async function loadColumnPresenter(
  database: Queryable,
  snapshot: Snapshot,
  relations: readonly Relation[],
): Promise<ColumnPresenter> {
  const views = relations.filter((relation) => relation.resource.kind === "VIEW");
  const sources =
    views.length === 0 ? undefined : await loadColumnSources(database, snapshot.catalogue, views);
  return (relation, column) => {
    const source = sources?.get(relation.oid)?.get(column.attributeNumber);
    const shown = source ?? { relation, column };
    const stored = snapshot.presentations
      .get(shown.relation.resource.id)
      ?.get(shown.column.attributeNumber);
    const isFile = isFileColumn(snapshot, shown.relation, shown.column);
    const format = readFormat(stored?.format, { type: column.type, isFile });
    return {
      label: stored?.label ?? null,
      format: format ?? (isFile ? { type: "file" } : null),
      colors: readColors(stored?.colors),
    };
  };
}
