-- Row history: a trigger writes each change of a table whose resource has `history`, whichever client makes the change.
alter table system.resources add column history boolean not null default false;

-- The names and numbers of the columns of a table, and those of its key, at the time of its entries. An entry names
-- columns as they were stored (`stored_names`); a rename changes `column_names` alone, by which a restored dump is bound
-- again. A lost column has the number 0.
create table system.row_history_layouts (
  id bigint generated always as identity primary key,
  resource_id uuid not null references system.resources (id) on delete cascade,
  relation_oid oid not null,
  stored_names text[] not null,
  column_names text[] not null,
  column_numbers smallint[] not null,
  key_numbers smallint[] not null
);
create index row_history_layouts_resource on system.row_history_layouts (resource_id);

-- One change of one row. No foreign keys: entries outlast their table, user, token and run, and a change of them must
-- not wait for a long history.
create table system.row_history (
  place bigint generated always as identity primary key,
  id uuid not null default gen_random_uuid(),
  resource_id uuid not null,
  layout_id bigint not null,
  -- The values of the key, as a JSON array.
  row_key text not null,
  operation text not null check (operation in ('INSERT', 'UPDATE', 'DELETE')),
  -- Whether no row has the key after this change: it was deleted, or has another key.
  ends boolean not null,
  -- The whole row before the change, so that today's row filters can be evaluated on it.
  old_row json,
  -- The columns that the change set: all of an INSERT, those that differ of an UPDATE.
  new_values json,
  changed_at timestamptz not null default clock_timestamp(),
  user_id uuid,
  token_id uuid,
  run_id uuid,
  request_id text
);
create index row_history_key on system.row_history (resource_id, row_key, place desc);
create index row_history_age on system.row_history (changed_at);

-- The layout of a table; `id` is null if it has no primary key, or no history any longer.
create function system.row_history_layout(resource uuid, out id bigint, out relation_oid oid, out key_names text[])
language plpgsql as $$
declare
  names text[];
  numbers smallint[];
  keys smallint[];
begin
  select i.indrelid, string_to_array(i.indkey::text, ' ')::smallint[],
         array(select a.attname::text from unnest(i.indkey::smallint[]) with ordinality k (number, place)
               join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number order by k.place)
    into relation_oid, keys, key_names
    from system.resources r join pg_index i on i.indrelid = r.relation_oid and i.indisprimary
    where r.id = resource and r.history;
  if not found then return; end if;
  select array_agg(a.attname::text order by a.attnum), array_agg(a.attnum order by a.attnum) into names, numbers
    from pg_attribute a where a.attrelid = relation_oid and a.attnum > 0 and not a.attisdropped;
  select l.id into row_history_layout.id from system.row_history_layouts l
    where l.resource_id = resource and l.relation_oid = row_history_layout.relation_oid
      and l.stored_names = names and l.column_numbers = numbers and l.key_numbers = keys
    limit 1;
  if found then return; end if;
  insert into system.row_history_layouts as l
      (resource_id, relation_oid, stored_names, column_names, column_numbers, key_numbers)
    values (resource, row_history_layout.relation_oid, names, names, numbers, keys)
    returning l.id into row_history_layout.id;
end $$;

-- Who writes. The settings of a transaction count only in a session of the service's own logins: any client can set them.
-- A run of the SQL console is found by its connection, which its statements cannot change. The owner of this function
-- may be unable to see when a connection of another login began.
create function system.row_writer(out user_id uuid, out token_id uuid, out run_id uuid, out request_id text)
language plpgsql stable as $$
declare
  named jsonb;
begin
  if has_table_privilege(session_user, 'system.row_history', 'select') then
    named := nullif(current_setting('rowhouse.writer', true), '')::jsonb;
    user_id := (named ->> 'user')::uuid;
    token_id := (named ->> 'token')::uuid;
    request_id := named ->> 'request';
    run_id := nullif(current_setting('rowhouse.run', true), '')::uuid;
  else
    select r.user_id into row_writer.user_id
      from system.sql_console_runs r cross join pg_stat_get_activity(pg_backend_pid()) s
      where r.backend_pid = pg_backend_pid() and coalesce(s.backend_start::text = r.backend_start, r.ends_at > now());
  end if;
exception when others then
  null;
end $$;

