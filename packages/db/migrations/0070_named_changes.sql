-- DDL names the relations that it changes, so that a load after it reads those alone, and a statement can prove that no
-- change concerned its own. What cannot be named is counted alone: a load then finds more changes than names, and reads all.

create table system.catalogue_changes (
  id bigint primary key generated always as identity,
  -- With the moment of a snapshot it tells whether the snapshot includes the change.
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default clock_timestamp(),
  -- Relations and indexes, some of which exist no longer, and what inherits from them; null for a change that names none.
  relations oid[],
  -- What they inherit from or refer to.
  beside oid[] not null default '{}'
) with (autovacuum_vacuum_threshold = 1000);
create index catalogue_changes_xid on system.catalogue_changes (xid);

-- A counter is locked until the end of its transaction, so one is taken that no other transaction has locked. Its callers ask once,
-- in a subquery: the next answer may be another.
create function system.free_counter() returns smallint
language sql as $$
  select coalesce(
    (select f.slot from system.epoch f order by (f.slot + pg_backend_pid()) % 4 limit 1 for update skip locked),
    pg_backend_pid() % 4)::smallint
$$;

create or replace function system.bump_epoch() returns void
language sql as $$
  update system.epoch set value = value + 1 where slot = (select system.free_counter())
$$;

-- Logs a change, and counts each transaction with changes once.
create function system.log_change(named oid[], others oid[]) returns void
language plpgsql
set search_path = pg_catalog, system, pg_temp as $$
begin
  if not exists (select from catalogue_changes where xid = pg_current_xact_id()) then
    update epoch set value = value + 1, catalogue = catalogue + 1 where slot = (select free_counter());
    delete from catalogue_changes where id in (
      select id from catalogue_changes where at < clock_timestamp() - interval '10 minutes' order by id limit 1000 for update skip locked);
  end if;
  insert into catalogue_changes (relations, beside) values (named, others);
end $$;

create or replace function system.bump_catalogue() returns void
language sql as $$
  select system.log_change(null, '{}')
$$;

-- Logs a change of relations, with those that DDL on them changes as well: what inherits from them, and what they inherit from or
-- refer to.
create function system.note_change(named oid[]) returns void
language plpgsql
set search_path = pg_catalog, system, pg_temp as $$
begin
  -- A column of another relation may have rows of this one as values, in any depth.
  if exists (
    select from pg_class c
    join pg_type t on t.oid = c.reltype
    join pg_depend d on d.refclassid = 'pg_type'::regclass and d.refobjid in (t.oid, t.typarray)
      and (d.classid = 'pg_class'::regclass and d.objid <> c.oid or d.classid = 'pg_type'::regclass and d.objid <> t.typarray)
    where c.oid = any (named)) then
    perform bump_catalogue();
    return;
  end if;
  perform log_change(
    array(
      with recursive lines as (
        select n as oid from unnest(named) n
        union
        select h.inhrelid from lines l join pg_inherits h on h.inhparent = l.oid
      )
      select l.oid from lines l),
    array(
      select h.inhparent from pg_inherits h where h.inhrelid = any (named)
      union select k.confrelid from pg_constraint k where k.conrelid = any (named) and k.contype = 'f'));
end $$;

-- Registers what DDL has created, renamed or dropped, and counts the change.
create function system.register_ddl(named oid[], concerns_all boolean) returns void
language plpgsql
set search_path = pg_catalog, system, pg_temp as $$
begin
  perform sync_registry();
  if concerns_all then
    perform bump_epoch();
    perform bump_catalogue();
  elsif named <> '{}' then
    perform note_change(named);
  end if;
end $$;

create or replace function system.after_ddl() returns event_trigger
language plpgsql security definer
set search_path = pg_catalog, system, pg_temp as $$
declare
  named oid[];
  concerns_all boolean;
