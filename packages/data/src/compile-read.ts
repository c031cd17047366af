import { compileFilter } from "@rowhouse/access";
import type { AuthorizedPlan } from "./authorize-plan.ts";
import { orderSql } from "./compile-order.ts";
import { rowSql, rowsJsonSql } from "./compile-row.ts";
import type { ListPlan, ReadPlan } from "./plan-request.ts";
import { filterContext, rowsSql, type Scope, whereSql } from "./scope.ts";
import { columnSql, type StatementBuilder } from "./statement.ts";

/** The select list of a list's statement, whose source is the gate: `data` is the rows as one JSON text, `count` the number of all. */
export function compileList(plan: AuthorizedPlan & ListPlan, builder: StatementBuilder): string {
  const { scope, from } = rootScope(plan, builder);
  const filter = plan.where === null ? null : compileFilter(plan.where, filterContext(scope, ""));
  const source = `${from}${whereSql([rowsSql(scope), filter])}`;
  const order = orderSql(plan.order, scope, "order_by");
  const offset = plan.hasOffset ? ` offset ${builder.place({ kind: "OFFSET" })}::bigint` : "";
  const row = rowSql(plan.projection, scope);
  // The limit is part of the text: with a parameter the planner would assume a tenth of the table.
  const data = rowsJsonSql(row, `${source}${order} limit ${plan.limit}${offset}`);
  const count = plan.count
    ? `,\n  case when gate.ok then (select pg_catalog.count(*)::text from ${source}) end as count`
    : "";
  return `select gate.proof, gate.version, case when gate.ok then ${data} end as data${count}`;
}

/** The select list of the statement that reads one row: `data` is null where there is none. */
export function compileRead(plan: AuthorizedPlan & ReadPlan, builder: StatementBuilder): string {
  const { scope, from } = rootScope(plan, builder);
  const conditions = [...keyConditions(plan.key, scope), rowsSql(scope)];
  const row = rowSql(plan.projection, scope);
  const data = `(select ${row.json} from (select ${row.select} from ${from}${whereSql(conditions)}) r)`;
  return `select gate.proof, gate.version, case when gate.ok then ${data} end as data`;
}

/** The relation that the request names, as its reader sees it. */
export function rootScope(
  plan: AuthorizedPlan,
  builder: StatementBuilder,
): { readonly scope: Scope; readonly from: string } {
  const { sql, alias } = builder.from(plan.relation);
  const { read: visible, relationDepthMax: depthMax } = plan;
  return { scope: { visible, alias, builder, depthMax }, from: sql };
}

/** The conditions that find a row by its key. */
export function keyConditions(
  key: ReadPlan["key"],
  { alias, builder }: Pick<Scope, "alias" | "builder">,
): string[] {
  return key.map(
    (column, index) =>
      `${columnSql(column, alias)} = ${builder.place({ kind: "KEY", index, column })}::${column.type.name}`,
  );
}
