import type { Queryable } from "@rowhouse/db";

const schemas = "n.nspname !~ '^pg_|^(information_schema|system|rowhouse_queue)$'";
const own = `with own as (select c.*, c.oid::regclass::text as id from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${schemas})`;

const linesSql = `${own}
select 'relation ' || id || concat_ws(' ', ' ', relkind, relpersistence, relispartition, relrowsecurity, relforcerowsecurity, reloftype::regtype) ||
  case when relkind = 'v' then coalesce((select string_agg(x, ',' order by x) from unnest(reloptions) x), '') else '' end as line from own where relkind in ('r', 'p', 'v', 'm')
union all select 'bound ' || id || pg_get_expr(relpartbound, oid) from own where relispartition
union all select 'key ' || id || pg_get_partkeydef(oid) from own where relkind = 'p'
union all select 'inherits ' || id || ' ' || i.inhparent::regclass from own join pg_inherits i on i.inhrelid = own.oid and relkind in ('r', 'p')
union all select concat_ws(' ', 'column', id, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, a.attcollation::regcollation, pg_get_expr(d.adbin, d.adrelid))
  from own join pg_attribute a on a.attrelid = own.oid and a.attnum > 0 and not a.attisdropped left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum where relkind in ('r', 'p', 'v', 'm', 'c')
union all select concat_ws(' ', 'constraint', id, c.conname, pg_get_constraintdef(c.oid), c.convalidated) from own join pg_constraint c on c.conrelid = own.oid where c.contype in ('p', 'u', 'f', 'c', 'x')
union all select 'index ' || pg_get_indexdef(i.indexrelid) || i.indisvalid::text from own join pg_index i on i.indrelid = own.oid
union all select 'trigger ' || pg_get_triggerdef(t.oid) || t.tgenabled::text from own join pg_trigger t on t.tgrelid = own.oid and not t.tgisinternal
union all select concat_ws(' ', 'policy', id, p.polname, p.polcmd, p.polpermissive, p.polroles, pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) from own join pg_policy p on p.polrelid = own.oid
union all select 'rule ' || pg_get_ruledef(r.oid) || r.ev_enabled::text from own join pg_rewrite r on r.ev_class = own.oid
union all select concat_ws(' ', 'sequence', id, s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache, s.seqcycle,
  (select concat(d.deptype, d.refobjid::regclass, d.refobjsubid) from pg_depend d where d.objid = own.oid and d.deptype in ('a', 'i'))) from own join pg_sequence s on s.seqrelid = own.oid
union all select concat_ws(' ', 'type', t.oid::regtype, t.typtype, format_type(t.typbasetype, t.typtypmod), t.typnotnull, t.typdefault, t.typcollation,
  (select string_agg(e.enumlabel, '|' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid),
  (select concat(r.rngsubtype::regtype, r.rngcollation, r.rngsubopc, r.rngsubdiff, r.rngmultitypid::regtype) from pg_range r where r.rngtypid = t.oid),
  (select string_agg(c.conname || pg_get_constraintdef(c.oid), ' ' order by c.conname) from pg_constraint c where c.contypid = t.oid and c.contype = 'c'))
  from pg_type t join pg_namespace n on n.oid = t.typnamespace where ${schemas} and t.typtype in ('d', 'r', 'e')
union all select 'function ' || pg_get_functiondef(p.oid) from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${schemas} and p.prokind <> 'a'
union all select concat_ws(' ', 'aggregate', p.oid::regprocedure, to_jsonb(a) - 'aggfnoid') from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_aggregate a on a.aggfnoid = p.oid where ${schemas}
union all select concat_ws(' ', 'comment', i.type, i.identity, d.description) from pg_description d, pg_identify_object(d.classoid, d.objoid, d.objsubid) i
  where i.identity !~ '^(pg_|system|rowhouse|information_schema)' and d.objoid >= 16384 and i.identity !~ ' on (system|pg_)' and i.type <> 'extension'
order by 1`;

/** Returns a line for each thing that the schemas of users have; two catalogues are equal if their lines are. */
export async function catalogueLines(database: Queryable): Promise<string[]> {
  return (await database.query<{ line: string }>(linesSql)).map(({ line }) => line);
}
