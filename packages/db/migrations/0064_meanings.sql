-- What a column meant when a grant or a reading named it: its type, its collation and the labels of
-- its enum, as OIDs and as names. A condition whose column means something else now is never reinterpreted.

-- Describes the type of a column, as JSON: `type` and `name` of the type that its values have without domains and arrays,
-- `array`, `labels` of an enum by their OIDs, `shape` of a composite, `collation`, and the `locale` of the default collation.
create function system.column_meaning(type oid, collation_oid oid) returns jsonb
language plpgsql stable set search_path = pg_catalog as $function$
declare
  base record;
  labels jsonb;
  shape text;
begin
  select e.oid, n.nspname, e.typname, e.typtype, e.typrelid, m.oid <> b.oid as is_array into base
    from pg_type t
    join pg_type b on b.oid = case when t.typtype = 'd' then system.base_of_domain(t.oid) else t.oid end
    join pg_type m on m.oid = coalesce((select i.oid from pg_type i where i.typarray = b.oid), b.oid)
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
end $function$;

-- A domain can be based on a domain.
create function system.base_of_domain(domain oid) returns oid
language sql stable set search_path = pg_catalog as $function$
  with recursive bases as (
    select t.typbasetype as oid from pg_type t where t.oid = domain and t.typtype = 'd'
    union all
    select t.typbasetype from bases b join pg_type t on t.oid = b.oid and t.typtype = 'd'
  )
  select b.oid from bases b join pg_type t on t.oid = b.oid and t.typtype <> 'd'
$function$;

-- Finds the type, the collation and the labels of a meaning by their names, after a restore. What has no such name any more
-- has no OID, and differs from every column.
create function system.rebound_meaning(meaning text) returns text
language sql stable set search_path = pg_catalog as $function$
  select (m.value - 'labels' - 'collation' || jsonb_strip_nulls(jsonb_build_object(
    'type', coalesce(n.type, 0),
    'labels', case when m.value ? 'labels' then coalesce((
      select jsonb_object_agg(e.oid::text, e.enumlabel) from jsonb_each_text(m.value -> 'labels') l
      join pg_enum e on e.enumtypid = n.type::oid and e.enumlabel = l.value), '{}') end,
    'collation', case when m.value ? 'collation' then
      case when m.value ? 'collationName' then coalesce(to_regcollation(m.value ->> 'collationName')::oid::bigint, 0)
        else (m.value ->> 'collation')::bigint end end)))::text
  from (select meaning::jsonb as value) m,
    lateral (select to_regtype(m.value ->> 'name')::oid::bigint as type) n
  where meaning is not null
$function$;

