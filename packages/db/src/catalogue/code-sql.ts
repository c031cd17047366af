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
 * Returns common table expressions that find the code of the database's users in statements of relations. `code_rows` has the
 * JSON of one `CodeRow` for each relation. They are generous: a relation counts if PostgreSQL could run such code for some
 * statement of it. Functions of the schema `system` are the
 * service's own, and immutable functions in C of an extension (those of PostGIS or citext) leave nothing behind.
 *
 * `code_facts` has one row: `everywhere` if an operator, a cast or a trigger of the service's tables runs such code, and
 * `prepares` if the source of a function has the word PREPARE.
 *
 * A type counts if PostgreSQL could run such code for a value of it: for a domain, or for what contains its values.
 *
 * @param only returns a condition on the OID of a relation, beginning with `and`, or an empty text for all relations
 */
export const codeCtes = (only: (oid: string) => string): string => `
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
), code_sources as (
  select c.oid, false as only_writes
  from system.resources r join pg_catalog.pg_class c on c.oid = r.relation_oid
  where (c.relkind = 'f' or c.relrowsecurity)${only("c.oid")}
  union
  select i.indrelid, false from code_objects o join pg_catalog.pg_index i on i.indexrelid = o.objid
  where o.classid = 'pg_catalog.pg_class'::regclass${only("i.indrelid")}
  union
  select o.objid, false from code_objects o where o.classid = 'pg_catalog.pg_class'::regclass${only("o.objid")}
  union
  select w.ev_class, w.ev_type <> '1'
  from pg_catalog.pg_rewrite w
  join pg_catalog.pg_class c on c.oid = w.ev_class and c.relkind <> 'm'
  where w.oid >= 16384${only("w.ev_class")} and (w.ev_type <> '1' or pg_catalog.pg_column_size(w.ev_action) > ${queryBytesMax}
    or w.ev_action::text ~ (select f.pattern from code_facts f)
    or exists (select from code_objects o where o.classid = 'pg_catalog.pg_rewrite'::regclass and o.objid = w.oid))
  union
  select d.adrelid, a.attgenerated <> 'v'
  from pg_catalog.pg_attrdef d
  join pg_catalog.pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
  where (d.adbin::text ~ (select f.pattern from code_facts f)
    or exists (select from code_objects o where o.classid = 'pg_catalog.pg_attrdef'::regclass and o.objid = d.oid))${only("d.adrelid")}
  union
  select k.conrelid, true
  from pg_catalog.pg_constraint k
  where k.conrelid <> 0${only("k.conrelid")} and k.conbin is not null and (k.conbin::text ~ (select f.pattern from code_facts f)
    or exists (select from code_objects o where o.classid = 'pg_catalog.pg_constraint'::regclass and o.objid = k.oid))
  union
  select t.tgrelid, true
  from pg_catalog.pg_trigger t
  where not t.tgisinternal and t.tgenabled <> 'D'${only("t.tgrelid")} and (t.tgqual::text ~ (select f.pattern from code_facts f)
    or exists (select from code_objects o where o.classid = 'pg_catalog.pg_trigger'::regclass and o.objid = t.oid))
), code_links as (
  select s.oid, case when s.only_writes then 'writes' else 'reads' end as kind, s.oid::bigint as value from code_sources s
  union all
  select distinct w.ev_class, 'bases', d.refobjid::bigint
  from pg_catalog.pg_rewrite w
  join pg_catalog.pg_class v on v.oid = w.ev_class and v.relkind = 'v'
  join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_rewrite'::regclass and d.objid = w.oid
    and d.refclassid = 'pg_catalog.pg_class'::regclass
  where w.oid >= 16384${only("w.ev_class")}
  union all
  select h.inhrelid, 'parents', h.inhparent::bigint from pg_catalog.pg_inherits h where h.inhrelid >= 16384${only("h.inhrelid")}
  union all
  select distinct k.conrelid, 'cascades', k.confrelid::bigint from pg_catalog.pg_constraint k
  where k.contype = 'f' and (k.confdeltype in ('c', 'n', 'd') or k.confupdtype in ('c', 'n', 'd'))${only("k.conrelid")}
  union all
  -- The bits of the events after which a trigger runs such code: 4 for INSERT, 8 for DELETE, 16 for UPDATE, without BEFORE and INSTEAD OF.
  select distinct t.tgrelid, 'after', (t.tgtype & 28)::bigint
  from pg_catalog.pg_trigger t
  where not t.tgisinternal and t.tgenabled in ('O', 'A') and t.tgtype & 66 = 0 and t.tgtype & 28 <> 0
    and t.tgfoid = any ((select f.functions from code_facts f)::oid[])${only("t.tgrelid")}
  union all
  select i.indrelid, 'indexes', i.indexrelid::bigint from pg_catalog.pg_index i where i.indexrelid >= 16384${only("i.indrelid")}
), code_rows as (
  select l.oid, pg_catalog.json_object_agg(l.kind, l.list) as links
  from (select l.oid, l.kind, pg_catalog.json_agg(l.value) as list from code_links l group by l.oid, l.kind) l
  group by l.oid
)`;
