import {
  type CompileFilterContext,
  compileFilter,
  type FieldSql,
  insideSql,
  isTextual,
  patternTextSql,
  sharedEdges,
} from "@rowhouse/access";
import { builtInType, type Column, type ColumnType } from "@rowhouse/db";
import type { FieldPath, RelationPath } from "../authorize/resolve-path.ts";
import type { Visible, VisibleEdge, VisibleField } from "../authorize/visible.ts";
import type { VisibleFilter } from "../authorize/visible-filter.ts";
import { columnSql, whereSql } from "./column-sql.ts";
import { findsByIndex } from "./finds-by-index.ts";
import type { StatementBuilder } from "./statement.ts";
import { type GroupedRows, type Rows, stepSql } from "./step-sql.ts";

/** A relation within a statement, with its alias and the part of it that the reader may see. */
export interface Scope {
  readonly visible: Visible;
  readonly alias: string;
  readonly builder: StatementBuilder;
  /** Maximum number of rows of a to-many list without a limit in the request; null for no maximum. */
  readonly relatedMax: number | null;
  /** The path from the relation that the request names, with a trailing dot; empty for that relation itself. */
  readonly path: string;
  readonly joins: Joins;
  /**
   * Whether the statement reads so many rows of the scope that numbers of their related rows are computed in one pass, if no
   * index finds the related rows of one row.
   */
  readonly isLong: boolean;
  /**
   * The joins of the numbers and of the related fields that the request's filter compares with, which follow the relation in
   * every FROM that has the filter; null if these are computed for each row.
   */
  readonly filterJoins: Joins | null;
  /** Every relation that any scope of the statement has named so far. */
  readonly named: Visible[];
}

/**
 * The joins of the to-one relations whose fields sort, group or aggregate the rows of a scope; each relation is joined
 * once. PostgreSQL evaluates a subquery in place of a join for each row: over three million rows that took 22 s instead
 * of 3 s.
 */
export class Joins {
  readonly #scopes = new Map<string, Scope>();
  #sql = "";

  /** The joins that follow the relation in FROM; complete once every value has been compiled. */
  get sql(): string {
    return this.#sql;
  }

  /** Adds a join that no other value shares. */
  add(joinSql: string): void {
    this.#sql += joinSql;
  }

  /** Joins the related row; its columns are null in rows without a visible one. */
  addRows({ from, conditions }: Rows): void {
    this.add(` left join ${from} on ${conditions.join(" and ")}`);
  }

  /**
   * Joins values of all related rows, in groups by the columns that refer to a row: one pass over the related rows.
   *
   * @param values SQL for the values of a group
   * @param chosen the condition of the rows that count; null for every row that the reader may see
   * @returns SQL for a value of a row's group by its index; null in a row without a group
   */
  addGroups(
    { scope, grouped }: RelatedScope,
    values: readonly string[],
    chosen: string | null = null,
  ): (index: number) => string {
    const alias = `${scope.alias}g`;
    const keys = grouped.keys.map((column) => columnSql(column, grouped.alias)).join(", ");
    let prefix = "number";
    while (grouped.keys.some(({ name }) => name.startsWith(prefix))) prefix += "_";
    const named = values.map((sql, index) => `${sql} as "${prefix}${index}"`);
    const body = `${grouped.from}${scope.joins.sql}${whereSql([...grouped.conditions, chosen])}`;
    const groups = `select ${[keys, ...named].join(", ")} from ${body} group by ${keys}`;
    this.add(` left join (${groups}) ${alias} on ${grouped.joins(alias).join(" and ")}`);
    return (index) => `${alias}."${prefix}${index}"`;
  }

  /**
   * Returns the scope at the end of a path of to-one relations. Its columns are null in rows without a visible related
   * row.
   */
  at(scope: Scope, edges: readonly VisibleEdge[]): Scope {
    let last = scope;
    let path = "";
    for (const edge of edges) {
      path += `${JSON.stringify(edge.edge.name)} `;
      const known = this.#scopes.get(path);
      if (known === undefined) {
        const related = relatedScope(last, edge);
        this.addRows(related);
        this.#scopes.set(path, related.scope);
        last = related.scope;
      } else {
        last = known;
      }
    }
    return last;
  }
}

/** A related relation, with the conditions that join it and restrict its rows. */
export interface RelatedScope extends Rows {
  readonly scope: Scope;
  /** The same rows, each of them once. */
  readonly once: Rows;
  /** The rows that the reader may see, grouped by the rows that they belong to. */
  readonly grouped: GroupedRows;
}

/** Returns the condition under which the reader may see a row of the scope; null if every row is visible. */
export function rowsSql({ visible, alias, builder }: Scope): string | null {
  return builder.grantRowsSql(visible.rows, visible.relation, alias);
}

/** Returns the condition under which a field is visible in a visible row; null if it always is. */
export function fieldVisibleSql(scope: Scope, field: VisibleField): string | null {
  return scope.builder.grantRowsSql(field.rows, scope.visible.relation, scope.alias);
}

/** Returns the scope of an edge's target, under a new alias. */
export function relatedScope(scope: Scope, { edge, target, junction }: VisibleEdge): RelatedScope {
  const { builder, named } = scope;
  const sqlOf = (column: Column) => columnSql(column, scope.alias);
  const { alias, from, conditions, once, grouped } = stepSql(edge, scope.visible.relation, sqlOf, {
    from: (relation) => builder.from(relation),
    junctionRows: (between) =>
      junction &&
      builder.conditions(() => builder.grantRowsSql(junction.rows, junction.relation, between)),
  });
  named.push(target, ...(junction === null ? [] : [junction]));
  const own = { joins: new Joins(), isLong: false, filterJoins: null };
  const inner: Scope = { ...scope, visible: target, alias, ...own };
  const shown = builder.conditions(() => rowsSql(inner)) ?? [];
  return {
    scope: inner,
    from,
    conditions: conditions.concat(shown),
    once: { from: once.from, conditions: once.conditions.concat(shown) },
    grouped: { ...grouped, conditions: grouped.conditions.concat(shown) },
  };
}

/** Compiles a caller's filter on the rows of a scope. */
export function visibleFilterSql(filter: VisibleFilter, scope: Scope): string {
  return compileFilter(filter, filterContext(scope));
}

/** Returns what the names of a resolved filter on the rows of a scope mean. */
export function filterContext(scope: Scope): CompileFilterContext<FieldPath, RelationPath> {
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

function expressionOf(scope: Scope, { edges, field }: FieldPath): FieldSql<FieldPath> {
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

/** Evaluates an expression only on rows that the reader may see. */
export function guardSql(scope: Scope, sql: string, otherwise = ""): string {
  const rows = rowsSql(scope);
  return rows === null ? sql : `(case when ${rows} then ${sql} ${otherwise}end)`;
}

function follow(
  scope: Scope,
  edges: readonly VisibleEdge[],
): { readonly scopes: readonly RelatedScope[]; readonly last: Scope } {
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
  { visible, filterJoins }: Scope,
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
  const numberAt = filterJoins.addGroups(target, ["pg_catalog.count(*)"], condition);
  return `coalesce(${numberAt(0)}, 0)`;
}

function nestScalar(scopes: readonly RelatedScope[], expression: string): string {
  return scopes.reduceRight(
    (inner, { from, conditions }) => `(select ${inner} from ${from}${whereSql(conditions)})`,
    expression,
  );
}

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
function shownSql(
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

/** Returns the condition that a visible text column contains the search text, regardless of case. */
export function searchSql(scope: Scope, slot: number): string {
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
