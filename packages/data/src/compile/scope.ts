import { insideSql } from "@rowhouse/access";
import { builtInType, type Column, type ColumnType, type Relation } from "@rowhouse/db";
import type { FieldPath } from "../authorize/resolve-path.ts";
import type { Visible, VisibleEdge, VisibleField } from "../authorize/visible.ts";
import { columnSql, whereSql } from "./column-sql.ts";
import { type GroupedRows, type Rows, stepSql } from "./edge-sql.ts";
import type { StatementBuilder } from "./statement.ts";

/** A relation within a statement, with its alias and the part of it that the reader may see. */
export interface SqlScope {
  readonly visible: Visible;
  readonly alias: string;
  readonly builder: StatementBuilder;
  /** Maximum number of rows of a to-many list without a limit in the request; null for no maximum. */
  readonly relatedMax: number | null;
  /** The path from the relation that the request names, with a trailing dot; empty for that relation itself. */
  readonly path: string;
  readonly joins: Joins;
  /** Reads the related rows where no index finds those of one row; null if the statement reads few rows of the scope. */
  readonly pass: OnePass | null;
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
  readonly #scopes = new Map<string, SqlScope>();
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
   * @param chosen the conditions of the rows that count, beside those of the reader
   * @returns SQL for a value of a row's group by its index; null in a row without a group
   */
  addGroups(
    target: RelatedScope,
    values: readonly string[],
    chosen: readonly (string | null)[] = [],
  ): (index: number) => string {
    const { sql, alias, valueAt } = groupedSql(target, values, { chosen });
    this.add(` left join (${sql}) ${alias} on ${target.grouped.joins(alias).join(" and ")}`);
    return valueAt;
  }

