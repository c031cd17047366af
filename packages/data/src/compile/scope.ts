import type { Column } from "@rowhouse/db";
import type { Visible, VisibleEdge, VisibleField } from "../authorize/visible.ts";
import { columnSql, whereSql } from "./column-sql.ts";
import type { OnePass } from "./one-pass.ts";
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
  const own = { joins: new Joins(), pass: null, filterJoins: null };
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

/** Evaluates an expression only on rows that the reader may see. */
export function guardSql(scope: Scope, sql: string, otherwise = ""): string {
  const rows = rowsSql(scope);
  return rows === null ? sql : `(case when ${rows} then ${sql} ${otherwise}end)`;
}
