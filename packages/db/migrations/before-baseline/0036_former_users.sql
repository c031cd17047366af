-- Runs keep the id of a user who is deleted; the name, as it was, is kept here for as long as a run mentions it.
create table system.former_users (
  id uuid primary key,
  name text not null,
  deleted_at timestamptz not null default clock_timestamp()
);

-- Deleting a user deleted the history of all runs that executed as them.
alter table system.workflow_runs
  drop constraint workflow_runs_execute_as_user_id_fkey,
  drop constraint workflow_runs_caller_user_id_fkey;

create function system.end_runs_of_user() returns trigger
language plpgsql security definer set search_path = pg_catalog, system, pg_temp as $$
begin
  insert into system.former_users (id, name)
  values (old.id, coalesce(nullif(old.name, ''), old.email)) on conflict (id) do nothing;
  -- A run before its parent: a worker that ends one locks them in this order.
  perform from system.workflow_runs where execute_as_user_id = old.id and finished_at is null
  order by depth desc, id for no key update;
  update system.workflow_runs
  set status = 'FAILED', result = null, finished_at = clock_timestamp(), lease_owner = null, lease_until = null,
      error = '{"code":"EXECUTE_AS_GONE","message":"The user that this run executes as was deleted","step":null}'
  where execute_as_user_id = old.id and finished_at is null;
  return null;
end $$;
create trigger users_end_runs after delete on system.users
  for each row execute function system.end_runs_of_user();

-- Why the published version cannot run as it should; null for a workflow that can.
create or replace function system.workflow_problem(workflow uuid) returns text
language sql stable as $$
  select coalesce((
    select case
      when c.oid is null then format('The table %s.%s is gone', w.schema_name, w.table_name)
      when lost.names is not null then format('The table %s.%s has lost %s', w.schema_name, w.table_name, lost.names)
      when f.enabled and exists (
        select 1 from system.wanted_event_triggers n
        where n.resource_id = w.resource_id and n.operation = any (w.operations) and not exists (
          select 1 from system.event_triggers t where t.name = n.name and t.relation_oid = n.relation_oid and t.is_on
            and t.for_each_row = n.for_each_row))
        then format('The table %s.%s has lost its trigger', w.schema_name, w.table_name)
      end
    from system.workflow_watches w
    join system.workflows f on f.id = w.workflow_id
    left join system.resources r on r.id = w.resource_id
    left join pg_catalog.pg_class c on c.oid = r.relation_oid
    left join lateral (
      select string_agg(u.name, ', ') as names from unnest(w.column_numbers, w.column_names) u (number, name)
      where not exists (select 1 from pg_catalog.pg_attribute a
        where a.attrelid = w.relation_oid and a.attnum = u.number and a.attnum > 0 and not a.attisdropped)) lost on true
    where w.workflow_id = workflow), (
    select case
      when p.id is null then 'The user that it executes as was deleted'
      when not p.active then 'The user that it executes as is not active' end
    from system.workflows f
    join system.workflow_versions v on v.id = f.published_version_id
    left join system.users p on p.id::text = v.definition #>> '{trigger,executeAs}'
    where f.id = workflow and v.definition #>> '{trigger,executeAs}' is not null))
$$;
