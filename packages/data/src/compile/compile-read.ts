import { compareSql, isUnique, type Relation } from "@rowhouse/db";
import type {
  Authorized,
  AuthorizedAggregate,
  AuthorizedList,
  AuthorizedRead,
  RowConditions,
} from "../authorize/authorized-plan.ts";
import type { Projection } from "../authorize/projection.ts";
import { isOpen } from "../authorize/visible.ts";
import {
  aggregateOutput,
  groupOrderSql,
  groupOutput,
  havingSql,
  type Output,
  outputSql,
} from "./aggregate-output.ts";
import { columnSql, type ObjectSql, objectSql, whereSql } from "./column-sql.ts";
import {
  afterSql,
  hasPlaces,
  lastKeysSql,
  type OrderKey,
  orderKeys,
  orderSql,
} from "./compile-order.ts";
import { type RowSql, rowSql, tagSql } from "./compile-row.ts";
import { searchSql, visibleFilterSql } from "./filter-sql.ts";
import { Joins, OnePass, onePassOf, rowsSql, type SqlScope } from "./scope.ts";
import { gatePlaceholder, type StatementBuilder, sizedSql } from "./statement.ts";

/**
 * Compiles a list without its gate: `data` is the rows as one JSON text, `next` the order keys of the last row if more
 * rows may follow, `etags` the entity tags as one JSON text, `count` the number of all rows.
 */
export function compileList(plan: AuthorizedList, builder: StatementBuilder): string {
  const { scope, from: own } = listScope(plan, builder);
  const conditions = listConditions(plan, scope);
  const from = filteredFrom(own, scope);
  const count = countSql(plan, scope, from, conditions);
  const keys = orderKeys(plan.order, scope);
  const isKeyed = hasPlaces(plan.relation) && plan.limit > 0;
  const { row, rows } = pageSql({
    projection: plan.projection,
    scope,
    from,
    conditions: [...conditions, afterCursor(plan.after, keys, builder)],
    keys,
    isKeyed,
    tagged: plan.etags,
    // The limit is part of the text: for a parameter the planner would assume a tenth of the table.
    bounds: ` limit ${plan.limit}${plan.hasOffset ? builder.offsetSql() : ""}`,
  });
  const next = isKeyed
    ? `, case when pg_catalog.count(*) = ${plan.limit} then ${lastKeysSql(row.keys, plan.limit)} end as next`
    : "";
  const tags = plan.etags ? `, pg_catalog.json_agg('"' || r.tag || '"')::text as etags` : "";
  const list = `select ${row.list} as data${next}${tags}
  from (${rows}) r`;
  const answer = `${sizedSql("d.data", builder)}${isKeyed ? ", d.next" : ""}${plan.etags ? ", d.etags" : ""}`;
  return `select gate.proof, gate.version, ${answer}${count}
from ${gatePlaceholder}, lateral (${list}) d`;
}

/** Returns the conditions on the rows of a list or an aggregate: those of the grants and those of the request. */
export function listConditions(plan: RowConditions, scope: SqlScope): (string | null)[] {
  return scope.builder.conditions(() => [
    rowsSql(scope),
    plan.where === null ? null : visibleFilterSql(plan.where, scope),
    plan.search === null ? null : searchSql(scope, plan.search),
  ]);
}

function afterCursor(
  after: AuthorizedList["after"],
  keys: readonly OrderKey[],
  builder: StatementBuilder,
): string | null {
  if (after === null) return null;
  return afterSql(keys, after, (index, { type }) =>
    builder.place({ kind: "CURSOR", index, typeName: type.name }, type),
  );
}

function countSql(
  plan: AuthorizedList,
  scope: SqlScope,
  from: string,
  conditions: readonly (string | null)[],
): string {
  if (plan.count === null) return "";
  const exact = `(select pg_catalog.count(*)::text from ${from}${whereSql(conditions)})`;
  const { relation } = scope.visible;
  const isFiltered = conditions.some((condition) => condition !== null);
  if (plan.count === "estimated" && !isFiltered && relation.kind !== "VIEW") {
    // The row count of the last ANALYZE applies only to the whole table.
    const figure = `(select nullif(greatest(c.reltuples, -1), -1)::bigint::text from pg_catalog.pg_class c where c.oid = ${relation.oid} and not pg_catalog.row_security_active(c.oid))`;
    return `,\n  case when gate.ok then coalesce(${figure}, ${exact}) end as count`;
  }
  if (!isEstimated(plan, conditions, scope)) {
    return `,\n  case when gate.ok then ${exact} end as count`;
  }
  return `,\n  case when gate.ok and ${withoutStatisticsSql(scope)} then ${exact} end as count`;
}

