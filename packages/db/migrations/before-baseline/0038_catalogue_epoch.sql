-- A change of roles, grants, exposure or settings leaves the catalogue as it is. With 800 relations, reading the catalogue takes
-- a hundred times as long as reading the rest, so the epoch counts its changes apart.
alter table system.epoch add column catalogue integer not null default 0;

create function system.bump_catalogue() returns void
language sql as $$
  update system.epoch set value = value + 1, catalogue = catalogue + 1 where slot = pg_backend_pid() % 4
$$;

create or replace function system.after_ddl() returns event_trigger
language plpgsql security definer set search_path = pg_catalog, system, pg_temp as $$
begin
  if tg_tag = 'REFRESH MATERIALIZED VIEW' then return; end if;
  if not exists (select 1 from pg_event_trigger_ddl_commands()
                 where schema_name is distinct from 'pg_temp'
                   -- The queue's own tables are no resources; a relation that is moved there was one.
                   and (schema_name is distinct from 'rowhouse_queue' or tg_tag like 'ALTER %')) then
    return;
  end if;
  if tg_tag like 'ALTER %' then perform system.require_guards(); end if;
  perform system.sync_registry();
  perform system.bump_catalogue();
end $$;

create or replace function system.after_drop() returns event_trigger
language plpgsql security definer set search_path = pg_catalog, system, pg_temp as $$
begin
  if not exists (select 1 from pg_event_trigger_dropped_objects()
                 where not is_temporary and schema_name is distinct from 'rowhouse_queue') then return; end if;
  -- Dropping the system schema itself must not trip over its own trigger.
  if to_regclass('system.resources') is null or to_regclass('system.epoch') is null then return; end if;
  if exists (select 1 from pg_event_trigger_dropped_objects()
             where object_type in ('trigger', 'table', 'function') and address_names[1] = 'system') then
    perform system.require_guards();
  end if;
  perform system.sync_registry();
  perform system.bump_catalogue();
end $$;

create function system.bump_catalogue_after_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, system, pg_temp as $$
begin
  perform system.bump_catalogue();
  return null;
end $$;

-- Which relation a record belongs to is part of the catalogue; its exposure, label and description are not.
create trigger resources_catalogue after insert or delete or truncate or update of id, relation_oid, kind on system.resources
  for each statement execute function system.bump_catalogue_after_change();
