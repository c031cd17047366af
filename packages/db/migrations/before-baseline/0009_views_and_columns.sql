-- Refreshes of materialized views, and how resources and their columns are shown.

-- The newest refresh of each materialized view. RUNNING is true only while its transaction holds the advisory lock
-- (system.refresh_lock): a process that died leaves the row behind, but not the lock.
create table system.view_refreshes (
  resource_id uuid primary key references system.resources (id) on delete cascade,
  state text not null check (state in ('RUNNING', 'SUCCEEDED', 'FAILED')),
  -- Whether others can read the view meanwhile.
  beside_readers boolean not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  -- Of the newest refresh that succeeded.
  refreshed_at timestamptz,
  error_code text,
  error_message text,
  constraint view_refreshes_finished check ((state = 'RUNNING') = (finished_at is null)),
  constraint view_refreshes_error check ((state = 'FAILED') = (error_code is not null))
);

create function system.refresh_lock(resource uuid) returns integer
language sql immutable as $$ select pg_catalog.hashtext(resource::text) $$;

-- ---------------------------------------------------------------------------
alter table system.resources
  add column label text check (length(label) between 1 and 200),
  add column description text check (length(description) between 1 and 5000);

-- By attribute number: a renamed column keeps its label, one that was dropped and added again has none.
create table system.resource_columns (
  resource_id uuid not null references system.resources (id) on delete cascade,
  attribute_number smallint not null,
  -- Its name now, to find it again after a dump was restored.
  column_name text not null,
  label text check (length(label) between 1 and 200),
  format jsonb check (jsonb_typeof(format) = 'object'),
  colors jsonb check (jsonb_typeof(colors) = 'array'),
  -- Deferrable, so that a restore can renumber all columns of a resource in one statement.
  primary key (resource_id, attribute_number) deferrable initially immediate
);
create trigger resource_columns_epoch after insert or update or delete or truncate on system.resource_columns
  for each statement execute function system.bump_epoch_after_change();

-- ---------------------------------------------------------------------------
-- Each statement runs only where it finds something to do: a statement's trigger raises the epoch for no row as well, and
-- where there are no event triggers every process calls this before it loads a snapshot.
create or replace function system.sync_registry() returns void
language plpgsql security definer set search_path = pg_catalog, system as $$
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
end $$;