create function system.record_history() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set "TimeZone" = 'UTC'
set "DateStyle" = 'ISO, MDY'
set "IntervalStyle" = 'iso_8601'
set bytea_output = 'hex'
set extra_float_digits = 1 as $$
declare
  resource constant uuid := tg_argv[0]::uuid;
  operation constant text := case tg_op when 'TRUNCATE' then 'DELETE' else tg_op end;
  layout record;
  writer record;
  olds refcursor;
  news refcursor;
  was record;
  is_now record;
  old_json text;
  new_json text;
  old_key text;
  new_key text;
  changed text[];
begin
  -- Without its casts a row has no text that could be trusted; without a key an entry could not be found.
  if not system.trusts_json_casts() then return null; end if;
  select * into layout from system.row_history_layout(resource);
  if layout.id is null then return null; end if;
  select * into writer from system.row_writer();

  if tg_op = 'TRUNCATE' then
    if not has_table_privilege(tg_relid, 'select') then return null; end if;
    open olds for execute format('select t.* from %s t', tg_relid::regclass);
  elsif tg_level = 'STATEMENT' then
    if operation <> 'INSERT' then open olds for select o.* from old_rows o; end if;
    if operation <> 'DELETE' then open news for select n.* from new_rows n; end if;
  else
    was := old;
    is_now := new;
  end if;
  loop
    -- One for one: a statement adds a row's old and new form to the two tables at once.
    if tg_level = 'STATEMENT' then
      if operation <> 'INSERT' then fetch olds into was; exit when not found; end if;
      if operation <> 'DELETE' then fetch news into is_now; exit when not found; end if;
    end if;
    old_json := null;
    new_json := null;
    changed := null;
    if operation <> 'INSERT' then old_json := system.event_json(was); end if;
    if operation <> 'DELETE' then new_json := system.event_json(is_now); end if;
    if operation = 'UPDATE' then changed := system.changed_columns(old_json, new_json, layout.relation_oid); end if;
    if changed is distinct from '{}' then
      old_key := system.row_history_key(old_json, layout.key_names);
      new_key := system.row_history_key(new_json, layout.key_names);
      -- A changed key is an entry of both keys.
      insert into system.row_history
          (resource_id, layout_id, row_key, operation, ends, old_row, new_values, user_id, token_id, run_id, request_id)
        select resource, layout.id, k.row_key, operation, k.ends, old_json::json,
               case when operation = 'UPDATE' then (
                   select json_object_agg(e.key, e.value) from json_each(new_json::json) e where e.key = any (changed))
                 else new_json::json end,
               writer.user_id, writer.token_id, writer.run_id, writer.request_id
        from (select new_key as row_key, false as ends where new_key is not null
              union all
              select old_key, true where old_key is not null and old_key is distinct from new_key) k;
    end if;
    exit when tg_level = 'ROW';
  end loop;
  return null;
end $$;

-- The values of a key, as a JSON array; null without a row.
create function system.row_history_key(row_json text, names text[]) returns text
language sql immutable as $$
  select json_agg(row_json::json -> k.name order by k.place)::text
  from unnest(names) with ordinality k (name, place) where row_json is not null
$$;

-- A row as it was: the values of an entry put into a row of the table as it is today. A column that was added later
-- keeps its value of `base`, a lost one is left out. Null if today's types do not accept the values.
create function system.past_row(base anyelement, stored json, layout bigint) returns anyelement
language plpgsql stable
set search_path = pg_catalog, pg_temp as $$
begin
  if stored is null then return null; end if;
  return json_populate_record(base, coalesce((
    select json_object_agg(a.attname, e.value)
    from system.row_history_layouts l
    cross join unnest(l.stored_names, l.column_numbers) u (name, number)
    join json_each(stored) e on e.key = u.name
    join pg_attribute a on a.attrelid = l.relation_oid and a.attnum = u.number and a.attnum > 0 and not a.attisdropped
    where l.id = layout), '{}'));
exception when others then
  return null;
end $$;

-- Whether the entries of a layout belong to the rows of the table as it is today: the table is the same, and so is its key.
create function system.is_row_history_layout(layout bigint) returns boolean
language sql stable as $$
  select exists (
    select from system.row_history_layouts l
    join system.resources r on r.id = l.resource_id and r.relation_oid = l.relation_oid
    join pg_catalog.pg_index i on i.indrelid = r.relation_oid and i.indisprimary
    where l.id = layout and l.key_numbers = pg_catalog.string_to_array(i.indkey::text, ' ')::smallint[])
$$;

