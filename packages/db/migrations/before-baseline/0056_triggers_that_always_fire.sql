-- `session_replication_role = replica` skips triggers that are enabled in the usual way: those that prove rights current, guard
-- the audit log, and record the changes of rows. A superuser may set it, and so may a function that a superuser owns.
do $$
declare
  item record;
begin
  for item in
    select t.tgrelid::regclass as relation, t.tgname as name
    from pg_catalog.pg_trigger t
    join pg_catalog.pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and t.tgenabled = 'O' and t.tgparentid = 0 and c.relnamespace = 'system'::regnamespace
  loop
    execute format('alter table %s enable always trigger %I', item.relation, item.name);
  end loop;
end $$;

-- As before, and each trigger fires always. Those of earlier builds follow when they are looked at next.
create or replace function system.sync_event_triggers(resource uuid) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  item record;
begin
  perform pg_advisory_xact_lock(7723118206);
  for item in
    select t.relation_oid, t.name from system.event_triggers t
    left join system.wanted_event_triggers w on w.name = t.name and w.relation_oid = t.relation_oid and w.for_each_row = t.for_each_row
    where t.resource_id = resource and w.name is null
  loop
    begin
      execute format('drop trigger %I on %s', item.name, item.relation_oid::regclass);
    exception when lock_not_available or insufficient_privilege then
      exit;
    end;
  end loop;
  for item in
    select w.* from system.wanted_event_triggers w
    left join system.event_triggers t on t.name = w.name and t.relation_oid = w.relation_oid
    where w.resource_id = resource and t.name is null
  loop
    execute format('create trigger %I %s %s on %s %s execute function system.%I(%L)',
      item.name, case when item.operation = 'TRUNCATE' then 'before' else 'after' end, item.operation, item.relation_oid::regclass,
      case when item.for_each_row then 'for each row'
        when item.operation = 'TRUNCATE' then 'for each statement'
        else 'referencing ' || concat_ws(' ', case when item.operation <> 'INSERT' then 'old table as old_rows' end,
          case when item.operation <> 'DELETE' then 'new table as new_rows' end) || ' for each statement' end,
      item.function_name, item.resource_id);
  end loop;
  for item in
    select t.relation_oid, t.name from system.event_triggers t
    join pg_catalog.pg_trigger g on g.tgrelid = t.relation_oid and g.tgname = t.name and g.tgenabled = 'O'
    where t.resource_id = resource
  loop
    begin
      execute format('alter table %s enable always trigger %I', item.relation_oid::regclass, item.name);
    exception when lock_not_available or insufficient_privilege then
      exit;
    end;
  end loop;
end $$;

create or replace function system.install_event_triggers() returns boolean
language plpgsql as $$
declare
  item record;
begin
  if not exists (select from pg_catalog.pg_event_trigger where evtname = 'rowhouse_after_ddl') then
    create event trigger rowhouse_after_ddl on ddl_command_end execute function system.after_ddl();
  end if;
  if not exists (select from pg_catalog.pg_event_trigger where evtname = 'rowhouse_after_drop') then
    create event trigger rowhouse_after_drop on sql_drop execute function system.after_drop();
  end if;
  for item in
    select evtname from pg_catalog.pg_event_trigger
    where evtname in ('rowhouse_after_ddl', 'rowhouse_after_drop') and evtenabled = 'O'
  loop
    execute format('alter event trigger %I enable always', item.evtname);
  end loop;
  return true;
exception when insufficient_privilege then
  return false;
end $$;