/**
 * Whether a separate statement asks the planner for the number of matching rows (compile-estimate.ts). The planner's
 * statistics cover all rows. They would disclose hidden rows to a reader who may not read every row and every value of
 * each relation that the filter names.
 */
export function isEstimated(
  { count }: Pick<AuthorizedList, "count">,
  conditions: readonly (string | null)[],
  { named }: SqlScope,
): boolean {
  const isFiltered = conditions.some((condition) => condition !== null);
  return count === "estimated" && isFiltered && named.every(isOpen);
}

/**
 * Returns the condition under which rows are counted although an estimate is requested: row security hides some of
 * them, or ANALYZE has not run.
 */
function withoutStatisticsSql({ named, visible }: SqlScope): string {
  const { oid } = visible.relation;
  const oids = named.map(({ relation }) => relation.oid).join(", ");
  return `(exists (select from pg_catalog.pg_class c where c.oid in (${oids}) and pg_catalog.row_security_active(c.oid))
    or exists (select from (select ${oid}::oid as part union all select p.relid from pg_catalog.pg_partition_tree(${oid}) p) p
      join pg_catalog.pg_class c on c.oid = p.part where c.relkind in ('r', 'm') and c.reltuples < 0))`;
}

/** Compiles the read of one row without its gate: `data` is null if the row is missing or hidden. */
export function compileRead(plan: AuthorizedRead, builder: StatementBuilder): string {
  const { scope, from } = rootScope(plan, builder);
  const conditions = [...keyConditions(plan.key, scope), rowsSql(scope)];
  const row = rowSql(plan.projection, scope);
  const where = whereSql(["gate.ok", ...conditions]);
  if (plan.isWhole) {
    return `select gate.proof, gate.version, ${sizedSql("d.data", builder)}
from ${gatePlaceholder} left join lateral (
  select ${row.json} as data from (select ${row.select} from ${from}${where} offset 0) r offset 0
) d on true`;
  }
  // The entity tag covers the whole row, regardless of the requested fields.
  const whole = `(select ${row.json} from (select ${row.select}) r)`;
  return `select gate.proof, gate.version, ${sizedSql("d.data", builder)}, d.tag
from ${gatePlaceholder} left join lateral (
  select ${whole} as data, ${tagSql(scope)} as tag from ${from}${where} offset 0
) d on true`;
}

/** Returns the scope and the FROM item of the relation that the request names. */
export function rootScope(
  plan: Authorized,
  builder: StatementBuilder,
): { readonly scope: SqlScope; readonly from: string } {
  const { sql, alias } = builder.from(plan.relation);
  const { read: visible, relatedRowsMax: relatedMax } = plan;
  const own = { relatedMax, path: "", joins: new Joins(), pass: null };
  return {
    scope: { visible, alias, builder, ...own, filterJoins: null, named: [visible] },
    from: sql,
  };
}

/** Maximum number of rows for which a search of each one's related rows without an index costs less than one pass. */
const fewRows = 4;

/** Returns the same for a list. */
export function listScope(
  plan: AuthorizedList,
  builder: StatementBuilder,
): { readonly scope: SqlScope; readonly from: string } {
  const { scope, from } = manyRowsScope(plan, builder);
  const isLong = plan.limit > fewRows && scope.filterJoins !== null;
  return { scope: { ...scope, pass: isLong ? new OnePass(null) : null }, from };
}

/** Returns the same for a statement that tests the filter on many rows, unless it requires one value of a unique key. */
export function manyRowsScope(
  plan: Authorized & RowConditions,
  builder: StatementBuilder,
): { readonly scope: SqlScope; readonly from: string } {
  const { scope, from } = rootScope(plan, builder);
  const isOne = namesOneRow(plan.where, plan.relation);
  return { scope: { ...scope, filterJoins: isOne ? null : new Joins() }, from };
}