-- Binds the layouts of a restored dump again by their names, and notes renamed columns.
create function system.mend_row_history() returns void
language sql
set search_path = pg_catalog, pg_temp as $$
  update system.row_history_layouts l
    set relation_oid = r.relation_oid,
        column_numbers = array(
          select case when u.number = 0 then 0 else coalesce(a.attnum, 0) end
          from unnest(l.column_numbers, l.column_names) with ordinality u (number, name, place)
          left join pg_attribute a on a.attrelid = r.relation_oid and a.attname::text = u.name and a.attnum > 0 and not a.attisdropped
          order by u.place),
        key_numbers = array(
          select coalesce(a.attnum, 0)
          from unnest(l.key_numbers) with ordinality k (number, place)
          left join unnest(l.column_numbers, l.column_names) u (number, name) on u.number = k.number and u.number > 0
          left join pg_attribute a on a.attrelid = r.relation_oid and a.attname::text = u.name and a.attnum > 0 and not a.attisdropped
          order by k.place)
    from system.resources r where r.id = l.resource_id and r.relation_oid <> l.relation_oid;
  update system.row_history_layouts l
    set column_names = n.names, column_numbers = n.numbers
    from (select x.id, y.names, y.numbers from system.row_history_layouts x
          cross join lateral (
            select array_agg(coalesce(a.attname::text, u.name) order by u.place) as names,
                   array_agg(coalesce(a.attnum, 0::smallint) order by u.place) as numbers
            from unnest(x.column_numbers, x.column_names) with ordinality u (number, name, place)
            left join pg_attribute a on a.attrelid = x.relation_oid and a.attnum = u.number and a.attnum > 0 and not a.attisdropped) y) n
    where n.id = l.id and (l.column_names, l.column_numbers) is distinct from (n.names, n.numbers);
$$;

-- The triggers of tables: those of events, and those of the row history.
create or replace view system.event_triggers as
  select t.tgrelid as relation_oid, t.tgname::text as name,
         case when t.tgname ~ '^rowhouse_(history_)?[a-z]+_[0-9a-f-]{36}$' then right(t.tgname, 36)::uuid end as resource_id,
         case when t.tgtype & 4 <> 0 then 'INSERT' when t.tgtype & 8 <> 0 then 'DELETE' when t.tgtype & 32 <> 0 then 'TRUNCATE'
           else 'UPDATE' end as operation,
         t.tgtype & 1 = 1 as for_each_row, t.tgenabled <> 'D' as is_on
  from pg_catalog.pg_trigger t
  where t.tgfoid in ('system.record_events()'::regprocedure, 'system.record_history()'::regprocedure)
    and t.tgparentid = 0 and t.tgname ~ '^rowhouse_(history_)?[a-z]+_[0-9a-f-]{36}$';

create or replace view system.wanted_event_triggers as
  select w.relation_oid, format('rowhouse_%s%s_%s', case when w.function_name = 'record_history' then 'history_' end,
           lower(w.operation), w.resource_id) as name, w.resource_id, w.operation,
         w.operation <> 'TRUNCATE' and (c.relkind = 'p' or exists (
           select 1 from pg_catalog.pg_inherits i where c.oid in (i.inhrelid, i.inhparent))) as for_each_row, w.function_name
  from (
    select r.relation_oid, r.id as resource_id, o.operation, 'record_events' as function_name
    from system.workflow_watches w
    join system.workflows f on f.id = w.workflow_id and f.enabled
    join system.resources r on r.id = w.resource_id
    cross join unnest(w.operations) o (operation)
    union
    select r.relation_oid, r.id, o.operation, 'record_history'
    from system.resources r cross join unnest('{INSERT,UPDATE,DELETE,TRUNCATE}'::text[]) o (operation)
    where r.history and r.kind = 'TABLE') w
  join pg_catalog.pg_class c on c.oid = w.relation_oid and c.relkind in ('r', 'p');

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
end $$;

create or replace function system.workflow_problem(workflow uuid) returns text
language sql stable as $$
  select coalesce((
    select case
      when c.oid is null then format('The table %s.%s is gone', w.schema_name, w.table_name)
      when lost.names is not null then format('The table %s.%s has lost %s', w.schema_name, w.table_name, lost.names)
      when f.enabled and exists (
        select 1 from system.wanted_event_triggers n
        where n.resource_id = w.resource_id and n.function_name = 'record_events' and n.operation = any (w.operations) and not exists (
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