  /**
   * Returns the scope at the end of a path of to-one relations. Its columns are null in rows without a visible related
   * row.
   */
  at(scope: SqlScope, edges: readonly VisibleEdge[]): SqlScope {
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
  readonly scope: SqlScope;
  /** The same rows, each of them once. */
  readonly once: Rows;
  /** The rows that the reader may see, grouped by the rows that they belong to. */
  readonly grouped: GroupedRows;
}

/** Which related rows a query groups, and by what. */
interface Grouping {
  /** The conditions of the rows that count, beside those of the reader. */
  readonly chosen: readonly (string | null)[];
  /** SQL for what groups the rows beside the columns that refer to a row. */
  readonly by?: readonly string[];
  /** ` having …`; empty without a condition. */
  readonly having?: string;
}

/** Compiles values of all related rows, in groups by the columns that refer to a row. */
export function groupedSql(
  { scope, grouped }: RelatedScope,
  values: readonly string[],
  { chosen, by = [], having = "" }: Grouping,
): { readonly sql: string; readonly alias: string; readonly valueAt: (index: number) => string } {
  const alias = `${scope.alias}g`;
  const keys = grouped.keys.map((column) => columnSql(column, grouped.alias));
  let prefix = "number";
  while (grouped.keys.some(({ name }) => name.startsWith(prefix))) prefix += "_";
  const named = values.map((sql, index) => `${sql} as "${prefix}${index}"`);
  const body = `${grouped.from}${scope.joins.sql}${whereSql([...grouped.conditions, ...chosen])}`;
  const groups = `group by ${[...keys, ...by].join(", ")}${having}`;
  const sql = `select ${[...keys, ...named].join(", ")} from ${body} ${groups}`;
  return { sql, alias, valueAt: (index) => `${alias}."${prefix}${index}"` };
}

/** Returns the condition under which the reader may see a row of the scope; null if every row is visible. */
export function rowsSql({ visible, alias, builder }: SqlScope): string | null {
  return builder.grantRowsSql(visible.rows, visible.relation, alias);
}

/** Returns the condition under which a field is visible in a visible row; null if it always is. */
export function fieldVisibleSql(scope: SqlScope, field: VisibleField): string | null {
  return scope.builder.grantRowsSql(field.rows, scope.visible.relation, scope.alias);
}

/** Returns the scope of an edge's target, under a new alias. */
export function relatedScope(
  scope: SqlScope,
  { edge, target, junction }: VisibleEdge,
): RelatedScope {
  const { builder, named } = scope;
  const sqlOf = (column: Column) => columnSql(column, scope.alias);
  const { alias, from, conditions, once, grouped } = stepSql(edge, scope.visible.relation, sqlOf, {
    from: (relation) => builder.from(relation),
    junctionRows: (between) =>
      junction &&
      builder.conditions(() => builder.grantRowsSql(junction.rows, junction.relation, between)),
  });
  named.push(target, ...(junction === null ? [] : [junction]));
  const own = { joins: new Joins(), pass: null, filterJoins: null };
  const inner: SqlScope = { ...scope, visible: target, alias, ...own };
  const shown = builder.conditions(() => rowsSql(inner)) ?? [];
  return {
    scope: inner,
    from,
    conditions: conditions.concat(shown),
    once: { from: once.from, conditions: once.conditions.concat(shown) },
    grouped: { ...grouped, conditions: grouped.conditions.concat(shown) },
  };
}

/** Evaluates an expression only on rows that the reader may see. */
export function guardSql(scope: SqlScope, sql: string, otherwise = ""): string {
  const rows = rowsSql(scope);
  return rows === null ? sql : `(case when ${rows} then ${sql} ${otherwise}end)`;
}

/**
 * Compiles a value that sorts, groups or aggregates rows, for a statement with the scope's joins in FROM. The value is
 * null in a row in which its field is hidden.
 *
 * @param as `NUMBER` for null in place of a value inside a document that is no number
 */
export function valueSql(scope: SqlScope, path: FieldPath, as?: "NUMBER"): string {
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
  scope: SqlScope,
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

/** Reads the related rows of all rows of a scope in one pass. */
export class OnePass {
  /** The common table expression with the rows of the scope, which is their alias; null for every row of the relation. */
  readonly rows: string | null;
  #expressions = "";

  constructor(rows: string | null) {
    this.rows = rows;
  }

  /** Adds a common table expression that the rows of the scope refer to. */
  add(name: string, sql: string): void {
    this.#expressions += `, ${name} as materialized (${sql})`;
  }

  /**
   * Returns the clause WITH; complete once the rows of the scope have been compiled.
   *
   * @param sql the query of the rows
   */
  withSql(sql: string): string {
    return `with ${this.rows} as materialized (${sql})${this.#expressions} `;
  }

  /** Returns the condition that a related row belongs to a row of the scope; null if every one may. */
  belongsSql(grouped: GroupedRows): string | null {
    if (this.rows === null) return null;
    return `exists (select 1 from ${this.rows} where ${grouped.joins(grouped.alias).join(" and ")})`;
  }
}

/** Returns the pass that reads the related rows of an edge; null if those of each row cost less. */
export function onePassOf(
  { pass, visible }: { readonly pass: OnePass | null; readonly visible: Visible },
  edge: VisibleEdge,
): OnePass | null {
  return pass === null || findsByIndex(edge, visible.relation) ? null : pass;
}

/**
 * Whether an index finds the related rows of one row: then it costs less to search for those of each row than to group
 * all of them. Texts that differ may be equal in the other table's collation, and would be groups of one row.
 *
 * @param own the relation of the row
 */
export function findsByIndex({ edge }: VisibleEdge, own: Relation): boolean {
  if (edge.foreignKey !== "TARGET") return true;
  const { target } = edge;
  const names = edge.columns.map(([, name]) => name);
  const key = target.foreignKeys.find(
    (each) =>
      each.targetOid === own.oid &&
      each.columns.length === names.length &&
      each.columns.every((name, at) => name === names[at]),
  );
  const isGroupable = names.every((name) => target.columnByName(name)?.type.folds === false);
  return key === undefined || key.isIndexed || !isGroupable;
}