begin
  if tg_tag = 'REFRESH MATERIALIZED VIEW' then return; end if;
  -- For each command its relation, 0 if no relation depends on it, null for another object, and for all of the service's own, which
  -- its records depend on.
  select coalesce(array_agg(distinct c.relation) filter (where c.relation <> 0), '{}'), bool_or(c.relation is null)
    into named, concerns_all
    from (
      select case
        when d.schema_name = 'system' then null
        when tg_tag in ('GRANT', 'REVOKE', 'ALTER DEFAULT PRIVILEGES', 'SECURITY LABEL', 'CREATE SCHEMA', 'CREATE TYPE', 'CREATE DOMAIN')
          and d.classid is distinct from 'pg_class'::regclass then 0
        when d.classid = 'pg_class'::regclass then (
          select case when r.relkind in ('r', 'p', 'f', 'v', 'm') then r.oid
            when r.relkind in ('i', 'I') then (select i.indrelid from pg_index i where i.indexrelid = r.oid)
            when r.relkind in ('S', 't') or r.relkind = 'c' and tg_tag = 'CREATE TYPE' then 0 end
          from pg_class r where r.oid = d.objid)
        when d.classid = 'pg_constraint'::regclass then (select nullif(k.conrelid, 0) from pg_constraint k where k.oid = d.objid)
        when d.classid = 'pg_trigger'::regclass then (select t.tgrelid from pg_trigger t where t.oid = d.objid)
        when d.classid = 'pg_rewrite'::regclass then (select w.ev_class from pg_rewrite w where w.oid = d.objid)
        when d.classid = 'pg_policy'::regclass then (select p.polrelid from pg_policy p where p.oid = d.objid)
        when d.classid = 'pg_attrdef'::regclass then (select a.adrelid from pg_attrdef a where a.oid = d.objid)
      end::oid as relation
      from pg_event_trigger_ddl_commands() d
      where d.schema_name is distinct from 'pg_temp'
        -- The queue's own tables are no resources; a relation that is moved there was one.
        and (d.schema_name is distinct from 'rowhouse_queue' or tg_tag like 'ALTER %')) c;
  if concerns_all is null then return; end if;
  if tg_tag like 'ALTER %' then perform require_guards(); end if;
  perform register_ddl(named, concerns_all);
end $$;

create or replace function system.after_drop() returns event_trigger
language plpgsql security definer
set search_path = pg_catalog, system, pg_temp as $$
declare
  named oid[];
  concerns_all boolean;
begin
  -- As in after_ddl. An index leads to its relation by the caller's own knowledge.
  select coalesce(array_agg(distinct o.relation) filter (where o.relation <> 0), '{}'), bool_or(o.relation is null)
    into named, concerns_all
    from (
      select case
        when d.schema_name = 'system' then null
        when d.object_type in ('sequence', 'toast table', 'schema') or d.schema_name = 'pg_toast' then 0
        when d.classid = 'pg_class'::regclass then d.objid
        when d.object_type <> 'domain constraint'
          and d.classid in ('pg_constraint'::regclass, 'pg_trigger'::regclass, 'pg_rewrite'::regclass, 'pg_policy'::regclass, 'pg_attrdef'::regclass)
          then coalesce(to_regclass(format('%I.%I', d.address_names[1], d.address_names[2]))::oid, 0)
        -- The row type of a relation, and its array.
        when d.classid = 'pg_type'::regclass and not d.original and not d.normal then 0
      end::oid as relation
      from pg_event_trigger_dropped_objects() d
      where not d.is_temporary and d.schema_name is distinct from 'rowhouse_queue') o;
  if concerns_all is null then return; end if;
  -- Dropping the system schema itself must not trip over its own trigger.
  if to_regclass('system.resources') is null or to_regclass('system.epoch') is null
    or to_regclass('system.catalogue_changes') is null then return; end if;
  if exists (select 1 from pg_event_trigger_dropped_objects()
             where object_type in ('trigger', 'table', 'function') and address_names[1] = 'system') then
    perform require_guards();
  end if;
  perform register_ddl(named, concerns_all);
end $$;

-- A record of a new or dropped relation is a change of this relation. It changes what is exposed only if it has something to expose.
create function system.note_resources() returns trigger
language plpgsql security definer
set search_path = pg_catalog, system, pg_temp as $$
declare
  named oid[];
  exposes boolean;
begin
  select array_agg(t.relation_oid), bool_or(t.exposed_methods <> '{}' or t.label is not null or t.description is not null or t.history or t.junction)
    into named, exposes from touched t;
  if named is null then return null; end if;
  perform note_change(named);
  if exposes then perform bump_epoch(); end if;
  return null;
end $$;

drop trigger resources_catalogue on system.resources;
drop trigger resources_epoch on system.resources;
create trigger resources_added after insert on system.resources
  referencing new table as touched for each statement execute function system.note_resources();
create trigger resources_removed after delete on system.resources
  referencing old table as touched for each statement execute function system.note_resources();
create trigger resources_catalogue after update of id, relation_oid, kind or truncate on system.resources
  for each statement execute function system.bump_catalogue_after_change();
create trigger resources_epoch after update of id, relation_oid, kind, exposed_methods, label, description, history, junction or truncate
  on system.resources for each statement execute function system.bump_epoch_after_change();
