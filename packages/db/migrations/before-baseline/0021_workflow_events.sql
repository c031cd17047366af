-- Database events: what a workflow watches, and the outbox that the triggers on the user's tables write in the
-- transaction of the change (docs/decisions).

-- The table of a published version whose trigger is a database event. The columns are held by attribute number, so that
-- a renamed one stays watched and one that is dropped and added again does not.
create table system.workflow_watches (
  workflow_id uuid primary key references system.workflows (id) on delete cascade,
  -- Null once the table is gone; one of the same name that is made later is another one.
  resource_id uuid references system.resources (id) on delete set null,
  schema_name text not null,
  table_name text not null,
  -- The relation that the attribute numbers are of: another one than the resource's after a dump was restored.
  relation_oid oid not null,
  operations text[] not null check (cardinality(operations) > 0 and operations <@ array['INSERT', 'UPDATE', 'DELETE']),
  -- Updates count where one of these has another value; null for any.
  column_numbers smallint[],
  column_names text[]
);
create index workflow_watches_resource on system.workflow_watches (resource_id);

create table system.workflow_events (
  id bigint generated always as identity primary key,
  resource_id uuid not null,
  schema_name text not null,
  table_name text not null,
  operation text not null,
  old_row json,
  new_row json,
  changed text[] not null,
  -- Columns left out of the rows because of their size.
  omitted text[] not null,
  bytes integer not null,
  -- Those that watched at that moment.
  workflow_ids uuid[] not null,
  -- The run that made the change, and how many runs stand above those that follow from it.
  caused_by_run_id uuid,
  depth integer not null,
  occurred_at timestamptz not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor = 0.01);

alter table system.workflow_runs
  add column event_id bigint,
  add column caused_by_run_id uuid,
  drop constraint workflow_runs_origin_check,
  add constraint workflow_runs_origin_check check (origin in ('WEBHOOK', 'MANUAL', 'EVENT', 'WORKFLOW', 'TEST', 'AGAIN'));
create unique index workflow_runs_event on system.workflow_runs (event_id, workflow_id) where event_id is not null;

-- ---------------------------------------------------------------------------
-- Nothing about a row may make the statement fail that wrote it: a row without JSON of its own is null here.
create function system.event_json(item record) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  return to_json(item)::text;
exception when others then
  return null;
end $$;

-- As many columns of a long row as fit, the smallest first; `omitted` names the others. A row that cannot be taken apart,
-- or has no JSON at all, loses all.
create function system.bound_event_row(row_json text, relation oid, bytes_max integer, out kept text, out omitted text[])
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  if row_json is null then
    kept := '{}';
    omitted := system.event_columns(relation);
    return;
  end if;
  select coalesce(json_object_agg(key, value order by place) filter (where total <= bytes_max), '{}')::text,
         coalesce(array_agg(key order by place) filter (where total > bytes_max), '{}')
    into kept, omitted
    from (select key, value, place, sum(octet_length(key) + octet_length(value::text) + 8)
            over (order by octet_length(value::text), place) as total
          from json_each(row_json::json) with ordinality e (key, value, place)) part;
exception when others then
  kept := '{}';
  omitted := system.event_columns(relation);
end $$;

create function system.event_columns(relation oid) returns text[]
language sql stable as $$
  select coalesce(array_agg(a.attname::text order by a.attnum), '{}') from pg_catalog.pg_attribute a
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
$$;

-- The columns whose values differ. Where that cannot be told, all of them.
create function system.changed_columns(was text, is_now text, relation oid) returns text[]
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  if was = is_now then return '{}'; end if;
  if was is null or is_now is null then return system.event_columns(relation); end if;
  return coalesce((
    select array_agg(o.key order by o.place)
    from json_each(was::json) with ordinality o (key, value, place)
    join json_each(is_now::json) n (key, value) on n.key = o.key
    where o.value::text <> n.value::text), '{}');
exception when others then
  return system.event_columns(relation);
end $$;

-- Whom the transaction says it is written by: a run that has not ended. Its own workflow and those of the runs above it
-- do not hear of what it writes.
create function system.writing_run(out run_id uuid, out depth integer, out workflow_ids uuid[])
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  named text := current_setting('rowhouse.run', true);
begin
  workflow_ids := '{}';
  depth := -1;
  if named is null or named !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then return; end if;
  with recursive line (id, workflow_id, parent_run_id, depth) as (
    select r.id, r.workflow_id, r.parent_run_id, r.depth from system.workflow_runs r
    where r.id = named::uuid and r.finished_at is null
    union
    select r.id, r.workflow_id, r.parent_run_id, r.depth from line
    join system.workflow_runs r on r.id = line.parent_run_id
  )
  select max(line.id::text) filter (where line.id = named::uuid)::uuid, coalesce(max(line.depth), -1),
         coalesce(array_agg(distinct line.workflow_id), '{}')
    into run_id, depth, workflow_ids from line;
