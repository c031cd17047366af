import { builtInType, quoteLiteral, quoteQualified } from "@rowhouse/db";
import type { AuthorizedHistory } from "../authorize/authorized-plan.ts";
import { columnOutputSql, columnSql, whereSql } from "./column-sql.ts";
import { keyConditions, rootScope } from "./compile-read.ts";
import { fieldVisibleSql, Joins, rowsSql, type SqlScope } from "./scope.ts";
import { gatePlaceholder, type StatementBuilder, sizedSql } from "./statement.ts";
import { allOf } from "./write-parts.ts";

/** The aliases of an entry and of the row before and after it. */
const entry = "h";
const [before, after] = ["o", "n"];

/**
 * Compiles the history of one row without its gate: `data` is the entries as one JSON text, newest first, null if the
 * row is missing or hidden; `next` is the place of the last entry if more may follow.
 *
 * Each version of the row must pass the row filters of today, and a field appears only if it is visible in both
 * versions. An entry without a visible change is omitted.
 */
export function compileHistory(plan: AuthorizedHistory, builder: StatementBuilder): string {
  const { scope, from } = rootScope(plan, builder);
  const present = keyConditions(plan.key, scope);
  const row = `from ${from}${whereSql(present)}`;
  const ownKey = arraySql(plan.key.map((column) => columnSql(column, scope.alias)));
  const sentKey = arraySql(
    plan.key.map((column, index) => builder.place({ kind: "KEY", index, column }, column.type)),
  );
  const seen = (alias: string): string | null =>
    allOf(
      plan.key.map((column) => `${columnSql(column, alias)} is not null`).join(" and "),
      rowsSql(versionScope(scope, alias)),
    );
  const past = `system.past_row(null::${quoteQualified(plan.relation.schema, plan.relation.name)}, ${entry}.old_row, ${entry}.layout_id)`;
  const own = [
    `${entry}.resource_id = ${quoteLiteral(plan.relation.resource.id)}::uuid`,
    `${entry}.row_key = k.key`,
    `system.is_row_history_layout(${entry}.layout_id)`,
  ];
  const entries = `select ${entry}.place, ${entrySql(plan, scope)} as entry
    from system.row_history ${entry}
    left join lateral ${past} ${before} on ${entry}.operation <> 'INSERT'
    left join lateral system.past_row(${before}.*, ${entry}.new_values, ${entry}.layout_id) ${after} on ${entry}.operation <> 'DELETE'
    cross join lateral ${changesSql(scope)} c${whereSql([
      ...["gate.ok", ...own],
      plan.isContinued
        ? `${entry}.place < ${builder.place({ kind: "CURSOR", index: 0, typeName: "bigint" }, builtInType("bigint"))}`
        : null,
      `(${entry}.operation = 'INSERT' or ${seen(before)})`,
      `(${entry}.operation = 'DELETE' or ${seen(after)})`,
      "c.list is not null",
    ])}
    order by ${entry}.place desc limit ${plan.limit}`;
  const last = `select ${seen(before)} from (
      select ${entry}.* from system.row_history ${entry}${whereSql(own)} order by ${entry}.place desc limit 1
    ) ${entry} cross join lateral ${past} ${before} where ${entry}.ends`;
  const readable = `exists (select 1 from ${from}${whereSql([...present, rowsSql(scope)])})
    or (not exists (select 1 ${row}) and (${last}))`;
  const next =
    plan.limit === 0
      ? "null::text"
      : `case when pg_catalog.count(*) = ${plan.limit} then ${arraySql(["pg_catalog.min(r.place)::text"])} end`;
  // Row security of the database itself cannot be evaluated on a past row.
  return `select gate.proof, gate.version, ${sizedSql("d.data", builder)}, d.next
from ${gatePlaceholder} cross join lateral (
  select coalesce((select ${ownKey} ${row}), ${sentKey}) as key offset 0
) k left join lateral (
  select coalesce(pg_catalog.json_agg(r.entry order by r.place desc)::text, '[]') as data, ${next} as next
  from (${entries}) r
  having gate.ok and not pg_catalog.row_security_active(${plan.relation.oid}) and (${readable})
) d on true`;
}

/** The scope of a past version of the row. */
function versionScope(scope: SqlScope, alias: string): SqlScope {
  return { ...scope, alias, joins: new Joins() };
}

function entrySql(plan: AuthorizedHistory, scope: SqlScope): string {
  return objectOf({
    id: `${entry}.id`,
    at: `${entry}.changed_at`,
    action: `case ${entry}.operation when 'INSERT' then 'CREATE' else ${entry}.operation end`,
    by: `case when ${entry}.user_id is not null then ${objectOf({
      id: `${entry}.user_id`,
      name: nameSql(plan, scope),
    })} end`,
    tokenId: `${entry}.token_id`,
    runId: `${entry}.run_id`,
    requestId: `${entry}.request_id`,
    changes: "c.list",
  });
}

/** Returns SQL for the name of the user of an entry, as far as the caller may read it in `system.users`. */
function nameSql({ people }: AuthorizedHistory, scope: SqlScope): string {
  const name = people?.fieldByName("name");
  if (people === null || name === undefined) return "null::text";
  const { sql, alias } = scope.builder.from(people.relation);
  const own: SqlScope = { ...versionScope(scope, alias), visible: people };
  const conditions = [rowsSql(own), fieldVisibleSql(own, name)];
  const where = whereSql([`${alias}.id = ${entry}.user_id`, ...conditions]);
  return `(select ${columnSql(name.column, alias)} from ${sql}${where})`;
}

/** Returns a subquery with the visible changes of an entry as `list`; null without any. */
function changesSql(scope: SqlScope): string {
  const [old, now] = [versionScope(scope, before), versionScope(scope, after)];
  const values = scope.visible.fields.map((field, index) => {
    const [was, is] = [old, now].map(({ alias }) => columnOutputSql(field.column, alias));
    const conditions = allOf(
      unlessSql("INSERT", fieldVisibleSql(old, field)),
      unlessSql("DELETE", fieldVisibleSql(now, field)),
      `${textOf(`${was}`)} is distinct from ${textOf(`${is}`)}`,
    );
    const change = objectOf({
      field: quoteLiteral(field.column.name),
      old: `${was}`,
      new: `${is}`,
    });
    return `(${index}, case when ${conditions} then ${change} end)`;
  });
  return `(
      select pg_catalog.json_agg(v.change order by v.place) as list
      from (values ${values.join(", ")}) v (place, change) where v.change is not null
    )`;
}

function unlessSql(operation: string, condition: string | null): string | null {
  return condition === null ? null : `(${entry}.operation = '${operation}' or ${condition})`;
}

/** Returns SQL for the JSON text of a value: a null of SQL and one of JSON are shown alike. */
function textOf(value: string): string {
  return `coalesce(pg_catalog.to_json(${value})::text, 'null')`;
}

function arraySql(values: readonly string[]): string {
  return `pg_catalog.json_build_array(${values.join(", ")})::text`;
}

function objectOf(members: Readonly<Record<string, string>>): string {
  const parts = Object.entries(members).map(([name, sql]) => `${quoteLiteral(name)}, ${sql}`);
  return `pg_catalog.json_build_object(${parts.join(", ")})`;
}
