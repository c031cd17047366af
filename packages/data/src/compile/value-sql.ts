import { insideSql } from "@rowhouse/access";
import { builtInType, type ColumnType } from "@rowhouse/db";
import type { FieldPath } from "../authorize/resolve-path.ts";
import type { VisibleField } from "../authorize/visible.ts";
import { columnSql } from "./column-sql.ts";
import { fieldVisibleSql, guardSql, type Scope } from "./scope.ts";

/**
 * Compiles a value that sorts, groups or aggregates rows, for a statement with the scope's joins in FROM. The value is
 * null in a row in which its field is hidden.
 *
 * @param as `NUMBER` for null in place of a value inside a document that is no number
 */
export function valueSql(scope: Scope, path: FieldPath, as?: "NUMBER"): string {
  return shownSql(scope.joins.at(scope, path.edges), path.field, path.inside, as);
}

/** The type of the value that `valueSql` returns. */
export function valueType({ field, inside }: FieldPath, as?: "NUMBER"): ColumnType {
  if (inside === undefined) return field.column.type;
  return builtInType(as === "NUMBER" ? "numeric" : "jsonb");
}

/**
 * The value of a field, or the value inside its document; null in a row in which the field is hidden.
 *
 * @param as `NUMBER` for null in place of a value inside a document that is no number
 */
export function shownSql(
  scope: Scope,
  field: VisibleField,
  inside?: readonly string[],
  as?: "NUMBER",
): string {
  const { type } = field.column;
  const column = columnSql(field.column, scope.alias);
  const visible = fieldVisibleSql(scope, field);
  const part = inside && insideDocumentSql({ sql: column, type }, inside, as);
  // A `json` may contain text that PostgreSQL cannot convert.
  const mayFail =
    scope.builder.isComputed(scope.visible.relation, field.column) ||
    (inside !== undefined && type.base === "json");
  const value = part ?? column;
  const shown = mayFail ? guardSql(scope, value) : value;
  return visible === null ? shown : `case when ${visible} then ${shown} end`;
}

function insideDocumentSql(
  document: { readonly sql: string; readonly type: ColumnType },
  path: readonly string[],
  as: "JSON" | "NUMBER" = "JSON",
): string | undefined {
  return insideSql(document, { path, as }, () => "null")?.sql;
}