end $$;

-- The trigger of every watched table; its argument is the resource. It writes the outbox as the owner of the schema,
-- whoever wrote the row, and gives the writer nothing. The settings make the rows' texts the same for every session.
create function system.record_events() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp set timezone = 'UTC' set datestyle = 'ISO, MDY' set intervalstyle = 'iso_8601'
set bytea_output = 'hex' set extra_float_digits = '1' as $$
declare
  row_bytes_max constant integer := 1048576;
  watched record;
  written_by record;
  interested uuid[];
  -- By workflow, the names that the columns it asks for have now.
  by_columns jsonb;
  heard uuid[];
  olds refcursor;
  news refcursor;
  was record;
  is_now record;
  old_json text;
  new_json text;
  old_kept text;
  new_kept text;
  old_omitted text[];
  new_omitted text[];
  changed text[];
  has_written boolean := false;
begin
  select r.id, c.oid, n.nspname as schema_name, c.relname as table_name into watched
    from system.resources r join pg_class c on c.oid = r.relation_oid join pg_namespace n on n.oid = c.relnamespace
    where r.id = tg_argv[0]::uuid;
  select * into written_by from system.writing_run();
  select coalesce(array_agg(w.workflow_id) filter (where tg_op <> 'UPDATE' or w.column_numbers is null), '{}'),
         coalesce(jsonb_object_agg(w.workflow_id, (
             select coalesce(jsonb_agg(a.attname), '[]') from pg_attribute a
             where a.attrelid = w.relation_oid and a.attnum = any (w.column_numbers) and not a.attisdropped))
           filter (where tg_op = 'UPDATE' and w.column_numbers is not null), '{}')
    into interested, by_columns
    from system.workflow_watches w join system.workflows f on f.id = w.workflow_id and f.enabled
    where w.resource_id = watched.id and tg_op = any (w.operations) and w.workflow_id <> all (written_by.workflow_ids);
  if interested = '{}' and by_columns = '{}' then return null; end if;

  if tg_level = 'STATEMENT' then
    if tg_op <> 'INSERT' then open olds for select o.* from old_rows o; end if;
    if tg_op <> 'DELETE' then open news for select n.* from new_rows n; end if;
  else
    was := old;
    is_now := new;
  end if;
  loop
    -- One for one: a statement adds a row's old and new form to the two tables at once.
    if tg_level = 'STATEMENT' then
      if tg_op <> 'INSERT' then fetch olds into was; exit when not found; end if;
      if tg_op <> 'DELETE' then fetch news into is_now; exit when not found; end if;
    end if;
    if tg_op <> 'INSERT' then old_json := system.event_json(was); end if;
    if tg_op <> 'DELETE' then new_json := system.event_json(is_now); end if;
    changed := case when tg_op = 'UPDATE' then system.changed_columns(old_json, new_json, watched.oid) else '{}' end;
    heard := case when tg_op = 'UPDATE' and changed = '{}' then '{}' else interested end;
    if by_columns <> '{}' then
      heard := heard || array(select w.id::uuid from jsonb_each(by_columns) w (id, names) where w.names ?| changed);
    end if;
    if heard <> '{}' then
      old_kept := old_json;
      new_kept := new_json;
      old_omitted := '{}';
      new_omitted := '{}';
      if tg_op <> 'INSERT' and coalesce(octet_length(old_json) > row_bytes_max, true) then
        select b.kept, b.omitted into old_kept, old_omitted from system.bound_event_row(old_json, watched.oid, row_bytes_max) b;
      end if;
      if tg_op <> 'DELETE' and coalesce(octet_length(new_json) > row_bytes_max, true) then
        select b.kept, b.omitted into new_kept, new_omitted from system.bound_event_row(new_json, watched.oid, row_bytes_max) b;
      end if;
      insert into system.workflow_events (resource_id, schema_name, table_name, operation, old_row, new_row, changed, omitted,
          bytes, workflow_ids, caused_by_run_id, depth)
        values (watched.id, watched.schema_name, watched.table_name, tg_op, old_kept::json, new_kept::json, changed,
          array(select distinct o from unnest(old_omitted || new_omitted) o order by o),
          coalesce(octet_length(old_kept), 0) + coalesce(octet_length(new_kept), 0),
          heard, written_by.run_id, written_by.depth + 1);
      has_written := true;
    end if;
    exit when tg_level = 'ROW';
  end loop;
  if has_written then perform pg_notify('rowhouse_events', ''); end if;
  return null;