alter table system.resources enable always trigger resources_added;
alter table system.resources enable always trigger resources_removed;
alter table system.resources enable always trigger resources_catalogue;
alter table system.resources enable always trigger resources_epoch;

-- The record of a dropped relation takes those that refer to it with it, mostly none.
create function system.bump_epoch_after_delete() returns trigger
language plpgsql security definer
set search_path = pg_catalog, system, pg_temp as $$
begin
  if exists (select from gone) then perform bump_epoch(); end if;
  return null;
end $$;

drop trigger grant_columns_epoch on system.grant_columns;
create trigger grant_columns_epoch after insert or update or truncate on system.grant_columns
  for each statement execute function system.bump_epoch_after_change();
create trigger grant_columns_removed after delete on system.grant_columns
  referencing old table as gone for each statement execute function system.bump_epoch_after_delete();
drop trigger grants_epoch on system.grants;
create trigger grants_epoch after insert or update or truncate on system.grants
  for each statement execute function system.bump_epoch_after_change();
create trigger grants_removed after delete on system.grants
  referencing old table as gone for each statement execute function system.bump_epoch_after_delete();
drop trigger resource_columns_epoch on system.resource_columns;
create trigger resource_columns_epoch after insert or update or truncate on system.resource_columns
  for each statement execute function system.bump_epoch_after_change();
create trigger resource_columns_removed after delete on system.resource_columns
  referencing old table as gone for each statement execute function system.bump_epoch_after_delete();
alter table system.grant_columns enable always trigger grant_columns_epoch;
alter table system.grant_columns enable always trigger grant_columns_removed;
alter table system.grants enable always trigger grants_epoch;
alter table system.grants enable always trigger grants_removed;
alter table system.resource_columns enable always trigger resource_columns_epoch;
alter table system.resource_columns enable always trigger resource_columns_removed;

-- A restored dump: its transactions are those of another server.
create function system.forget_changes() returns trigger
language plpgsql security definer
set search_path = pg_catalog, system, pg_temp as $$
begin
  delete from catalogue_changes;
  return null;
end $$;

create trigger installation_moved after update of self_oid on system.installation
  for each statement execute function system.forget_changes();
alter table system.installation enable always trigger installation_moved;

-- The element of an array is found by its OID; no index finds it by its array.
create or replace function system.column_meaning(type oid, collation_oid oid) returns jsonb
language plpgsql stable
set search_path = pg_catalog as $$
declare
  base record;
  labels jsonb;
  shape text;
begin
  select e.oid, n.nspname, e.typname, e.typtype, e.typrelid, m.oid <> b.oid as is_array into base
    from pg_type t
    join pg_type b on b.oid = case when t.typtype = 'd' then system.base_of_domain(t.oid) else t.oid end
    join pg_type m on m.oid = coalesce((select i.oid from pg_type i where i.oid = b.typelem and i.typarray = b.oid), b.oid)
    join pg_type e on e.oid = case when m.typtype = 'd' then system.base_of_domain(m.oid) else m.oid end
    join pg_namespace n on n.oid = e.typnamespace
    where t.oid = type;
  if base.typtype = 'e' then
    select jsonb_object_agg(l.oid::text, l.enumlabel) into labels from pg_enum l where l.enumtypid = base.oid;
  elsif base.typtype = 'c' then
    select md5(string_agg(concat_ws(' ', a.attnum, p.part - '{type,collation,labels}'::text[],
        (select string_agg(l.value, ',' order by l.value) from jsonb_each_text(p.part -> 'labels') l)), ';' order by a.attnum))
      into shape
      from pg_attribute a, lateral (select system.column_meaning(a.atttypid, a.attcollation) as part) p
      where a.attrelid = base.typrelid and a.attnum > 0 and not a.attisdropped;
  end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'type', base.oid::bigint, 'name', format('%I.%I', base.nspname, base.typname),
    'array', case when base.is_array then true end, 'labels', labels, 'shape', shape,
    'collation', nullif(collation_oid, 0)::bigint,
    'collationName', case when collation_oid <> 'pg_catalog."default"'::regcollation then (
      select format('%I.%I', n.nspname, k.collname) from pg_collation k join pg_namespace n on n.oid = k.collnamespace
      where k.oid = collation_oid) end,
    'locale', case when collation_oid = 'pg_catalog."default"'::regcollation then (
      -- The column of an ICU locale has another name in PostgreSQL 15 and 16.
      select concat_ws(' ', d.datlocprovider, d.datcollate, d.datctype,
        coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale'))
      from pg_database d where d.datname = current_database()) end));
end $$;

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
