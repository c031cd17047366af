-- The write of a row must not fail for the sake of an event: neither where it is prepared for two-phase commit.
-- The trigger of every watched table; its argument is the resource. It writes the outbox as the owner of the schema,
-- whoever wrote the row, and gives the writer nothing. The settings make the rows' texts the same for every session.
create or replace function system.record_events() returns trigger
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
  trusted boolean;
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
  trusted := system.trusts_json_casts();

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
    if tg_op <> 'INSERT' and trusted then old_json := system.event_json(was); end if;
    if tg_op <> 'DELETE' and trusted then new_json := system.event_json(is_now); end if;
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
  -- A transaction that has notified cannot be prepared. Where that is possible, the poll has to do.
  if has_written and current_setting('max_prepared_transactions') = '0' then
    perform pg_notify('rowhouse_events', '');
  end if;
  return null;
end $$;

-- A lost column is not found again in a restored dump, whatever has its name by then.
create or replace function system.mend_watches() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  item uuid;
begin
  -- A restored dump: columns by their names, but for those that were lost before.
  update system.workflow_watches w
    set relation_oid = r.relation_oid, column_numbers = case when w.column_numbers is not null then array(
          select case when u.number = 0 then 0 else coalesce(a.attnum, 0) end
          from unnest(w.column_numbers, w.column_names) with ordinality u (number, name, place)
          left join pg_attribute a on a.attrelid = r.relation_oid and a.attname::text = u.name and a.attnum > 0 and not a.attisdropped
          order by u.place) end
    from system.resources r where r.id = w.resource_id and r.relation_oid <> w.relation_oid;
  -- A column that is lost has the number 0 from then on, and keeps its last name.
  update system.workflow_watches w
    set schema_name = n.nspname, table_name = n.relname, column_numbers = n.numbers, column_names = n.names
    from (select x.workflow_id, s.nspname::text, c.relname::text, y.numbers, y.names
          from system.workflow_watches x join system.resources r on r.id = x.resource_id
          join pg_class c on c.oid = r.relation_oid join pg_namespace s on s.oid = c.relnamespace
          cross join lateral (
            select case when x.column_numbers is not null then array_agg(coalesce(a.attnum, 0::smallint) order by u.place) end as numbers,
                   case when x.column_numbers is not null then array_agg(coalesce(a.attname::text, u.name) order by u.place) end as names
            from unnest(x.column_numbers, x.column_names) with ordinality u (number, name, place)
            left join pg_attribute a on a.attrelid = x.relation_oid and a.attnum = u.number and a.attnum > 0 and not a.attisdropped) y) n
    where n.workflow_id = w.workflow_id
      and (w.schema_name, w.table_name, w.column_numbers, w.column_names)
        is distinct from (n.nspname, n.relname, n.numbers, n.names);
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
