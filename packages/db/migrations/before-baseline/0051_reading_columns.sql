-- Place and picture in the navigation, and how often an open dashboard reads again.
alter table system.data_views
  add column icon text check (icon ~ '^[a-z0-9-]{1,40}$'),
  add column position integer not null default 0;
alter table system.dashboards
  add column icon text check (icon ~ '^[a-z0-9-]{1,40}$'),
  add column position integer not null default 0,
  add column refresh_seconds integer check (refresh_seconds between 10 and 86400);

-- The columns that DataViews and dashboards name, bound by number, so that a rename changes no view. A definition keeps its
-- text; what it calls `mention` has the name `relation_path` and `column_name` together now.
create table system.reading_columns (
  id bigint generated always as identity primary key,
  data_view_id uuid references system.data_views (id) on delete cascade,
  dashboard_id uuid references system.dashboards (id) on delete cascade,
  -- The resource where the path begins, and the one that has the column.
  resource_id uuid not null references system.resources (id) on delete cascade,
  path_resource_id uuid not null references system.resources (id) on delete cascade,
  mention text not null,
  -- The relations of the path with a trailing dot; empty for a column of the resource itself.
  relation_path text not null,
  attribute_number smallint not null,
  column_name text not null,
  check (num_nonnulls(data_view_id, dashboard_id) = 1)
);
create unique index reading_columns_data_view on system.reading_columns (data_view_id, resource_id, mention);
create unique index reading_columns_dashboard on system.reading_columns (dashboard_id, resource_id, mention);
create index reading_columns_resource on system.reading_columns (resource_id);
create index reading_columns_path_resource on system.reading_columns (path_resource_id);

-- As before, and the columns of readings. A reading that names a dropped column loses the binding, not the name.
create or replace function system.sync_registry() returns void
language plpgsql security definer set search_path = pg_catalog, system, pg_temp as $$
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
end $$;
