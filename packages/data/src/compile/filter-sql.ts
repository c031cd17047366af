import {
  type CompileFilterContext,
  compileFilter,
  type FieldSql,
  isTextual,
  patternTextSql,
  sharedEdges,
} from "@rowhouse/access";
import { builtInType } from "@rowhouse/db";
import type { FieldPath, RelationPath, VisibleFilter } from "../authorize/resolve-path.ts";
import type { VisibleEdge } from "../authorize/visible.ts";
import { columnSql, whereSql } from "./column-sql.ts";
import {
  fieldVisibleSql,
  findsByIndex,
  guardSql,
  type RelatedScope,
  relatedScope,
  type SqlScope,
  shownSql,
  valueSql,
  valueType,
} from "./scope.ts";

/** Compiles a caller's filter on the rows of a scope. */
export function visibleFilterSql(filter: VisibleFilter, scope: SqlScope): string {
  return compileFilter(filter, filterContext(scope));
}

/** Returns what the names of a resolved filter on the rows of a scope mean. */
export function filterContext(scope: SqlScope): CompileFilterContext<FieldPath, RelationPath> {
  return {
    field: (path) => expressionOf(scope, path),
    relation: ({ edges }) => {
      const { scopes, last } = follow(scope, edges);
      return {
        inner: filterContext(last),
        exists: (condition) => nestExists(scopes, condition),
        count: (condition) =>
          countInGroups(scope, edges, scopes, condition) ?? countRows(scopes, condition),
      };
    },
    placeSlot: (binding) => scope.builder.placeSlot(binding),
    placeVariable: (variable, type) => scope.builder.placeVariable(variable, type),
    timeZoneSql: () => scope.builder.timeZoneSql(),
    code: "QUERY_INVALID",
  };
}

function expressionOf(scope: SqlScope, { edges, field }: FieldPath): FieldSql<FieldPath> {
  const { scopes, last } = follow(scope, edges);
  const own: FieldSql<FieldPath> = {
    sql: columnSql(field.column, last.alias),
    type: field.column.type,
    visibleSql: fieldVisibleSql(last, field),
    raises: last.builder.isComputed(last.visible.relation, field.column),
    guard: (sql) => guardSql(last, sql, "else false "),
    beside: (other) => {
      const shared = sharedEdges(
        edges.map(({ edge }) => edge),
        other.edges.map(({ edge }) => edge),
      );
      const rest = other.edges.slice(shared);
      if (rest.some(({ edge }) => edge.kind === "MANY")) return undefined;
      if (shared === 0 && scope.filterJoins !== null) {
        return {
          sql: valueSql({ ...scope, joins: scope.filterJoins }, other),
          type: valueType(other),
        };
      }
      const start = shared === 0 ? scope : (scopes[shared - 1]?.scope ?? scope);
      const end = follow(start, rest);
      return {
        sql: nestScalar(end.scopes, shownSql(end.last, other.field)),
        type: other.field.column.type,
      };
    },
  };
  if (edges.length === 0) return own;
  const single = edges.every(({ edge }) => edge.kind === "ONE");
  return {
    ...own,
    relate: (condition, positive) =>
      // If no related row is visible, a negated condition is unknown, so that neither the condition nor its negation
      // matches.
      single && !positive ? nestScalar(scopes, condition) : nestExists(scopes, condition),
  };
}

function follow(
  scope: SqlScope,
  edges: readonly VisibleEdge[],
): { readonly scopes: readonly RelatedScope[]; readonly last: SqlScope } {
  const scopes: RelatedScope[] = [];
  let last = scope;
  for (const edge of edges) {
    const related = relatedScope(last, edge);
    scopes.push(related);
    last = related.scope;
  }
  return { scopes, last };
}

function nestExists(scopes: readonly RelatedScope[], condition: string): string {
  return scopes.reduceRight(
    (inner, { from, conditions }) =>
      `exists (select 1 from ${from}${whereSql([...conditions, inner])})`,
    condition,
  );
}

function countRows(scopes: readonly RelatedScope[], condition: string): string {
  const from = scopes.map(({ once }) => once.from).join(", ");
  const conditions = scopes.flatMap(({ once }) => once.conditions);
  return `(select pg_catalog.count(*) from ${from}${whereSql([...conditions, condition])})`;
}

/** Joins the numbers of all related rows in one pass; undefined if the numbers of each row cost less. */
function countInGroups(
  { visible, filterJoins }: SqlScope,
  edges: readonly VisibleEdge[],
  scopes: readonly RelatedScope[],
  condition: string,
): string | undefined {
  const [edge, target] = [edges.at(-1), scopes.at(-1)];
  if (filterJoins === null || edge === undefined || target === undefined) return undefined;
  const leading = scopes.slice(0, -1);
  const own = leading.at(-1)?.scope.visible ?? visible;
  const isSingle = edges.slice(0, -1).every((each) => each.edge.kind === "ONE");
  if (!isSingle || findsByIndex(edge, own.relation)) return undefined;
  for (const related of leading) filterJoins.addRows(related);
  const numberAt = filterJoins.addGroups(target, ["pg_catalog.count(*)"], [condition]);
  return `coalesce(${numberAt(0)}, 0)`;
}

function nestScalar(scopes: readonly RelatedScope[], expression: string): string {
  return scopes.reduceRight(
    (inner, { from, conditions }) => `(select ${inner} from ${from}${whereSql(conditions)})`,
    expression,
  );
}

/** Returns the condition that a visible text column contains the search text, regardless of case. */
export function searchSql(scope: SqlScope, slot: number): string {
  const conditions = scope.visible.fields.flatMap((field) => {
    const { column } = field;
    if (!isTextual(column.type)) return [];
    const binding = { slot, conversion: "CONTAINS", type: anyText } as const;
    const placed = scope.builder.placeSlot(binding);
    const text = patternTextSql(columnSql(column, scope.alias), column.type);
    const match = `${text} ilike ${placed}`;
    const isComputed = scope.builder.isComputed(scope.visible.relation, column);
    const sql = isComputed ? guardSql(scope, match, "else false ") : match;
    const visible = fieldVisibleSql(scope, field);
    return visible === null ? [sql] : [`case when ${visible} then ${sql} else false end`];
  });
  return conditions.length === 0 ? "false" : `(${conditions.join(" or ")})`;
}

/** One type for the search text, so that all columns share one parameter. */
const anyText = builtInType("text");
