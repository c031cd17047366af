-- These functions run with the search path of their caller. PostgreSQL prefers an operator or a function of the
-- database's users for exactly the types of a call to its own for other types, so each name that could be one is qualified.

create or replace function system.acting_token()
returns uuid
language sql
stable
as $function$
  select (nullif(pg_catalog.current_setting('rowhouse.origin', true), '')::jsonb ->> 'token'::text)::uuid
$function$;

create or replace function system.bound_event_row(row_json text, relation oid, bytes_max integer, OUT kept text, OUT omitted text[])
returns record
language plpgsql
stable
as $function$
begin
  if row_json is null then
    kept := '{}';
    omitted := system.event_columns(relation);
    return;
  end if;
  select coalesce(pg_catalog.json_object_agg(key, value order by place) filter (where total <= bytes_max), '{}')::text,
         coalesce(pg_catalog.array_agg(key order by place) filter (where total > bytes_max), '{}')
    into kept, omitted
    from (select key, value, place, sum(octet_length(key) + octet_length(value::text) + 8)
            over (order by octet_length(value::text), place) as total
          from pg_catalog.json_each(row_json::json) with ordinality e (key, value, place)) part;
exception when others then
  kept := '{}';
  omitted := system.event_columns(relation);
end $function$;

-- Each change of a definition writes a row. With the list of relations alone, a changed column made a statement fail before its
-- own proof, and every later one, without event triggers.
create or replace function system.catalogue_fingerprint()
returns text
language sql
stable
as $function$
  with r as materialized (select * from system.registrable_relations)
  select md5(pg_catalog.concat_ws('|',
    (select pg_catalog.string_agg(pg_catalog.concat_ws(',', relation_oid, schema_name, relation_name, kind), ';' order by relation_oid) from r),
    (select pg_catalog.concat(count(*), ',', sum(a.xmin::text::bigint)) from pg_catalog.pg_attribute a
     where a.attnum > 0 and a.attrelid in (select relation_oid from r)),
    (select pg_catalog.concat(count(*), ',', sum(k.xmin::text::bigint)) from pg_catalog.pg_constraint k
     where k.conrelid in (select relation_oid from r)),
    (select pg_catalog.concat(count(*), ',', sum(w.xmin::text::bigint)) from pg_catalog.pg_rewrite w
     where w.ev_class in (select relation_oid from r)),
    (select pg_catalog.concat(count(*), ',', sum(l.xmin::text::bigint)) from pg_catalog.pg_enum l)))
$function$;

create or replace function system.changed_columns(was text, is_now text, relation oid)
returns text[]
language plpgsql
stable
as $function$
begin
  if was = is_now then return '{}'; end if;
  if was is null or is_now is null then return system.event_columns(relation); end if;
  return array(
    select c.key
    from rows from (pg_catalog.json_each(was::json), pg_catalog.json_each(is_now::json)) with ordinality c (key, value, key_now, value_now, place)
    where c.value::text <> c.value_now::text
    order by c.place);
exception when others then
  return system.event_columns(relation);
end $function$;

create or replace function system.event_columns(relation oid)
returns text[]
language sql
stable
as $function$
  select coalesce(pg_catalog.array_agg(a.attname::text order by a.attnum), '{}') from pg_catalog.pg_attribute a
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
$function$;

create or replace function system.event_json(item record)
returns text
language plpgsql
stable
as $function$
begin
  return pg_catalog.to_json(item)::text;
exception when others then
  return null;
end $function$;

create or replace function system.install_event_triggers()
returns boolean
language plpgsql
as $function$
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
    execute pg_catalog.format('alter event trigger %I enable always', item.evtname);
  end loop;
  return true;
exception when insufficient_privilege then
  return false;
end $function$;

create or replace function system.is_row_history_layout(layout bigint)
returns boolean
language sql
stable
as $function$
  select exists (
    select from system.row_history_layouts l
    join system.resources r on r.id = l.resource_id and r.relation_oid = l.relation_oid
    join pg_catalog.pg_index i on i.indrelid = r.relation_oid and i.indisprimary
    where l.id = layout and l.key_numbers operator(pg_catalog.=) pg_catalog.string_to_array(i.indkey::text, ' ')::smallint[])
