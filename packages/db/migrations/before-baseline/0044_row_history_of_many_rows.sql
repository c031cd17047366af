-- The values of a key, as a JSON array; null without a row. In PL/pgSQL, which keeps its plan.
create or replace function system.row_history_key(row_json text, names text[]) returns text
language plpgsql immutable as $$
begin
  if row_json is null then return null; end if;
  if cardinality(names) = 1 then return '[' || (row_json::json -> names[1])::text || ']'; end if;
  return (select json_agg(row_json::json -> k.name order by k.place)::text
          from unnest(names) with ordinality k (name, place));
end $$;

create or replace function system.record_history() returns trigger
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

  -- Many rows at once take a third of the time of a loop over them. An update must read two tables in step.
  if tg_op = 'INSERT' and tg_level = 'STATEMENT' then
    insert into system.row_history
        (resource_id, layout_id, row_key, operation, ends, new_values, user_id, token_id, run_id, request_id)
      select resource, layout.id, system.row_history_key(v.is_now, layout.key_names), 'INSERT', false, v.is_now::json,
             writer.user_id, writer.token_id, writer.run_id, writer.request_id
      from (select system.event_json(n.*) as is_now from new_rows n offset 0) v where v.is_now is not null;
    return null;
  elsif tg_op = 'DELETE' and tg_level = 'STATEMENT' then
    insert into system.row_history
        (resource_id, layout_id, row_key, operation, ends, old_row, user_id, token_id, run_id, request_id)
      select resource, layout.id, system.row_history_key(v.was, layout.key_names), 'DELETE', true, v.was::json,
             writer.user_id, writer.token_id, writer.run_id, writer.request_id
      from (select system.event_json(o.*) as was from old_rows o offset 0) v where v.was is not null;
    return null;
  end if;

  if tg_op = 'TRUNCATE' then
    if not has_table_privilege(tg_relid, 'select') then return null; end if;
    open olds for execute format('select t.* from %s t', tg_relid::regclass);
  elsif tg_level = 'STATEMENT' then
    open olds for select o.* from old_rows o;
    open news for select n.* from new_rows n;
  else
    was := old;
    is_now := new;
  end if;
  loop
    -- One for one: a statement adds a row's old and new form to the two tables at once.
    if tg_level = 'STATEMENT' then
      fetch olds into was;
      exit when not found;
      if operation = 'UPDATE' then fetch news into is_now; end if;
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