-- The same for each meaning in an object of meanings, or of lists of them.
create function system.rebound_meanings(meanings jsonb) returns jsonb
language plpgsql stable set search_path = pg_catalog as $function$
begin
  case jsonb_typeof(meanings)
    when 'object' then
      return coalesce((select jsonb_object_agg(m.key, system.rebound_meanings(m.value)) from jsonb_each(meanings) m), '{}');
    when 'array' then
      return coalesce((select jsonb_agg(system.rebound_meanings(m.value) order by m.place)
        from jsonb_array_elements(meanings) with ordinality m (value, place)), '[]');
    when 'string' then return to_jsonb(system.rebound_meaning(meanings #>> '{}'));
    else return meanings;
  end case;
end $function$;

-- The meaning of the mentioned column; and in `beside`, those of the columns by which its path leads from one row to the
-- next, and of the columns of users that its conditions name.
alter table system.grant_columns add column meaning text, add column beside jsonb;
alter table system.reading_columns add column meaning text;

-- Code of an earlier build writes no meaning.
create function system.complete_meaning() returns trigger
language plpgsql security definer set search_path = pg_catalog, system, pg_temp as $function$
begin
  if new.meaning is null then
    select system.column_meaning(a.atttypid, a.attcollation)::text into new.meaning
      from system.resources r join pg_attribute a on a.attrelid = r.relation_oid
      where a.attnum = new.attribute_number and not a.attisdropped and r.id = coalesce(new.path_resource_id,
        case when tg_table_name = 'grant_columns' then (select g.resource_id from system.grants g where g.id = (to_jsonb(new) ->> 'grant_id')::uuid) end);
  end if;
  return new;
end $function$;
create trigger grant_columns_meaning before insert on system.grant_columns
  for each row execute function system.complete_meaning();
create trigger reading_columns_meaning before insert on system.reading_columns
  for each row execute function system.complete_meaning();
alter table system.grant_columns enable always trigger grant_columns_meaning;
alter table system.reading_columns enable always trigger reading_columns_meaning;

update system.grant_columns gc set meaning = system.column_meaning(a.atttypid, a.attcollation)::text
  from system.grants g, system.resources r, pg_catalog.pg_attribute a
  where g.id = gc.grant_id and r.id = coalesce(gc.path_resource_id, g.resource_id)
    and a.attrelid = r.relation_oid and a.attnum = gc.attribute_number and not a.attisdropped;
update system.reading_columns rc set meaning = system.column_meaning(a.atttypid, a.attcollation)::text
  from system.resources r, pg_catalog.pg_attribute a
  where r.id = rc.path_resource_id and a.attrelid = r.relation_oid and a.attnum = rc.attribute_number and not a.attisdropped;

-- The meanings of the columns that the filter of a published workflow names, by their names; those of the columns that the
-- filter of a saved view names, by their paths.
alter table system.workflow_watches add column meanings jsonb;
alter table system.saved_views add column meanings jsonb;

-- The meanings of the columns of a relation whose names are in a filter of events, by their names.
create function system.filter_meanings(relation oid, filter text) returns jsonb
language sql stable set search_path = pg_catalog as $function$
  select jsonb_object_agg(a.attname, system.column_meaning(a.atttypid, a.attcollation)::text)
  from pg_attribute a
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
    and filter ~ ('(?<!\w)' || regexp_replace(a.attname, '([^[:alnum:]_])', '\\\1', 'g') || '(?!\w)')
$function$;

-- The columns that mean something else to the filter of a published workflow than when it was published; null if there are
-- none. The filter reads JSON, in which the types of one family look alike, and no collation counts.
create function system.changed_in_filter(workflow uuid) returns text
language sql stable set search_path = pg_catalog as $function$
  select string_agg(m.key, ', ' order by m.key)
  from system.workflow_watches w
  join system.resources r on r.id = w.resource_id
  cross join lateral jsonb_each_text(w.meanings) m
  join pg_attribute a on a.attrelid = r.relation_oid and a.attname = m.key and a.attnum > 0 and not a.attisdropped
  cross join lateral (select m.value::jsonb as was, system.column_meaning(a.atttypid, a.attcollation) as is_now) p
  where w.workflow_id = workflow and (
    p.was -> 'type' <> p.is_now -> 'type' and not exists (
      select from (values (array['pg_catalog.int2', 'pg_catalog.int4', 'pg_catalog.int8']),
        (array['pg_catalog."varchar"', 'pg_catalog.text'])) f (names)
      where p.was ->> 'name' = any (f.names) and p.is_now ->> 'name' = any (f.names))
    or p.was -> 'array' is distinct from p.is_now -> 'array' or p.was -> 'shape' is distinct from p.is_now -> 'shape'
    or exists (select from jsonb_each_text(p.was -> 'labels') l where l.value is distinct from p.is_now -> 'labels' ->> l.key))
$function$;

update system.workflow_watches w set meanings = system.filter_meanings(r.relation_oid, v.definition #>> '{trigger,filter}')
  from system.resources r, system.workflows f, system.workflow_versions v
  where r.id = w.resource_id and f.id = w.workflow_id and v.id = f.published_version_id;

-- The only change: what columns meant is found again after a restore.
CREATE OR REPLACE FUNCTION system.sync_registry()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
declare
  gone boolean;
  moved boolean;
  added boolean;
begin
  if not exists (select 1 from system.installation where self_oid = 'system.installation'::regclass::oid) then
    -- A restored dump: bind every record again by schema and name. Records without a relation go.
    delete from system.resources r where not exists (
      select 1 from system.registrable_relations c
      where c.schema_name = r.schema_name and c.relation_name = r.relation_name and c.kind = r.kind);
    update system.resources r set relation_oid = c.relation_oid
      from system.registrable_relations c
      where c.schema_name = r.schema_name and c.relation_name = r.relation_name;
    -- Attribute numbers are new as well where columns had been dropped before the dump. A filter, check or preset that
    -- has lost its column keeps none: its old number may be another column's now.
    delete from system.grant_columns gc using system.grants g, system.resources r
      where g.id = gc.grant_id and r.id = coalesce(gc.path_resource_id, g.resource_id) and gc.usage = 'FIELD' and not exists (
        select 1 from pg_attribute a where a.attrelid = r.relation_oid and a.attname = gc.column_name
          and a.attnum > 0 and not a.attisdropped);
    update system.grant_columns gc set attribute_number = coalesce((
        select a.attnum from pg_attribute a where a.attrelid = r.relation_oid and a.attname = gc.column_name
          and a.attnum > 0 and not a.attisdropped), 0)
      from system.grants g, system.resources r
      where g.id = gc.grant_id and r.id = coalesce(gc.path_resource_id, g.resource_id);
    delete from system.resource_columns rc using system.resources r
      where r.id = rc.resource_id and not exists (
        select 1 from pg_attribute a where a.attrelid = r.relation_oid and a.attname = rc.column_name
          and a.attnum > 0 and not a.attisdropped);
    update system.resource_columns rc set attribute_number = a.attnum
      from system.resources r, pg_attribute a
      where r.id = rc.resource_id and a.attrelid = r.relation_oid and a.attname = rc.column_name
        and a.attnum > 0 and not a.attisdropped;
    delete from system.reading_columns rc using system.resources r
      where r.id = rc.path_resource_id and not exists (
        select 1 from pg_attribute a where a.attrelid = r.relation_oid and a.attname = rc.column_name
          and a.attnum > 0 and not a.attisdropped);
    update system.reading_columns rc set attribute_number = a.attnum
      from system.resources r, pg_attribute a
      where r.id = rc.path_resource_id and a.attrelid = r.relation_oid and a.attname = rc.column_name
        and a.attnum > 0 and not a.attisdropped;
    -- Types, collations and labels have new OIDs, and are found by their names.
    update system.grant_columns set meaning = system.rebound_meaning(meaning), beside = system.rebound_meanings(beside);
    update system.reading_columns set meaning = system.rebound_meaning(meaning);
    update system.workflow_watches set meanings = system.rebound_meanings(meanings) where meanings is not null;
    update system.saved_views set meanings = system.rebound_meanings(meanings) where meanings is not null;
    update system.installation set self_oid = 'system.installation'::regclass::oid;
  end if;

  with c as materialized (select * from system.registrable_relations)
  select bool_or(c.relation_oid is null or c.kind <> r.kind), bool_or(r.id is null),
         bool_or((c.schema_name, c.relation_name) is distinct from (r.schema_name, r.relation_name))
    into gone, added, moved
    from c full join system.resources r on r.relation_oid = c.relation_oid;
  if gone then
    delete from system.resources r where not exists (
      select 1 from system.registrable_relations c where c.relation_oid = r.relation_oid and c.kind = r.kind);
  end if;
  if moved then
    update system.resources r set schema_name = c.schema_name, relation_name = c.relation_name
      from system.registrable_relations c
      where c.relation_oid = r.relation_oid
        and (c.schema_name, c.relation_name) is distinct from (r.schema_name, r.relation_name);
  end if;
  if added or gone then
    insert into system.resources (relation_oid, schema_name, relation_name, kind)
      select c.relation_oid, c.schema_name, c.relation_name, c.kind
      from system.registrable_relations c
      where not exists (select 1 from system.resources r where r.relation_oid = c.relation_oid);
  end if;

  -- A renamed column keeps its grants and its label; the name is kept for the next restore. What named a column that is
  -- gone goes as well, or loses its name: after a restore it would find another column of this name.
  if exists (
    select 1 from system.grant_columns gc
    join system.grants g on g.id = gc.grant_id
    join system.resources r on r.id = coalesce(gc.path_resource_id, g.resource_id)
    left join pg_attribute a on a.attrelid = r.relation_oid and a.attnum = gc.attribute_number and not a.attisdropped
    where gc.column_name <> coalesce(a.attname, '')
  ) then
    delete from system.grant_columns gc using system.grants g, system.resources r
      where g.id = gc.grant_id and r.id = coalesce(gc.path_resource_id, g.resource_id) and gc.usage = 'FIELD'
        and not exists (select 1 from pg_attribute a where a.attrelid = r.relation_oid
          and a.attnum = gc.attribute_number and not a.attisdropped);
    update system.grant_columns gc set column_name = coalesce((
        select a.attname from pg_attribute a where a.attrelid = r.relation_oid
          and a.attnum = gc.attribute_number and not a.attisdropped), '')
      from system.grants g, system.resources r
      where g.id = gc.grant_id and r.id = coalesce(gc.path_resource_id, g.resource_id);
  end if;
  if exists (
    select 1 from system.resource_columns rc
    join system.resources r on r.id = rc.resource_id
    left join pg_attribute a on a.attrelid = r.relation_oid and a.attnum = rc.attribute_number and not a.attisdropped
    where rc.column_name <> coalesce(a.attname, '')
  ) then
    delete from system.resource_columns rc using system.resources r
      where r.id = rc.resource_id and not exists (select 1 from pg_attribute a where a.attrelid = r.relation_oid
        and a.attnum = rc.attribute_number and not a.attisdropped);
    update system.resource_columns rc set column_name = a.attname
      from system.resources r, pg_attribute a
      where r.id = rc.resource_id and a.attrelid = r.relation_oid and a.attnum = rc.attribute_number
        and not a.attisdropped and a.attname <> rc.column_name;
  end if;
  if exists (
    select 1 from system.reading_columns rc
    join system.resources r on r.id = rc.path_resource_id
    left join pg_attribute a on a.attrelid = r.relation_oid and a.attnum = rc.attribute_number and not a.attisdropped
    where rc.column_name <> coalesce(a.attname, '')
  ) then
    delete from system.reading_columns rc using system.resources r
      where r.id = rc.path_resource_id and not exists (select 1 from pg_attribute a where a.attrelid = r.relation_oid
        and a.attnum = rc.attribute_number and not a.attisdropped);
    update system.reading_columns rc set column_name = a.attname
      from system.resources r, pg_attribute a
      where r.id = rc.path_resource_id and a.attrelid = r.relation_oid and a.attnum = rc.attribute_number
        and not a.attisdropped and a.attname <> rc.column_name;
  end if;
end $function$;
