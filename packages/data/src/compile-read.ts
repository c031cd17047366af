import { compileFilter } from "@rowhouse/access";
import { compareSql, type Relation } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { AuthorizedPlan } from "./authorize-plan.ts";
import { afterSql, type OrderKey, orderKeys, orderSql } from "./compile-order.ts";
import { rowSql, tagSql } from "./compile-row.ts";
import type { ListPlan, ReadPlan } from "./plan-request.ts";
import { filterContext, Joins, rowsSql, type Scope, searchSql, whereSql } from "./scope.ts";
import { columnSql, gatePlaceholder, type StatementBuilder } from "./statement.ts";

/**
 * A list's statement, without its gate: `data` is the rows as one JSON text, `next` the order keys of the last row where
 * there may be more, `count` the number of all.
 */
export function compileList(plan: AuthorizedPlan & ListPlan, builder: StatementBuilder): string {
  const { scope, from } = rootScope(plan, builder);
  const conditions = listConditions(plan, scope);
  const keys = orderKeys(plan.order, scope, "order_by");
  const page = [...conditions, afterCursor(plan.after, keys, builder)];
  const offset = plan.hasOffset ? builder.offsetSql() : "";
  const isKeyed = hasPlaces(plan.relation) && plan.limit > 0;
  const row = rowSql(plan.projection, scope, isKeyed ? keys : []);
  // The limit is part of the text: with a parameter the planner would assume a tenth of the table.
  const source = `${from}${scope.joins.sql}${whereSql(["gate.ok", ...page])}${orderSql(keys)} limit ${plan.limit}${offset}`;
  const next = isKeyed
    ? `, case when pg_catalog.count(*) = ${plan.limit} then ${lastKeysSql(row.keys, plan.limit)} end as next`
    : "";
  const rows = `select ${row.list} as data${next}
  from (select ${row.select} from ${source}) r`;
  return `select gate.proof, gate.version, d.*${countSql(plan, scope, from, conditions)}
from ${gatePlaceholder}, lateral (${rows}) d`;
}

/** Whether a row's place can be kept in a cursor: it has a key, and of a key's values there are faithful texts. */
function hasPlaces({ primaryKey, columnByName }: Relation): boolean {
  return primaryKey.length > 0 && primaryKey.every((name) => columnByName(name)?.type.ordered);
}

/** The conditions on the rows of a list or an aggregate: those of the grants, and those asked for. */
export function listConditions(
  plan: Pick<ListPlan, "where" | "search">,
  scope: Scope,
): (string | null)[] {
  return [
    rowsSql(scope),
    plan.where === null ? null : compileFilter(plan.where, filterContext(scope)),
    plan.search === null ? null : searchSql(scope, plan.search),
  ];
}

function afterCursor(
  after: ListPlan["after"],
  keys: readonly OrderKey[],
  builder: StatementBuilder,
): string | null {
  if (after === null) return null;
  if (after.length !== keys.length) {
    throw createError("QUERY_INVALID", { path: "cursor", message: "The table's key has changed" });
  }
  return afterSql(keys, after, (index, { type }) => builder.place({ kind: "CURSOR", index }, type));
}

function lastKeysSql(keys: readonly string[], limit: number): string {
  const last = keys.map((key) => `(pg_catalog.array_agg(${key}))[${limit}]`);
  return `pg_catalog.json_build_array(${last.join(", ")})::text`;
}

function countSql(
  plan: ListPlan,
  scope: Scope,
  from: string,
  conditions: readonly (string | null)[],
): string {
  if (plan.count === null) return "";
  const filtered = conditions.some((condition) => condition !== null);
  // The planner's own figure is one for the whole table: with a filter, or before the first ANALYZE, rows are counted.
  const estimate =
    plan.count === "estimated" && !filtered && scope.visible.relation.kind !== "VIEW"
      ? `(select nullif(greatest(c.reltuples, -1), -1)::bigint::text from pg_catalog.pg_class c where c.oid = ${scope.visible.relation.oid})`
      : null;
  const exact = `(select pg_catalog.count(*)::text from ${from}${whereSql(conditions)})`;
  return `,\n  case when gate.ok then ${estimate === null ? exact : `coalesce(${estimate}, ${exact})`} end as count`;
}

/** The statement that reads one row, without its gate: `data` is null where there is none. */
export function compileRead(plan: AuthorizedPlan & ReadPlan, builder: StatementBuilder): string {
  const { scope, from } = rootScope(plan, builder);
  const conditions = [...keyConditions(plan.key, scope), rowsSql(scope)];
  const row = rowSql(plan.projection, scope);
  const where = whereSql(["gate.ok", ...conditions]);
  if (plan.fields === null && plan.deep.size === 0) {
    const data = `(select ${row.json} from (select ${row.select} from ${from}${where}) r)`;
    return `select gate.proof, gate.version, ${data} as data
from ${gatePlaceholder}`;
  }
  // The entity tag is of the whole row, whichever part of it is asked for.
  const whole = `(select ${row.json} from (select ${row.select}) r)`;
  return `select gate.proof, gate.version, d.*
from ${gatePlaceholder} left join lateral (
  select ${whole} as data, ${tagSql(scope)} as tag from ${from}${where}
) d on true`;
}

/** The relation that the request names, as its reader sees it. */
export function rootScope(
  plan: AuthorizedPlan,
  builder: StatementBuilder,
): { readonly scope: Scope; readonly from: string } {
  const { sql, alias } = builder.from(plan.relation);
  const { read: visible, relationDepthMax: depthMax } = plan;
  return { scope: { visible, alias, builder, depthMax, joins: new Joins() }, from: sql };
}

/** The conditions that find a row by its key. */
export function keyConditions(
  key: ReadPlan["key"],
  { alias, builder }: Pick<Scope, "alias" | "builder">,
): string[] {
  return key.map((column, index) => {
    const key = builder.place({ kind: "KEY", index, column }, column.type);
    return compareSql(columnSql(column, alias), "=", key, column.type);
  });
}
