import { isComparable } from "@rowhouse/access";
import { createError } from "@rowhouse/errors";
import type { OrderTerm } from "./request.ts";
import { type Scope, valueSql } from "./scope.ts";
import { columnSql } from "./statement.ts";

/** The order asked for, with the key's columns as tie-break, so that pages do not overlap. */
export function orderSql(order: readonly OrderTerm[], scope: Scope, parameter: string): string {
  const terms = order.map((term) => {
    const field = valueSql(scope, term.field, parameter);
    if (field === undefined || !isComparable(field.type)) {
      const message = `Rows cannot be ordered by ${term.field}`;
      throw createError("QUERY_INVALID", { path: parameter, message });
    }
    const nulls = term.nulls === null ? "" : ` nulls ${term.nulls.toLowerCase()}`;
    return `${field.sql}${term.descending ? " desc" : ""}${nulls}`;
  });
  const { relation } = scope.visible;
  const named = new Set(order.map((term) => term.field));
  for (const name of relation.primaryKey) {
    const column = relation.columnByName(name);
    if (column !== undefined && !named.has(name)) terms.push(columnSql(column, scope.alias));
  }
  return terms.length === 0 ? "" : ` order by ${terms.join(", ")}`;
}
