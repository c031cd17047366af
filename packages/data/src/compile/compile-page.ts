import type { Projection } from "../authorize/projection.ts";
import { columnSql, whereSql } from "./column-sql.ts";
import { type OrderKey, orderSql } from "./compile-order.ts";
import { type RowSql, rowSql } from "./compile-row.ts";
import { OnePass, onePassOf } from "./one-pass.ts";
import { Joins, type Scope } from "./scope.ts";

/** The rows of a page and the query that selects them. */
export interface PageSql {
  readonly row: RowSql;
  /** The subquery `r`. */
  readonly rows: string;
}

/** The parts of a list's query. */
export interface ListSql {
  readonly projection: Projection;
  readonly scope: Scope;
  /** The relation that the request names, without the scope's joins. */
  readonly from: string;
  readonly conditions: readonly (string | null)[];
  readonly keys: readonly OrderKey[];
  /** Whether the statement returns the order keys of the last row. */
  readonly isKeyed: boolean;
  /** Whether the statement returns the entity tag of each row. */
  readonly tagged: boolean;
  /** LIMIT and OFFSET. */
  readonly bounds: string;
}

/** The alias of a page whose rows are not yet JSON. */
const pageAlias = "p";

/** Compiles the rows of a list behind the gate. */
export function pageSql(list: ListSql): PageSql {
  return chosenPageSql(list) ?? flatPageSql(list);
}

function flatPageSql(list: ListSql): PageSql {
  const { projection, scope, from, conditions, keys, isKeyed, tagged, bounds } = list;
  const row = rowSql(projection, scope, { order: isKeyed ? keys : [], tagged });
  const where = whereSql(["gate.ok", ...conditions]);
  const source = `${from}${scope.joins.sql}${where}${orderSql(keys)}${bounds}`;
  return { row, rows: `select ${row.select} from ${source}` };
}

/**
 * Chooses the rows of a page before their JSON, for one of two reasons:
 *
 * - Values order them that are no columns of the relation, or that are hidden in some rows. Hardly an index has this order,
 *   so PostgreSQL sorts every row: it sorts columns, and builds JSON only for the page. The gate is a one-time filter outside
 *   the sort, because PostgreSQL does not parallelize a query that refers to an outer query. Over three million rows this
 *   takes 3.9 s; JSON of every row and the gate inside the sort took 9.1 s.
 * - They show numbers of related rows that one pass reads, which then reads those of the page alone.
 *
 * @returns null without such a reason, or if reading a column of the relation may fail: PostgreSQL would evaluate that
 * column for rows in which it is hidden
 */
function chosenPageSql(list: ListSql): PageSql | null {
  const { projection, scope, from, conditions, keys, isKeyed, tagged, bounds } = list;
  const { relation } = scope.visible;
  const isSorted =
    keys.length > 0 && (scope.joins.sql !== "" || keys.some(({ column }) => column === null));
  const hasNumbers = projection.related.some(
    ({ edge, numbers }) => numbers !== null && onePassOf(scope, edge) !== null,
  );
  if (!isSorted && !hasNumbers) return null;
  if (relation.columns.some((column) => scope.builder.isComputed(relation, column))) return null;
  const prefix = keyPrefix(relation.columns.map(({ name }) => name));
  const sorted = keys.map((key, index) => ({ ...key, sql: `${pageAlias}."${prefix}${index}"` }));
  const pass = hasNumbers ? new OnePass(pageAlias) : null;
  const page: Scope = { ...scope, alias: pageAlias, joins: new Joins(), pass };
  const row = rowSql(projection, page, { order: isKeyed ? sorted : [], tagged });
  const shown = row.select + page.joins.sql;
  const used = relation.columns.filter((column) => shown.includes(columnSql(column, pageAlias)));
  const values = [
    ...used.map((column) => columnSql(column, scope.alias)),
    ...keys.map(({ sql }, index) => `${sql} as "${prefix}${index}"`),
  ];
  const where = whereSql(conditions);
  const source = `select ${values.join(", ")} from ${from}${scope.joins.sql}${where}${orderSql(keys)}${bounds}`;
  const rest = `${page.joins.sql} where gate.ok${orderSql(sorted)}`;
  const rows =
    pass === null
      ? `select ${row.select} from (${source}) ${pageAlias}${rest}`
      : `${pass.withSql(source)}select ${row.select} from ${pageAlias}${rest}`;
  return { row, rows };
}

/** Returns a prefix that no column name has. */
function keyPrefix(names: readonly string[]): string {
  let prefix = "$KEY.";
  while (names.some((name) => name.startsWith(prefix))) prefix = `$${prefix}`;
  return prefix;
}
