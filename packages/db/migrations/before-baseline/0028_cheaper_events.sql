-- The functions that the trigger of a watched table calls run under its settings; to set a search path of
-- their own each time took longer than their work.
alter function system.event_json(record) reset search_path;
alter function system.bound_event_row(text, oid, integer) reset search_path;
alter function system.writing_run() reset search_path;

-- The columns whose values differ. Where that cannot be told, all of them. Both rows are of one type, so that their
-- columns are in one order, and need no join.
create or replace function system.changed_columns(was text, is_now text, relation oid) returns text[]
language plpgsql stable as $$
begin
  if was = is_now then return '{}'; end if;
  if was is null or is_now is null then return system.event_columns(relation); end if;
  return array(
    select c.key
    from rows from (json_each(was::json), json_each(is_now::json)) with ordinality c (key, value, key_now, value_now, place)
    where c.value::text <> c.value_now::text
    order by c.place);
exception when others then
  return system.event_columns(relation);
end $$;

-- In PL/pgSQL, which keeps its plan.
create or replace function system.trusts_json_casts() returns boolean
language plpgsql stable as $$
begin
  return not exists (
    select 1 from pg_cast c
    join pg_proc p on p.oid = c.castfunc
    join pg_roles o on o.oid = p.proowner
    -- The types that come with Postgres have lower numbers, and no such cast of theirs is asked for.
    where c.castsource >= 16384 and c.casttarget = 'json'::regtype and not o.rolsuper and o.rolname <> current_user);
end $$;
