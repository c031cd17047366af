-- Whether the service's login has only the rights in this schema that statements on rows need; another login has the rest.
alter table system.installation add column service_is_closed boolean not null default false;

-- The login that executes statements on users' tables: it owns the function that a start creates, if there are two.
create function system.service_login() returns name
language sql stable as $$
  select coalesce((
    select pg_catalog.pg_get_userbyid(p.proowner) from pg_catalog.pg_proc p
    where p.oid = pg_catalog.to_regprocedure('system.as_service(text,boolean,text[])')), current_user)
$$;

-- The service's login owns that function, and so could alter it: it would not work then, until the next start repairs it.
create or replace function system.require_guards() returns void
language plpgsql as $$
begin
  if exists (select 1 from system.guards() g where not exists (
      select 1 from pg_catalog.pg_trigger t
      where t.tgrelid = pg_catalog.to_regclass('system.' || g.relation_name::text) and t.tgname = g.trigger_name and t.tgenabled = 'A')) then
    raise exception using errcode = 'RH409', message = 'The guards of the system schema cannot be taken away';
  end if;
  if exists (select from system.installation i where i.service_is_closed and not exists (
      select from pg_catalog.pg_proc p
      where p.oid = pg_catalog.to_regprocedure('system.as_service(text,boolean,text[])') and p.prosecdef and p.proconfig is null)) then
    raise exception using errcode = 'RH409', message = 'The function system.as_service cannot be taken away';
  end if;
end $$;

-- TRUNCATE names no rows, so the history reads the table before it. Code of its owner, such as a policy, must not run with the rights
-- of this function: only a login that owns the table itself reads it.
do $do$
declare
  definition text := pg_get_functiondef('system.record_history()'::regprocedure);
  was constant text := 'if not has_table_privilege(tg_relid, ''select'') then return null; end if;';
begin
  if strpos(definition, was) = 0 then raise exception 'record_history has another definition'; end if;
  execute replace(definition, was,
    'if not pg_has_role(current_user, (select c.relowner from pg_class c where c.oid = tg_relid), ''usage'') then return null; end if;');
end $do$;

-- The service's login may create triggers with these functions: one on a table of somebody else must not record changes of another.
create function system.records_for(resource uuid, relation oid) returns boolean
language sql stable set search_path = pg_catalog, pg_temp as $$
  select exists (
    select from system.resources r
    where r.id = resource and (r.relation_oid = relation
      or r.relation_oid in (select a.relid::oid from pg_partition_ancestors(relation) a)))
$$;

do $do$
declare
  item record;
  definition text;
begin
  for item in
    select * from (values
      ('record_history', E'\nbegin\n', E'\nbegin\n  if not system.records_for(resource, tg_relid) then return null; end if;\n'),
      ('record_events', E'\nbegin\n', E'\nbegin\n  if not system.records_for(tg_argv[0]::uuid, tg_relid) then return null; end if;\n')) v (name, was, now)
  loop
    definition := pg_get_functiondef(('system.' || item.name || '()')::regprocedure);
    if strpos(definition, item.was) = 0 then raise exception '% has another definition', item.name; end if;
    execute overlay(definition placing item.now from strpos(definition, item.was) for length(item.was));
  end loop;
end $do$;
