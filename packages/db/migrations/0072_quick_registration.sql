-- DDL that names ordinary tables compares those alone with the registry. Before, each statement compared every relation, so that
-- many statements in one transaction took a time that grew with the square of their number.

-- Every view has a rule, and so has any other relation that secret_views can contain.
create or replace view system.registrable_relations as
select c.oid as relation_oid, n.nspname::text as schema_name, c.relname::text as relation_name,
  case when c.relkind in ('v', 'm') then 'VIEW'::text else 'TABLE'::text end as kind
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'f', 'v', 'm') and c.relpersistence <> 't'
  and n.nspname !~ '^pg_'::text and n.nspname not in ('information_schema', 'rowhouse_queue')
  and (n.nspname <> 'system' or c.relname in ('users', 'roles', 'role_members', 'templates', 'files', 'folders'))
  and (not c.relhasrules or c.oid not in (select s.view_oid from system.secret_views s));

-- Registers the new tables among these relations. Returns false, and registers none, if sync_registry has to compare all: after a
-- restore, for what is renamed or dropped, and for a relation with a rule, which can make others secret. Its plan is the same for each
-- call; planning it takes longer than executing it.
create function system.register_tables(named oid[]) returns boolean
language plpgsql
set search_path = pg_catalog, system, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  if not exists (select from installation where self_oid = 'system.installation'::regclass::oid) or exists (
    with recursive lines (oid) as (
      select n from unnest(named) n
      union
      select h.inhrelid from lines l join pg_inherits h on h.inhparent = l.oid
    )
    select from lines l
    left join lateral (select relhasrules from pg_class c where c.oid = l.oid offset 0) c on true
    left join lateral (select id, schema_name, relation_name, kind from resources r where r.relation_oid = l.oid offset 0) r on true
    left join lateral (
      select schema_name, relation_name, kind from registrable_relations s where s.relation_oid = l.oid offset 0) s on true
    where c.relhasrules is distinct from false
      or r.id is not null and (
        (s.schema_name, s.relation_name, s.kind) is distinct from (r.schema_name, r.relation_name, r.kind)
        or exists (
          select from (
            select gc.attribute_number, gc.column_name from grant_columns gc where gc.path_resource_id = r.id
            union all
            select gc.attribute_number, gc.column_name from grants g join grant_columns gc on gc.grant_id = g.id
              where g.resource_id = r.id and gc.path_resource_id is null
            union all
            select rc.attribute_number, rc.column_name from resource_columns rc where rc.resource_id = r.id
            union all
            select rc.attribute_number, rc.column_name from reading_columns rc where rc.path_resource_id = r.id) m
          where m.column_name <> coalesce((select a.attname::text from pg_attribute a
            where a.attrelid = l.oid and a.attnum = m.attribute_number and not a.attisdropped), '')))) then
    return false;
  end if;
  insert into resources (relation_oid, schema_name, relation_name, kind)
    select s.relation_oid, s.schema_name, s.relation_name, s.kind from registrable_relations s
    where s.relation_oid = any (named) and not exists (select from resources r where r.relation_oid = s.relation_oid);
  return true;
end $$;

-- Registers what DDL has created, renamed or dropped, and counts the change.
create or replace function system.register_ddl(named oid[], concerns_all boolean) returns void
language plpgsql
set search_path = pg_catalog, system, pg_temp as $$
begin
  if concerns_all or not register_tables(named) then perform sync_registry(); end if;
  if concerns_all then
    perform bump_epoch();
    perform bump_catalogue();
  elsif named <> '{}' then
    perform note_change(named);
  end if;
end $$;

alter function system.note_change(oid[]) set plan_cache_mode = force_generic_plan;
