import { type Condition, compileRank } from "@rowhouse/access";
import type { FieldPath } from "../authorize/resolve-path.ts";
import { filterContext } from "./filter-sql.ts";
import { guardSql, type Scope } from "./scope.ts";

/**
 * Compiles how well each row matches a full-text search, for a statement with the scope's joins in FROM: null in a row in which
 * the field is null or hidden, or without a visible related row.
 */
export function rankOf(scope: Scope, search: Condition<FieldPath>): string {
  const { edges, field } = search.field;
  const last = scope.joins.at(scope, edges);
  const context = filterContext(last);
  const own = context.field({ edges: [], field });
  return compileRank(search, { ...own, guard: (sql) => guardSql(last, sql) }, context);
}
