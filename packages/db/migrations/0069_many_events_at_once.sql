-- The events of a statement that changed many rows are written by one statement, in place of one for each row.

create or replace function system.record_events() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp set timezone = 'UTC' set datestyle = 'ISO, MDY' set intervalstyle = 'iso_8601'
set bytea_output = 'hex' set extra_float_digits = '1'
-- A hash join pairs the old and the new rows without sorting them.
set work_mem = '64MB' set enable_mergejoin = off as $$
declare
  row_bytes_max constant integer := 1048576;
  -- The events of all rows at once. OFFSET 0: each row is converted once, however often its text is used.
  many_sql constant text := 'insert into system.workflow_events (resource_id, schema_name, table_name, operation, old_row, new_row,
      changed, omitted, bytes, workflow_ids, caused_by_run_id, depth, occurred_at)
    select $1, $2, $3, $4, k.was::json, k.is_now::json, p.changed, k.omitted,
      coalesce(octet_length(k.was), 0) + coalesce(octet_length(k.is_now), 0), h.heard, $8, $9, $10
    from (%s offset 0) p,
      lateral (select %s as was, %s as is_now,
        case when greatest(octet_length(p.was), octet_length(p.is_now)) <= $5 then ''{}''
          else array(select distinct o from unnest(%s || %s) o order by o) end as omitted offset 0) k,
      lateral (select case when $7 = ''{}'' then $6
        else $6 || array(select w.id::uuid from jsonb_each($7) w (id, names) where w.names ?| p.changed) end as heard) h
    where h.heard <> ''{}''';
  fitting_sql constant text := 'case when p.%1$s is null or octet_length(p.%1$s) <= $5 then p.%1$s
    else (system.bound_event_row(p.%1$s, %2$s, $5)).kept end';
  omitted_sql constant text :=
    'case when octet_length(p.%1$s) > $5 then (system.bound_event_row(p.%1$s, %2$s, $5)).omitted end';
  rows_sql constant text := case tg_op
    when 'INSERT' then 'select null::text as was, to_json(n.*)::text as is_now, ''{}''::text[] as changed from new_rows n'
    when 'DELETE' then 'select to_json(o.*)::text as was, null::text as is_now, ''{}''::text[] as changed from old_rows o'
    else 'select o.was, n.is_now, array(
        select c.key
        from rows from (json_each(o.was::json), json_each(n.is_now::json)) with ordinality c (key, value, key_now, value_now, place)
        where c.value::text <> c.value_now::text order by c.place) as changed
      from (select to_json(o.*)::text as was, row_number() over () as place from old_rows o) o
      join (select to_json(n.*)::text as is_now, row_number() over () as place from new_rows n) n using (place)
      where o.was <> n.is_now'
    end;
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
  written bigint := 0;
  trusted boolean;
  is_done boolean := false;
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

  -- Many rows at once take less than half the time of a loop over them. A value that has no JSON fails them together; then the
  -- loop leaves its row without values.
  if tg_level = 'STATEMENT' and trusted then
    begin
      execute format(many_sql, rows_sql, format(fitting_sql, 'was', watched.oid), format(fitting_sql, 'is_now', watched.oid),
          format(omitted_sql, 'was', watched.oid), format(omitted_sql, 'is_now', watched.oid))
        using watched.id, watched.schema_name, watched.table_name, tg_op, row_bytes_max, interested, by_columns,
          written_by.run_id, written_by.depth + 1, clock_timestamp();
      get diagnostics written = row_count;
      is_done := true;
    exception when others then
      is_done := false;
    end;
  end if;

  if not is_done then
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
        written := written + 1;
      end if;
      exit when tg_level = 'ROW';
    end loop;
  end if;
  -- A transaction that has notified cannot be prepared. Where that is possible, the poll has to do.
  if written > 0 and current_setting('max_prepared_transactions') = '0' then
    perform pg_notify('rowhouse_events', '');
  end if;
  return null;
end $$;
