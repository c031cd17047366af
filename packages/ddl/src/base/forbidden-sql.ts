/**
 * Finds forbidden dependencies of the stored rule: functions outside pg_catalog that are not immutable, called
 * directly, by an operator or by an aggregate. The allowlist covers the functions of pg_catalog by name.
 */
export const forbiddenSql = (view: string): string => `
  with used as (
    select d.refclassid, d.refobjid from pg_catalog.pg_rewrite w
    join pg_catalog.pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
    where w.ev_class = ${view}
  ), called as (
    select u.refobjid as oid from used u where u.refclassid = 'pg_proc'::regclass
    union
    select o.oprcode from used u join pg_catalog.pg_operator o on o.oid = u.refobjid
    where u.refclassid = 'pg_operator'::regclass
  ), worked as (
    select oid as named, oid from called
    union
    select c.oid, p.oid from called c join pg_catalog.pg_aggregate a on a.aggfnoid = c.oid
    cross join pg_catalog.unnest(array[a.aggtransfn::oid, a.aggfinalfn::oid, a.aggcombinefn::oid, a.aggserialfn::oid,
      a.aggdeserialfn::oid, a.aggmtransfn::oid, a.aggminvtransfn::oid, a.aggmfinalfn::oid]) p (oid)
    where p.oid <> 0
  )
  select distinct pg_catalog.format('%s.%s', n.nspname, f.proname) as name
  from worked w
  join pg_catalog.pg_proc p on p.oid = w.oid
  join pg_catalog.pg_proc f on f.oid = w.named
  join pg_catalog.pg_namespace n on n.oid = f.pronamespace
  where p.provolatile <> 'i' or n.nspname in ('system', 'rowhouse_queue', 'information_schema')
  order by 1`;
