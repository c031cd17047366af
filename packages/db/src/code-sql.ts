/**
 * Built-in functions that leave something in a session, run a text as a statement, or read a text as any type. Expressions of PostgreSQL's own
 * functions depend on nothing that `pg_depend` records, so their stored trees are searched.
 */
const sessionFunctions = [
  "set_config",
  "setseed",
  "pg_advisory_lock",
  "pg_advisory_lock_shared",
  "pg_try_advisory_lock",
  "pg_try_advisory_lock_shared",
  "pg_input_is_valid",
  "pg_input_error_info",
  "ts_stat",
  "ts_rewrite",
  "query_to_xml",
  "query_to_xmlschema",
  "query_to_xml_and_xmlschema",
  "cursor_to_xml",
  "cursor_to_xmlschema",
  "table_to_xml",
  "table_to_xml_and_xmlschema",
  "schema_to_xml",
  "schema_to_xml_and_xmlschema",
  "database_to_xml",
  "database_to_xml_and_xmlschema",
];

/** A larger stored query counts as one that runs code, in bytes as stored; a search of it would take milliseconds. */
const queryBytesMax = 20_000;

/**
 * Common table expressions that find the relations whose statements can run code of the database's users:
 * `code_reach` has the relations whose reads and those whose writes can, in arrays. It is generous: a
 * relation counts if PostgreSQL could run such code for some statement of it. Functions of the schema `system` are the
 * service's own, and immutable functions in C of an extension (those of PostGIS or citext) leave nothing behind.
 *
 * `code_facts` has one row: `everywhere` if an operator, a cast or a trigger of the service's tables runs such code, and
 * `prepares` if the source of a function has the word PREPARE.
 *
 * A type counts if PostgreSQL could run such code for a value of it: for a domain, or for what contains its values.
 */
