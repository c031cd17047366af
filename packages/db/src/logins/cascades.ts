import { createError } from "@rowhouse/errors";
import type { Transaction } from "../queryable.ts";
import { readPostgresFailure } from "../sqlstate.ts";
import { referredTables } from "./login-privileges.ts";

export type ReferredTable = (typeof referredTables)[number];

/** Whether users' tables may refer to a table of the schema `system`. */
export function isReferredTable(name: string): name is ReferredTable {
  return referredTables.some((one) => one === name);
}

/**
 * Proves that the deletion of rows of a table of the schema `system` runs no code of the database's users: PostgreSQL runs
 * the triggers after a cascade with the rights of the login that deletes. The tables that the deletion reaches are locked
 * until the end of the transaction, so that they get no such code meanwhile.
 *
 * @param transaction of the login that keeps the schema `system`
 * @param mayName whether the caller may learn the names of triggers and tables
 * @throws AppError CONFLICT for a deletion that reaches a trigger, a rule or an expression
 */
export async function requireHarmlessDeletion(
  transaction: Transaction,
  table: ReferredTable,
  mayName: boolean,
): Promise<void> {
  if (transaction.asService === transaction) return;
  // A new foreign key would wait for this lock.
  await transaction.query(`lock table system.${table} in row exclusive mode`);
  const tables = await transaction.query<{ name: string }>(reachedSql, [table]);
  if (tables.length === 0) return;
  const names = tables.map(({ name }) => name).join(", ");
  try {
    await transaction.asService.query(`lock table ${names} in row exclusive mode`);
  } catch (error) {
    if (readPostgresFailure(error)?.code !== "42501") throw error;
    throw refusal(mayName ? `the service may not lock ${names}` : undefined, error);
  }
  const [first] = await transaction.query<{ code: string }>(codeSql, [table]);
  if (first !== undefined) throw refusal(mayName ? first.code : undefined);
}

function refusal(reason: string | undefined, cause?: unknown): Error {
  const message = `The deletion would run code of the database with the rights of the service${reason === undefined ? "" : `: ${reason}`}. Delete the rows that refer to it first, and remove ON DELETE from their foreign key`;
  return createError("CONFLICT", { message, cause });
}

/** By which events each table is reached from `$1`: 8 for DELETE, 16 for UPDATE, as in `pg_trigger.tgtype`. */
const reached = `with recursive reached (oid, event) as (
  select r.oid, r.event from (
    select k.conrelid as oid, case k.confdeltype when 'c' then 8 else 16 end as event
    from pg_catalog.pg_constraint k
    where k.contype = 'f' and k.confdeltype in ('c', 'n', 'd') and k.confrelid = (
      select c.oid from pg_catalog.pg_class c where c.relnamespace = 'system'::regnamespace and c.relname = $1::text)) r
  union
  select n.oid, n.event from reached r cross join lateral (
    select k.conrelid as oid, case when r.event = 8 and k.confdeltype = 'c' then 8 else 16 end as event
    from pg_catalog.pg_constraint k
    where k.contype = 'f' and k.confrelid = r.oid
      and (r.event = 8 and k.confdeltype in ('c', 'n', 'd') or r.event = 16 and k.confupdtype in ('c', 'n', 'd'))
    union all
    select h.inhrelid, r.event from pg_catalog.pg_inherits h where h.inhparent = r.oid) n
), outside as (
  select c.oid, r.event from reached r join pg_catalog.pg_class c on c.oid = r.oid
  where c.relnamespace <> 'system'::regnamespace and c.relkind in ('r', 'p', 'f')
)`;

const reachedSql = `${reached}
select distinct o.oid::regclass::text as name from outside o order by 1`;

const codeSql = `${reached}, own as (
  select p.oid from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname = 'system' and p.proname in ('record_events', 'record_history')
), objects as (
  select o.oid, d.classid, d.objid
  from outside o join pg_catalog.pg_depend d on d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid = o.oid
  where o.event = 16 and d.classid in ('pg_catalog.pg_constraint'::regclass, 'pg_catalog.pg_attrdef'::regclass)
  union
  select o.oid, 'pg_catalog.pg_class'::regclass, i.indexrelid
  from outside o join pg_catalog.pg_index i on i.indrelid = o.oid where o.event = 16
)
select pg_catalog.format('trigger %I on %s', t.tgname, o.oid::regclass) as code
from outside o join pg_catalog.pg_trigger t on t.tgrelid = o.oid
where not t.tgisinternal and t.tgenabled <> 'D' and t.tgtype & o.event <> 0 and t.tgfoid not in (select own.oid from own)
union all
select pg_catalog.format('rule %I on %s', w.rulename, o.oid::regclass)
from outside o join pg_catalog.pg_rewrite w on w.ev_class = o.oid
where w.ev_type = case o.event when 8 then '4' else '2' end
union all
select pg_catalog.format('an expression of %s', o.oid::regclass)
from objects o join pg_catalog.pg_depend d on d.classid = o.classid and d.objid = o.objid
where d.refclassid in ('pg_catalog.pg_proc'::regclass, 'pg_catalog.pg_type'::regclass, 'pg_catalog.pg_operator'::regclass)
  and d.refobjid >= 16384
union all
select pg_catalog.format('the type of a column of %s', o.oid::regclass)
from outside o join pg_catalog.pg_attribute a on a.attrelid = o.oid and a.attnum > 0 and not a.attisdropped
  join pg_catalog.pg_type t on t.oid = a.atttypid
where o.event = 16 and t.oid >= 16384 and t.typtype = 'd'
union all
select pg_catalog.format('the foreign table %s', o.oid::regclass) from outside o join pg_catalog.pg_class c on c.oid = o.oid and c.relkind = 'f'
limit 1`;