$function$;

-- A changed collation, or a renamed label, changes what a condition means.
create or replace function system.relation_fingerprint(relation oid)
returns text
language sql
stable parallel restricted
as $function$
  select md5(pg_catalog.concat_ws('|', n.nspname, c.relname, c.relkind::text,
    (select pg_catalog.string_agg(pg_catalog.concat_ws(',', a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull,
              a.attidentity::text, a.attgenerated::text, a.atthasdef, nullif(a.attcollation, 0)), ';' order by a.attnum)
       from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
    (select pg_catalog.string_agg(pg_catalog.concat_ws(',', l.oid, l.enumlabel), ';' order by l.oid)
       from (select distinct pg_catalog.unnest(array[t.oid, t.typelem, t.typbasetype]) as oid
         from pg_catalog.pg_attribute a join pg_catalog.pg_type t on t.oid = a.atttypid
         where a.attrelid = c.oid and a.attnum > 0 and a.atttypid >= 16384) u
       join pg_catalog.pg_enum l on l.enumtypid = u.oid),
    (select pg_catalog.string_agg(pg_catalog.concat_ws(',', k.oid, k.conname, k.contype::text, d.description), ';' order by k.oid)
       from pg_catalog.pg_constraint k
       left join pg_catalog.pg_description d on d.objoid = k.oid and d.classoid = 'pg_constraint'::regclass
       where k.conrelid = c.oid),
    (select pg_catalog.string_agg(pg_catalog.concat_ws(',', w.oid, w.xmin), ';' order by w.oid)
       from pg_catalog.pg_rewrite w where w.ev_class = c.oid),
    (select pg_catalog.string_agg(pg_catalog.concat_ws(',', i.indexrelid, i.indisvalid), ';' order by i.indexrelid)
       from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisunique),
    exists (select from pg_catalog.pg_inherits h where h.inhparent = c.oid)))
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation
$function$;

create or replace function system.require_guards()
returns void
language plpgsql
as $function$
begin
  if exists (select 1 from system.guards() g where not exists (
      select 1 from pg_catalog.pg_trigger t
      where t.tgrelid = pg_catalog.to_regclass('system.' || g.relation_name::text) and t.tgname = g.trigger_name and t.tgenabled = 'A')) then
    raise exception using errcode = 'RH409', message = 'The guards of the system schema cannot be taken away';
  end if;
end $function$;

create or replace function system.row_history_key(row_json text, names text[])
returns text
language plpgsql
immutable
as $function$
begin
  if row_json is null then return null; end if;
  if pg_catalog.cardinality(names) = 1 then return '[' || (row_json::json -> names[1])::text || ']'; end if;
  return (select pg_catalog.json_agg(row_json::json -> k.name order by k.place)::text
          from pg_catalog.unnest(names) with ordinality k (name, place));
end $function$;

create or replace function system.row_history_layout(resource uuid, OUT id bigint, OUT relation_oid oid, OUT key_names text[])
returns record
language plpgsql
as $function$
declare
  names text[];
  numbers smallint[];
  keys smallint[];
begin
  select i.indrelid, pg_catalog.string_to_array(i.indkey::text, ' ')::smallint[],
         array(select a.attname::text from pg_catalog.unnest(i.indkey::smallint[]) with ordinality k (number, place)
               join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number order by k.place)
    into relation_oid, keys, key_names
    from system.resources r join pg_index i on i.indrelid = r.relation_oid and i.indisprimary
    where r.id = resource and r.history;
  if not found then return; end if;
  select pg_catalog.array_agg(a.attname::text order by a.attnum), pg_catalog.array_agg(a.attnum order by a.attnum) into names, numbers
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
end $function$;

create or replace function system.row_writer(OUT user_id uuid, OUT token_id uuid, OUT run_id uuid, OUT request_id text)
returns record
language plpgsql
stable
as $function$
declare
  named jsonb;
begin
  if has_table_privilege(session_user, 'system.row_history', 'select') then
    named := nullif(current_setting('rowhouse.writer', true), '')::jsonb;
    user_id := (named ->> 'user'::text)::uuid;
    token_id := (named ->> 'token'::text)::uuid;
    request_id := named ->> 'request'::text;
    run_id := nullif(current_setting('rowhouse.run', true), '')::uuid;
  else
    select r.user_id into row_writer.user_id
      from system.sql_console_runs r cross join pg_stat_get_activity(pg_backend_pid()) s
      where r.backend_pid = pg_backend_pid() and coalesce(s.backend_start::text = r.backend_start, r.ends_at > now());
  end if;
exception when others then
  null;
end $function$;

-- A filter whose columns mean something else is a problem too.
create or replace function system.workflow_problem(workflow uuid)
returns text
language sql
stable
as $function$
  select coalesce((
    select case
      when c.oid is null then pg_catalog.format('The table %s.%s is gone', w.schema_name, w.table_name)
      when lost.names is not null then pg_catalog.format('The table %s.%s has lost %s', w.schema_name, w.table_name, lost.names)
      when changed.names is not null then
        pg_catalog.format('The filter names columns of %s.%s whose type or labels have changed (%s); publish the workflow again',
          w.schema_name, w.table_name, changed.names)
      when f.enabled and exists (
        select 1 from system.wanted_event_triggers n
        where n.resource_id = w.resource_id and n.function_name = 'record_events' and n.operation = any (w.operations) and not exists (
          select 1 from system.event_triggers t where t.name = n.name and t.relation_oid = n.relation_oid and t.is_on
            and t.for_each_row = n.for_each_row))
        then pg_catalog.format('The table %s.%s has lost its trigger', w.schema_name, w.table_name)
      end
    from system.workflow_watches w
    join system.workflows f on f.id = w.workflow_id
    left join system.resources r on r.id = w.resource_id
    left join pg_catalog.pg_class c on c.oid = r.relation_oid
    left join lateral (
      select pg_catalog.string_agg(u.name, ', ') as names from unnest(w.column_numbers, w.column_names) u (number, name)
      where not exists (select 1 from pg_catalog.pg_attribute a
        where a.attrelid = w.relation_oid and a.attnum = u.number and a.attnum > 0 and not a.attisdropped)) lost on true
    left join lateral (select system.changed_in_filter(workflow) as names where w.meanings is not null) changed on true
    where w.workflow_id = workflow), (
    select case
      when p.id is null then 'The user that it executes as was deleted'
      when not p.active then 'The user that it executes as is not active' end
    from system.workflows f
    join system.workflow_versions v on v.id = f.published_version_id
    left join system.users p on p.id::text = v.definition #>> '{trigger,executeAs}'::text[]
    where f.id = workflow and v.definition #>> '{trigger,executeAs}'::text[] is not null))
$function$;

create or replace function system.writing_run(OUT run_id uuid, OUT depth integer, OUT workflow_ids uuid[])
returns record
language plpgsql
stable
as $function$
declare
  named text := current_setting('rowhouse.run', true);
begin
  workflow_ids := '{}';
  depth := -1;
  if named is null or named !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then return; end if;
  with recursive line (id, workflow_id, parent_run_id, depth) as (
    select r.id, r.workflow_id, r.parent_run_id, r.depth from system.workflow_runs r
    where r.id = named::uuid and r.status in ('QUEUED', 'RUNNING')
    union
    select r.id, r.workflow_id, r.parent_run_id, r.depth from line
    join system.workflow_runs r on r.id = line.parent_run_id
  )
  select max(line.id::text) filter (where line.id = named::uuid)::uuid, coalesce(max(line.depth), -1),
         coalesce(pg_catalog.array_agg(distinct line.workflow_id), '{}')
    into run_id, depth, workflow_ids from line;
end $function$;
