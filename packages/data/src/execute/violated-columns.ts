import { isOfUserCode, type PostgresFailure, type Queryable, type Relation } from "@rowhouse/db";

/** The columns of a violated constraint, as they are named in the table that a statement writes. */
export interface ViolatedColumns {
  /** Those of the table's own constraint, in its order; also those within its expressions. */
  readonly own: readonly string[];
  /** Those that a foreign key refers to, of a row that other rows refer to. */
  readonly referenced: readonly string[];
}

/**
 * Finds the columns of the constraint that a write violates: a check, a key, a unique index, an exclusion or a foreign
 * key, of the table itself or of its partition. Undefined if the failure is that of another table.
 *
 * @param on not the transaction that failed
 */
export async function findViolatedColumns(
  failure: PostgresFailure,
  relation: Relation,
  on: Queryable,
): Promise<ViolatedColumns | undefined> {
  const { code, schema, table, constraint, column } = failure;
  // A trigger, or the action of a foreign key, may write to a table of the same name, or other rows of this one.
  if (schema === undefined || isOfUserCode(failure)) return undefined;
  if (table === undefined) {
    // PostgreSQL names the domain that takes no null, and not the column.
    const required = relation.columns.filter(({ type, nullable }) => type.domain && !nullable);
    return { own: code === "23502" ? required.map(({ name }) => name) : [], referenced: [] };
  }
  if (column !== undefined && schema === relation.schema && table === relation.name) {
    return { own: [column], referenced: [] };
  }
  const parameters = [schema, table, constraint ?? null, String(relation.oid)];
  const [row] = await on.query<{ found: string }>(violatedSql, parameters);
  if (row === undefined) return undefined;
  const found = JSON.parse(row.found) as ViolatedColumns & { readonly isOwn: boolean };
  const { isOwn, referenced } = found;
  if (!isOwn && referenced.length === 0) return undefined;
  return { own: isOwn ? (column === undefined ? found.own : [column]) : [], referenced };
}

/** The table with the OID is `family.oid` itself, or one that it inherits from. */
const ancestorsSql = (oid: string) => `with recursive family (oid) as (
      select ${oid} union
      select h.inhparent from family f join pg_catalog.pg_inherits h on h.inhrelid = f.oid)
    select 1 from family f where f.oid = $4::oid`;

/** Names of columns by their numbers; the columns of a partition have the names of those of its table. */
const namesSql = (relation: string, numbers: string) => `array(
    select a.attname::text from (
      select n.number, pg_catalog.min(n.position) as position
      from pg_catalog.unnest(${numbers}) with ordinality n (number, position) group by n.number) n
    join pg_catalog.pg_attribute a on a.attrelid = ${relation} and a.attnum = n.number order by n.position)`;

/** An index has the columns of its expressions in their stored form alone. */
const violatedSql = `with failed as (
  select c.oid from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1::text and c.relname = $2::text
), violated as (
  select k.contype, k.conindid as index, k.conkey::int2[] as numbers, k.confrelid, k.confkey::int2[] as far
  from failed join pg_catalog.pg_constraint k on k.conrelid = failed.oid and k.conname = $3::text
  union all
  select 'x', i.indexrelid, null, 0, null
  from failed join pg_catalog.pg_index i on i.indrelid = failed.oid
  join pg_catalog.pg_class c on c.oid = i.indexrelid and c.relname = $3::text
  where not exists (select from pg_catalog.pg_constraint k where k.conrelid = failed.oid and k.conname = $3::text)
), columns as (
  select v.confrelid, v.far, case when v.contype in ('c', 'f', 'n') then v.numbers else
    (i.indkey::int2[])[0:i.indnkeyatts - 1] || array(
      select m.match[1]::int2 from pg_catalog.regexp_matches(i.indexprs::text, ':varattno ([0-9]+)', 'g') m (match)) end as numbers
  from violated v left join pg_catalog.pg_index i on i.indexrelid = v.index
)
select pg_catalog.json_build_object(
  'isOwn', exists (${ancestorsSql("failed.oid")}),
  'own', coalesce((select ${namesSql("failed.oid", "c.numbers")} from columns c limit 1), '{}'),
  'referenced', coalesce((select ${namesSql("c.confrelid", "c.far")} from columns c
    where exists (${ancestorsSql("c.confrelid")}) limit 1), '{}'))::text as found
from failed`;
