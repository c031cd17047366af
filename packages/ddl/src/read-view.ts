import { type Catalogue, type ColumnSource, type Database, loadColumnSources } from "@rowhouse/db";
import { readRefresh, type ViewRefresh } from "./refresh-state.ts";
import { readViewRecord, requireView, targetOf, type ViewTarget } from "./view-record.ts";

export interface ViewDetail {
  readonly resourceId: string;
  readonly schema: string;
  readonly name: string;
  readonly materialized: boolean;
  readonly definition: string;
  readonly comment: string | null;
  readonly columns: ViewColumn[];
  /** Only for a materialized view; `columns` is null for an index over expressions. */
  readonly indexes: { name: string; columns: string[] | null; unique: boolean }[];
  /** False for a materialized view that no refresh has filled yet. */
  readonly populated: boolean;
  /** Null for a plain view, which has no refresh. */
  readonly refresh: ViewRefresh | null;
}

export interface ViewColumn {
  readonly name: string;
  readonly dataType: string;
  readonly comment: string | null;
  /** The table column that supplies the values directly; null for a computed column. */
  readonly source: { resourceId: string; schema: string; table: string; column: string } | null;
}

/**
 * Returns one view with its definition and the source of its columns.
 *
 * @throws AppError NOT_FOUND
 */
export async function readView(
  database: Database,
  catalogue: Catalogue,
  schema: string,
  name: string,
): Promise<{ target: ViewTarget; view: ViewDetail }> {
  const relation = requireView(catalogue, schema, name);
  const target = targetOf(relation);
  const record = await readViewRecord(database, target.oid);
  const sources = (await loadColumnSources(database, catalogue, [relation])).get(relation.oid);
  return {
    target,
    view: {
      resourceId: target.resourceId,
      schema,
      name,
      materialized: target.materialized,
      definition: record.definition,
      comment: record.comment,
      columns: relation.columns.map((column) => ({
        name: column.name,
        dataType: column.type.name,
        comment: column.comment,
        source: describeSource(sources?.get(column.attributeNumber)),
      })),
      indexes: record.indexes.map((index) => ({
        name: index.name,
        columns: index.columns,
        unique: index.unique,
      })),
      populated: record.populated,
      refresh: target.materialized ? await readRefresh(database, target.resourceId) : null,
    },
  };
}

function describeSource(source: ColumnSource | undefined): ViewColumn["source"] {
  if (source === undefined) return null;
  const { relation, column } = source;
  return {
    resourceId: relation.resource.id,
    schema: relation.schema,
    table: relation.name,
    column: column.name,
  };
}