/** Returns the relation's FROM item with the joins of its filter; complete once the filter has been compiled. */
export function filteredFrom(from: string, { filterJoins }: SqlScope): string {
  return filterJoins === null ? from : `${from}${filterJoins.sql}`;
}

/** Whether a filter requires one value of a unique key. */
function namesOneRow(where: RowConditions["where"], relation: Relation): boolean {
  if (where?.kind === "AND") {
    return where.filters.some((filter) => namesOneRow(filter, relation));
  }
  if (where?.kind !== "CONDITION" || where.operator !== "_eq" || where.inside !== undefined) {
    return false;
  }
  const { edges, field } = where.field;
  return edges.length === 0 && isUnique(relation, new Set([field.column.name]));
}

/** Returns the conditions that select a row by its key. */
export function keyConditions(
  key: AuthorizedRead["key"],
  { alias, builder }: Pick<SqlScope, "alias" | "builder">,
): string[] {
  return key.map((column, index) => {
    const key = builder.place({ kind: "KEY", index, column }, column.type);
    return compareSql(columnSql(column, alias), "=", key, column.type);
  });
}

/** The rows of a page and the query that selects them. */
export interface PageSql {
  readonly row: RowSql;
  /** The subquery `r`. */
  readonly rows: string;
}

export interface ListSql {
  readonly projection: Projection;
  readonly scope: SqlScope;
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
function pageSql(list: ListSql): PageSql {
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
  const page: SqlScope = { ...scope, alias: pageAlias, joins: new Joins(), pass };
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

/** The groups of an aggregate, in parts. */
export interface AggregateParts {
  readonly outputs: readonly Output[];
  /** Everything from FROM to HAVING. */
  readonly body: string;
  readonly order: string;
  readonly offset: string;
}

/** Compiles an aggregate without its gate: `data` is the groups as one JSON text. */
export function compileAggregate(plan: AuthorizedAggregate, builder: StatementBuilder): string {
  const { outputs, body, order, offset } = aggregateParts(plan, builder, null);
  const group = groupSql(outputs);
  const rows = `select ${group.select} from ${body}${order} limit ${plan.limit}${offset}`;
  // The gate is a one-time filter outside the groups: PostgreSQL does not parallelize a query that refers to an outer
  // query.
  const data = `select ${group.list} as data from (${rows}) r where gate.ok`;
  const count =
    plan.count === null
      ? ""
      : `,\n  case when gate.ok then (select pg_catalog.count(*)::text from (select 1 from ${body}) g) end as count`;
  return `select gate.proof, gate.version, ${sizedSql("d.data", builder)}${count}
from ${gatePlaceholder}, lateral (${data}) d`;
}

export function groupSql(outputs: readonly Output[]): ObjectSql {
  return objectSql(
    outputs.map((output) => ({ name: output.name, sql: outputSql(output), visibleSql: null })),
  );
}

/**
 * Compiles the parts of an aggregate.
 *
 * @param gate the condition under which rows are read; null if the statement contains it elsewhere
 * @throws AppError QUERY_INVALID for a result or a condition that does not apply to its field
 */
export function aggregateParts(
  plan: AuthorizedAggregate,
  builder: StatementBuilder,
  gate: string | null,
): AggregateParts {
  const { scope, from } = manyRowsScope(plan, builder);
  const groups = plan.groups.map((term) => groupOutput(term, scope, "group_by"));
  const outputs = [
    ...groups,
    ...plan.aggregates.map((term) => aggregateOutput(term, scope, "aggregate")),
  ];
  const where = whereSql([gate, ...listConditions(plan, scope)]);
  const groupBy = groups.length === 0 ? "" : ` group by ${groups.map(({ sql }) => sql).join(", ")}`;
  // Without groups, `having true` makes one group of all rows, also in the query that counts the groups. The equivalent
  // `group by ()` makes PostgreSQL compute columns of rows that a filter removes later.
  const having =
    plan.having === null && groups.length === 0
      ? " having true"
      : havingSql(plan.having, outputs, builder);
  return {
    outputs,
    body: `${filteredFrom(from, scope)}${scope.joins.sql}${where}${groupBy}${having}`,
    order: groupOrderSql(plan.order, outputs, groups),
    offset: plan.hasOffset ? builder.offsetSql() : "",
  };
}