end $$;
-- Triggers fire without this right; to make one with an argument of one's own takes it.
revoke execute on function system.record_events() from public;

-- ---------------------------------------------------------------------------
-- The triggers as they are and as they should be. A statement's trigger is called once for any number of rows, but hears
-- nothing of what reaches a table by way of a parent: there each row has its own.
create view system.event_triggers as
  select t.tgrelid as relation_oid, t.tgname::text as name, case when t.tgname ~ '^rowhouse_[a-z]+_[0-9a-f-]{36}$' then right(t.tgname, 36)::uuid end as resource_id,
         case when t.tgtype & 4 <> 0 then 'INSERT' when t.tgtype & 8 <> 0 then 'DELETE' else 'UPDATE' end as operation,
         t.tgtype & 1 = 1 as for_each_row, t.tgenabled <> 'D' as is_on
  from pg_catalog.pg_trigger t
  where t.tgfoid = 'system.record_events()'::regprocedure and t.tgparentid = 0 and t.tgname ~ '^rowhouse_[a-z]+_[0-9a-f-]{36}$';

create view system.wanted_event_triggers as
  select distinct c.oid as relation_oid, format('rowhouse_%s_%s', lower(o.operation), r.id) as name, r.id as resource_id,
         o.operation, c.relkind = 'p' or exists (select 1 from pg_catalog.pg_inherits i where c.oid in (i.inhrelid, i.inhparent)) as for_each_row
  from system.workflow_watches w
  join system.workflows f on f.id = w.workflow_id and f.enabled
  join system.resources r on r.id = w.resource_id
  join pg_catalog.pg_class c on c.oid = r.relation_oid
  cross join unnest(w.operations) o (operation);

-- Brings the triggers of one resource into step. What is to go and cannot (the table is busy, or another's) does no harm:
-- it finds nobody who watches.
create function system.sync_event_triggers(resource uuid) returns void
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
    execute format('create trigger %I after %s on %s %s execute function system.record_events(%L)',
      item.name, item.operation, item.relation_oid::regclass,
      case when item.for_each_row then 'for each row'
        else 'referencing ' || concat_ws(' ', case when item.operation <> 'INSERT' then 'old table as old_rows' end,
          case when item.operation <> 'DELETE' then 'new table as new_rows' end) || ' for each statement' end,
      item.resource_id);
  end loop;
end $$;

-- What time brings: renamed columns and tables, restored dumps, tables that got a parent, triggers that somebody took
-- away or that were in the way when they should have gone.
create function system.mend_watches() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  item uuid;
begin
  update system.workflow_watches w
    set relation_oid = r.relation_oid, column_numbers = case when w.column_numbers is not null then array(
          select coalesce(a.attnum, 0) from unnest(w.column_names) with ordinality c (name, place)
          left join pg_attribute a on a.attrelid = r.relation_oid and a.attname = c.name and a.attnum > 0 and not a.attisdropped
          order by c.place) end
    from system.resources r where r.id = w.resource_id and r.relation_oid <> w.relation_oid;
  update system.workflow_watches w set schema_name = n.nspname, table_name = n.relname, column_names = n.names
    from (select x.workflow_id, s.nspname::text, c.relname::text, case when x.column_numbers is not null then array(
            select coalesce(a.attname, u.name) from unnest(x.column_numbers, x.column_names) with ordinality u (number, name, place)
            left join pg_attribute a on a.attrelid = x.relation_oid and a.attnum = u.number and not a.attisdropped
            order by u.place) end as names
          from system.workflow_watches x join system.resources r on r.id = x.resource_id
          join pg_class c on c.oid = r.relation_oid join pg_namespace s on s.oid = c.relnamespace) n
    where n.workflow_id = w.workflow_id
      and (w.schema_name, w.table_name, w.column_names) is distinct from (n.nspname, n.relname, n.names);
  for item in
    select coalesce(t.resource_id, w.resource_id)
    from system.event_triggers t
    full join system.wanted_event_triggers w on w.name = t.name and w.relation_oid = t.relation_oid and w.for_each_row = t.for_each_row
    where t.name is null or w.name is null
    group by 1
  loop
    begin
      perform system.sync_event_triggers(item);
    exception when lock_not_available or insufficient_privilege or undefined_table then
      null;
    end;
  end loop;
end $$;

-- Why a published workflow does not hear of all that it watches; null where it does.
create function system.workflow_problem(workflow uuid) returns text
language sql stable as $$
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
  where w.workflow_id = workflow
$$;
