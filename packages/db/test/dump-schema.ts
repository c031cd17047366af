import type { Queryable } from "../src/index.ts";

/**
 * The schema `system` as statements that create it in an empty database. Functions come before what calls them, and their
 * bodies are not checked. Event triggers are left out: `system.install_event_triggers()` creates them.
 */
const dumpSql = `
with recursive uses as (
  select distinct w.ev_class as view, c.oid as used
  from pg_depend d
  join pg_rewrite w on w.oid = d.objid and w.ev_class <> d.refobjid
  join pg_class c on c.oid = d.refobjid and c.relkind = 'v' and c.relnamespace = 'system'::regnamespace
  where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass
), depths (view, depth) as (
  select c.oid, 0 from pg_class c where c.relkind = 'v' and c.relnamespace = 'system'::regnamespace
  union
  select u.view, d.depth + 1 from uses u join depths d on d.view = u.used
)
select string_agg(part, E'\\n\\n' order by kind, name) || E'\\n' as dump from (
  select 0 as kind, '' as name, 'set local check_function_bodies = off;' as part
  union all
  select 1, c.relname::text,
    format(E'create %stable system.%I (\\n  %s\\n)%s;', case c.relpersistence when 'u' then 'unlogged ' else '' end, c.relname,
      string_agg(format('%I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
          case when a.attnotnull then ' not null' else '' end,
          case when a.attidentity = 'a' then ' generated always as identity'
            when s.expression not like '%system.%' then ' default ' || s.expression else '' end),
        E',\\n  ' order by a.attnum),
      ' with (' || array_to_string(c.reloptions, ', ') || ')') as part
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  left join lateral (select pg_get_expr(d.adbin, d.adrelid) as expression) s on true
  where c.relnamespace = 'system'::regnamespace and c.relkind = 'r' group by c.oid
  union all
  select 2, p.proname::text, pg_get_functiondef(p.oid) || ';'
    || case when has_function_privilege('public', p.oid, 'execute') then ''
      else format(E'\\nrevoke execute on function %s from public;', p.oid::regprocedure) end
  from pg_proc p where p.pronamespace = 'system'::regnamespace
  union all
  select 3, d.adrelid::regclass::text || a.attname,
    format('alter table %s alter column %I set default %s;', d.adrelid::regclass, a.attname, pg_get_expr(d.adbin, d.adrelid))
  from pg_attrdef d
  join pg_class c on c.oid = d.adrelid and c.relnamespace = 'system'::regnamespace
  join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
  where pg_get_expr(d.adbin, d.adrelid) like '%system.%'
  union all
  select 4, conrelid::regclass::text || conname,
    format('alter table %s add constraint %I %s;', conrelid::regclass, conname, pg_get_constraintdef(oid))
  from pg_constraint where connamespace = 'system'::regnamespace and contype = 'c'
  union all
  -- A write checks indexes, and a deletion follows foreign keys, in the order in which they were created.
  select 5, lpad(i.indexrelid::text, 10, '0'),
    case when k.oid is null then pg_get_indexdef(i.indexrelid) || ';'
      else format('alter table %s add constraint %I %s;', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) end
  from pg_index i
  join pg_class c on c.oid = i.indexrelid and c.relnamespace = 'system'::regnamespace
  left join pg_constraint k on k.conindid = i.indexrelid and k.contype in ('p', 'u')
  union all
  select 6, lpad(oid::text, 10, '0'),
    format('alter table %s add constraint %I %s;', conrelid::regclass, conname, pg_get_constraintdef(oid))
  from pg_constraint where connamespace = 'system'::regnamespace and contype = 'f'
  union all
  select 7, max(d.depth) || c.relname::text, format(E'create view system.%I as\\n%s', c.relname, pg_get_viewdef(c.oid))
  from pg_class c join depths d on d.view = c.oid group by c.oid
  union all
  select 8, t.tgrelid::regclass::text || t.tgname, format(E'%s;%s', pg_get_triggerdef(t.oid),
    case t.tgenabled when 'O' then '' else format(E'\\nalter table %s enable always trigger %I;', t.tgrelid::regclass, t.tgname) end)
  from pg_trigger t join pg_class c on c.oid = t.tgrelid where c.relnamespace = 'system'::regnamespace and not t.tgisinternal
  union all
  select 9, o.identity, format('comment on %s %s is %L;',
    case o.type when 'table column' then 'column' when 'table constraint' then 'constraint' else o.type end, o.identity, d.description)
  from pg_description d cross join lateral pg_identify_object(d.classoid, d.objoid, d.objsubid) o
  where o.identity ~ '(^|on )system[.]'
  union all
  select 10, '', format(E'insert into system.epoch (slot, value) select slot, 1 from generate_series(0, 3) slot;
insert into system.installation (self_oid, serves_from) values (''system.installation''::regclass, %s);', serves_from)
  from system.installation
  union all
  select 11, 'roles', format('insert into system.roles (name, description, api_access, token_creation, is_administrators) values (%L, %L, %L, %L, %L);',
    name, description, api_access, token_creation, is_administrators)
  from system.roles
  union all
  select 11, 'users', format('insert into system.users (email, name, is_system) values (%L, %L, %L);', email, name, is_system)
  from system.users
  union all
  select 11, 'sweeps ' || prefix, format('insert into system.object_sweeps (prefix) values (%L);', prefix) from system.object_sweeps
  union all
  select 11, 'templates ' || key || ' ' || language,
    format('insert into system.templates (key, language, subject, text, html) values (%L, %L, %L, %L, %L);', key, language, subject, text, html)
  from system.templates
) parts`;

/** Returns the text of `schema.sql` for a database without rows of its own. */
export async function dumpSchema(database: Queryable): Promise<string> {
  const [row] = await database.query<{ dump: string }>(dumpSql);
  return `-- What all migrations create, for a new database. Written by schema.test.ts; update it with vitest's --update.\n\n${row?.dump}`;
}
