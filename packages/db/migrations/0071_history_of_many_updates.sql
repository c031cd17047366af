-- The history of an update of many rows is written by one statement, in place of a loop over the rows.

create or replace function system.record_history() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp set timezone = 'UTC' set datestyle = 'ISO, MDY' set intervalstyle = 'iso_8601'
set bytea_output = 'hex' set extra_float_digits = '1'
-- A hash join pairs the old and the new rows without sorting them.
set enable_mergejoin = off as $$
declare
  resource constant uuid := tg_argv[0]::uuid;
  operation constant text := case tg_op when 'TRUNCATE' then 'DELETE' else tg_op end;
  layout record;
  writer record;
  olds refcursor;
  was record;
  is_now record;
  old_json text;
  new_json text;
  old_key text;
  new_key text;
  changed text[];
  one_by_one boolean := false;
begin
  -- Without its casts a row has no text that could be trusted; without a key an entry could not be found.
  if not system.trusts_json_casts() then return null; end if;
  select * into layout from system.row_history_layout(resource);
  if layout.id is null then return null; end if;
  select * into writer from system.row_writer();

  -- Many rows at once take a third of the time of a loop over them. A conversion that fails is rare, and found row by row then.
  while tg_level = 'STATEMENT' and tg_op <> 'TRUNCATE' loop
    begin
      if tg_op = 'INSERT' then
        insert into system.row_history
            (resource_id, layout_id, row_key, operation, ends, new_values, user_id, token_id, run_id, request_id)
          select resource, layout.id, system.row_history_key(v.is_now, layout.key_names), 'INSERT', false, v.is_now::json,
                 writer.user_id, writer.token_id, writer.run_id, writer.request_id
          from (select case when one_by_one then system.event_json(n.*) else to_json(n.*)::text end as is_now from new_rows n offset 0) v
          where v.is_now is not null;
      elsif tg_op = 'DELETE' then
        insert into system.row_history
            (resource_id, layout_id, row_key, operation, ends, old_row, user_id, token_id, run_id, request_id)
          select resource, layout.id, system.row_history_key(v.was, layout.key_names), 'DELETE', true, v.was::json,
                 writer.user_id, writer.token_id, writer.run_id, writer.request_id
          from (select case when one_by_one then system.event_json(o.*) else to_json(o.*)::text end as was from old_rows o offset 0) v
          where v.was is not null;
      else
        insert into system.row_history
            (resource_id, layout_id, row_key, operation, ends, old_row, new_values, user_id, token_id, run_id, request_id)
          select resource, layout.id, k.row_key, 'UPDATE', k.ends, p.was::json, v.new_values,
                 writer.user_id, writer.token_id, writer.run_id, writer.request_id
          -- One for one: a statement adds a row's old and new form to the two tables at once.
          from (select o.was, n.is_now
                from (select case when one_by_one then system.event_json(o.*) else to_json(o.*)::text end as was,
                        row_number() over () as place from old_rows o) o
                join (select case when one_by_one then system.event_json(n.*) else to_json(n.*)::text end as is_now,
                        row_number() over () as place from new_rows n) n using (place)
                where o.was is distinct from n.is_now offset 0) p,
            lateral (select case when p.was is null or p.is_now is null then p.is_now::json else (
                select json_object_agg(c.key, c.value_now)
                from rows from (json_each(p.was::json), json_each(p.is_now::json)) c (key, value, key_now, value_now)
                where c.value::text <> c.value_now::text) end as new_values offset 0) v,
            lateral (select system.row_history_key(p.is_now, layout.key_names) as new_key offset 0) n,
            -- A changed key is an entry of both keys.
            lateral (select n.new_key as row_key, false as ends where n.new_key is not null
              union all
              select o.old_key, true
              from (select system.row_history_key(p.was, layout.key_names) as old_key
                where n.new_key is null or cardinality(layout.key_names) > 1
                  or v.new_values -> layout.key_names[1] is not null offset 0) o
              where o.old_key is not null and o.old_key is distinct from n.new_key) k;
      end if;
      return null;
    exception when others then
      if one_by_one then raise; end if;
      one_by_one := true;
    end;
  end loop;

  if tg_op = 'TRUNCATE' then
    if not has_table_privilege(tg_relid, 'select') then return null; end if;
    open olds for execute format('select t.* from %s t', tg_relid::regclass);
  else
    was := old;
    is_now := new;
  end if;
  loop
    if tg_op = 'TRUNCATE' then
      fetch olds into was;
      exit when not found;
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
    exit when tg_op <> 'TRUNCATE';
  end loop;
  return null;
end $$;