export const codeCtes = `
own_code as materialized (
  select coalesce(pg_catalog.array_agg(p.oid), '{}') as functions,
    coalesce(bool_or(p.prosrc ~* '\\mprepare\\M'), false) as prepares
  from pg_catalog.pg_proc p
  -- OIDs below this belong to a new cluster.
  where p.oid >= 16384 and p.pronamespace <> 'system'::regnamespace
    and not (p.prolang = (select l.oid from pg_catalog.pg_language l where l.lanname = 'c')
      and (p.provolatile = 'i' or p.proname in ('uuid_generate_v1', 'uuid_generate_v1mc', 'uuid_generate_v4', 'gen_random_uuid', 'gen_random_bytes'))
      and exists (select from pg_catalog.pg_depend e
        where e.classid = 'pg_catalog.pg_proc'::regclass and e.objid = p.oid and e.deptype = 'e'))
    -- PostgreSQL makes the constructors and the cast of each range type.
    and not exists (select from pg_catalog.pg_depend e
      where e.classid = 'pg_catalog.pg_proc'::regclass and e.objid = p.oid and e.refclassid = 'pg_catalog.pg_type'::regclass and e.deptype = 'i')
), code_facts as materialized (
  select o.prepares, o.functions,
    exists (select from pg_catalog.pg_operator x where x.oid >= 16384 and x.oprcode = any (o.functions))
      or exists (select from pg_catalog.pg_cast k where k.oid >= 16384 and k.castfunc = any (o.functions))
      or exists (select from pg_catalog.pg_amproc a where a.oid >= 16384 and a.amproc = any (o.functions))
      or exists (select from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid
        where c.relnamespace = 'system'::regnamespace and not t.tgisinternal and t.tgfoid = any (o.functions)) as everywhere,
    -- PostgreSQL records no dependency on the type that JSON_VALUE or JSON_QUERY returns.
    (select ':use_json_coercion true|:(func|opfunc|aggfn|winfn)o?id (' || string_agg(p.oid::text, '|') || ') '
     from pg_catalog.pg_proc p
     where p.pronamespace = 'pg_catalog'::regnamespace and p.proname = any ('{${sessionFunctions.join(",")}}')) as pattern
  from own_code o
), code_callers as materialized (
  select distinct d.classid, d.objid
  from pg_catalog.pg_depend d
  where d.refclassid = 'pg_catalog.pg_proc'::regclass and d.refobjid = any ((select f.functions from code_facts f)::oid[])
), code_types (oid) as (
  select k.contypid
  from pg_catalog.pg_constraint k
  where k.contypid <> 0 and (k.conbin::text ~ (select f.pattern from code_facts f)
    or exists (select from code_callers o where o.classid = 'pg_catalog.pg_constraint'::regclass and o.objid = k.oid))
  union
  select t.oid from pg_catalog.pg_type t
  where t.typdefaultbin is not null and (t.typdefaultbin::text ~ (select f.pattern from code_facts f)
    or exists (select from code_callers o where o.classid = 'pg_catalog.pg_type'::regclass and o.objid = t.oid))
  union
  -- Its arrays, ranges and domains, the rows with such a value, and domains whose check casts to it.
  select coalesce(c.reltype, k.contypid, d.objid)
  from code_types t
  join pg_catalog.pg_depend d on d.refclassid = 'pg_catalog.pg_type'::regclass and d.refobjid = t.oid
    and d.classid in ('pg_catalog.pg_type'::regclass, 'pg_catalog.pg_class'::regclass, 'pg_catalog.pg_constraint'::regclass)
  left join pg_catalog.pg_class c on d.classid = 'pg_catalog.pg_class'::regclass and c.oid = d.objid
  left join pg_catalog.pg_constraint k on d.classid = 'pg_catalog.pg_constraint'::regclass and k.oid = d.objid
), code_objects as materialized (
  select o.classid, o.objid from code_callers o
  union
  -- Relations with a column of such a type, and expressions that cast to it.
  select d.classid, d.objid
  from pg_catalog.pg_depend d
  where d.refclassid = 'pg_catalog.pg_type'::regclass
    and d.refobjid = any ((select pg_catalog.array_agg(t.oid) from code_types t where t.oid <> 0)::oid[])
), code_sources as materialized (
  select c.oid, false as only_writes
  from system.resources r join pg_catalog.pg_class c on c.oid = r.relation_oid
  where c.relkind = 'f' or c.relrowsecurity
  union
  select i.indrelid, false from code_objects o join pg_catalog.pg_index i on i.indexrelid = o.objid
  where o.classid = 'pg_catalog.pg_class'::regclass
  union
  select o.objid, false from code_objects o where o.classid = 'pg_catalog.pg_class'::regclass
  union
  select w.ev_class, w.ev_type <> '1'
  from pg_catalog.pg_rewrite w
  join pg_catalog.pg_class c on c.oid = w.ev_class and c.relkind <> 'm'
  where w.oid >= 16384 and (w.ev_type <> '1' or pg_catalog.pg_column_size(w.ev_action) > ${queryBytesMax}
    or w.ev_action::text ~ (select f.pattern from code_facts f)
    or exists (select from code_objects o where o.classid = 'pg_catalog.pg_rewrite'::regclass and o.objid = w.oid))
  union
  select d.adrelid, a.attgenerated <> 'v'
  from pg_catalog.pg_attrdef d
  join pg_catalog.pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
  where d.adbin::text ~ (select f.pattern from code_facts f)
    or exists (select from code_objects o where o.classid = 'pg_catalog.pg_attrdef'::regclass and o.objid = d.oid)
  union
  select k.conrelid, true
  from pg_catalog.pg_constraint k
  where k.conrelid <> 0 and k.conbin is not null and (k.conbin::text ~ (select f.pattern from code_facts f)
    or exists (select from code_objects o where o.classid = 'pg_catalog.pg_constraint'::regclass and o.objid = k.oid))
  union
  select t.tgrelid, true
  from pg_catalog.pg_trigger t
  where not t.tgisinternal and t.tgenabled <> 'D' and (t.tgqual::text ~ (select f.pattern from code_facts f)
    or exists (select from code_objects o where o.classid = 'pg_catalog.pg_trigger'::regclass and o.objid = t.oid))
), code_paths as materialized (
  -- What also runs the code of a statement on \`source\`: a view's, that of a table with children or partitions, and that of a
  -- row whose change changes the rows that refer to it.
  select d.refobjid as source, w.ev_class as target, false as only_writes
  from pg_catalog.pg_rewrite w
  join pg_catalog.pg_class v on v.oid = w.ev_class and v.relkind = 'v'
  join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_rewrite'::regclass and d.objid = w.oid
    and d.refclassid = 'pg_catalog.pg_class'::regclass
  where w.oid >= 16384
  union
  select h.inhrelid, h.inhparent, false from pg_catalog.pg_inherits h
  union
  select k.conrelid, k.confrelid, true from pg_catalog.pg_constraint k
  where k.contype = 'f' and (k.confdeltype in ('c', 'n', 'd') or k.confupdtype in ('c', 'n', 'd'))
), code_relations as (
  -- Arrays, which the planner estimates at ten rows; it would estimate the sets at millions.
  select s.oid, s.only_writes
  from (select pg_catalog.array_agg(c.oid) as oids, pg_catalog.array_agg(c.only_writes) as flags from code_sources c) a
  cross join lateral unnest(a.oids, a.flags) s (oid, only_writes)
  union
  select p.target, s.only_writes or p.only_writes
  from code_relations s join code_paths p on p.source = s.oid
), code_reach as materialized (
  select coalesce(pg_catalog.array_agg(c.oid) filter (where not c.only_writes), '{}') as reads, coalesce(pg_catalog.array_agg(c.oid), '{}') as writes
  from code_relations c
), after_relations as (
  -- The bits of the events after which a trigger runs such code: 4 for INSERT, 8 for DELETE, 16 for UPDATE, without BEFORE and INSTEAD OF.
  select t.tgrelid as oid, t.tgtype & 28 as events
  from pg_catalog.pg_trigger t
  where not t.tgisinternal and t.tgenabled in ('O', 'A') and t.tgtype & 66 = 0 and t.tgtype & 28 <> 0
    and t.tgfoid = any ((select f.functions from code_facts f)::oid[])
  union
  select h.inhparent, a.events from after_relations a join pg_catalog.pg_inherits h on h.inhrelid = a.oid
), code_after as materialized (
  select a.oid, bit_or(a.events) as events from after_relations a group by a.oid
)`;
