-- The `system` schema: accounts, roles, grants, the registry of resources, settings,
-- the audit log, and the epoch that proves caches current.
create schema if not exists system;

-- ---------------------------------------------------------------------------
-- The epoch: the sum over four counters. A transaction that changes what a
-- cache may hold adds one to the counter of its backend, so two such transactions
-- seldom wait for one another, and the sum differs for every later snapshot.
create table system.epoch (
  slot smallint primary key check (slot between 0 and 3),
  -- An integer, because every request adds the four up, and integers add up fastest.
  value integer not null
) with (fillfactor = 10);
insert into system.epoch (slot, value) select s, 1 from generate_series(0, 3) s;

create function system.bump_epoch() returns void
language sql as $$
  update system.epoch set value = value + 1 where slot = pg_backend_pid() % 4
$$;

create function system.epoch() returns text
language sql stable as $$
  select sum(value)::text from system.epoch
$$;

create function system.bump_epoch_after_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, system as $$
begin
  perform system.bump_epoch();
  return null;
end $$;

-- ---------------------------------------------------------------------------
-- People and machines.
create function system.is_time_zone(name text) returns boolean
language plpgsql immutable as $$
begin
  perform timestamptz 'epoch' at time zone name;
  return true;
exception when others then
  return false;
end $$;

create table system.users (
  id uuid primary key default gen_random_uuid(),
  email text not null check (length(email) between 3 and 320),
  name text not null default '' check (length(name) <= 200),
  active boolean not null default true,
  is_system boolean not null default false,
  email_verified_at timestamptz,
  password_hash text,
  time_zone text check (system.is_time_zone(time_zone)),
  language text,
  failed_sign_ins integer not null default 0,
  locked_until timestamptz,
  last_sign_in_at timestamptz,
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint users_system_account_has_no_password check (not is_system or password_hash is null)
);
create unique index users_email_key on system.users (lower(email));
comment on column system.users.version is
  'Raised by every change to what this person may do; cached principals are checked against it.';

create table system.roles (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 100),
  description text not null default '',
  api_access boolean not null default true,
  token_creation boolean not null default false,
  is_administrators boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index roles_name_key on system.roles (lower(name));
create unique index roles_one_administrators on system.roles (is_administrators) where is_administrators;

create table system.role_members (
  role_id uuid not null references system.roles (id) on delete cascade,
  user_id uuid not null references system.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (role_id, user_id)
);
create index role_members_user on system.role_members (user_id);

create table system.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references system.users (id) on delete cascade,
  digest bytea not null unique,
  method text not null,
  address inet,
  user_agent text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user on system.sessions (user_id);
create index sessions_expiry on system.sessions (expires_at);

insert into system.roles (name, description, api_access, token_creation, is_administrators)
values ('Administrators', 'Every action on every exposed resource, and the Admin API', true, true, true);
insert into system.users (email, name, is_system)
values ('workflows@system.invalid', 'Workflows', true);

-- ---------------------------------------------------------------------------
-- Resources and grants. A resource is bound to its relation's OID; schema and
-- name are kept to find it again after a dump was restored (see sync_registry).
create table system.resources (
  id uuid primary key default gen_random_uuid(),
  relation_oid oid not null,
  schema_name text not null,
  relation_name text not null,
  kind text not null check (kind in ('TABLE', 'VIEW')),
  exposed_methods text[] not null default '{}'
    check (exposed_methods <@ array['GET', 'POST', 'PATCH', 'DELETE']),
  created_at timestamptz not null default now(),
  constraint resources_view_is_read_only check (kind = 'TABLE' or exposed_methods <@ array['GET']),
  -- Deferrable, so that binding all records anew after a restore is one statement.
  constraint resources_relation_oid_key unique (relation_oid) deferrable initially immediate
);

create table system.grants (
  id uuid primary key default gen_random_uuid(),
  role_id uuid not null references system.roles (id) on delete cascade,
  resource_id uuid not null references system.resources (id) on delete cascade,
  action text not null check (action in ('READ', 'CREATE', 'UPDATE', 'DELETE')),
  all_fields boolean not null,
  row_filter jsonb,
  row_check jsonb,
  presets jsonb not null default '{}',
  created_at timestamptz not null default now(),
  unique (role_id, resource_id, action)
);
create index grants_resource on system.grants (resource_id);
comment on column system.grants.all_fields is 'Every field of the resource, also those added later';

-- Every column that a grant mentions, by attribute number: a column that was dropped and
-- added again has another number, so the grant regains nothing.
create table system.grant_columns (
  grant_id uuid not null references system.grants (id) on delete cascade,
  usage text not null check (usage in ('FIELD', 'FILTER', 'CHECK', 'PRESET')),
  attribute_number smallint not null,
  -- The column's name as the grant's own filter, check and presets write it, and its name now.
  mention text not null,
  column_name text not null,
  -- The related resource that the column belongs to; null for the grant's own.
  path_resource_id uuid references system.resources (id) on delete cascade,
  primary key (grant_id, usage, mention)
);

create table system.settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  updated_by uuid references system.users (id) on delete set null
);

-- ---------------------------------------------------------------------------
create table system.audit_log (
  id bigint generated always as identity primary key,
  occurred_at timestamptz not null default now(),
  actor_user_id uuid,
  actor_token_id uuid,
  action text not null,
  target_kind text not null,
  target_id text,
  changed_fields text[] not null default '{}',
  outcome text not null default 'SUCCEEDED' check (outcome in ('SUCCEEDED', 'FAILED')),
  address inet,
  request_id text
);
create index audit_log_time on system.audit_log (occurred_at desc);

create function system.refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception using errcode = 'RH409', message = 'The audit log is append-only';
end $$;
create trigger audit_log_append_only before update or delete on system.audit_log
  for each row execute function system.refuse_audit_change();
create trigger audit_log_no_truncate before truncate on system.audit_log
  for each statement execute function system.refuse_audit_change();

-- ---------------------------------------------------------------------------
-- Who is told of what changed.
create trigger roles_epoch after insert or update or delete or truncate on system.roles
  for each statement execute function system.bump_epoch_after_change();
create trigger grants_epoch after insert or update or delete or truncate on system.grants
  for each statement execute function system.bump_epoch_after_change();
create trigger grant_columns_epoch after insert or update or delete or truncate on system.grant_columns
  for each statement execute function system.bump_epoch_after_change();
create trigger resources_epoch after insert or update or delete or truncate on system.resources
  for each statement execute function system.bump_epoch_after_change();
create trigger settings_epoch after insert or update or delete or truncate on system.settings
  for each statement execute function system.bump_epoch_after_change();

create function system.raise_user_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
create trigger users_version before update of active, is_system on system.users
  for each row when (old.active is distinct from new.active or old.is_system is distinct from new.is_system)
  execute function system.raise_user_version();

create function system.raise_member_version() returns trigger
language plpgsql security definer set search_path = pg_catalog, system as $$
begin
  if tg_op in ('DELETE', 'UPDATE') then
    update system.users set version = version + 1 where id = old.user_id;
  end if;
  if tg_op in ('INSERT', 'UPDATE') then
    update system.users set version = version + 1 where id = new.user_id;
  end if;
  return null;
end $$;
create trigger role_members_version after insert or update or delete on system.role_members
  for each row execute function system.raise_member_version();

-- ---------------------------------------------------------------------------
-- Invariants that hold whichever client writes.
create function system.require_active_administrator() returns trigger
language plpgsql security definer set search_path = pg_catalog, system as $$
begin
  if tg_table_name = 'role_members' then
    if not exists (select 1 from system.roles where id = old.role_id and is_administrators) then
      return null;
    end if;
  elsif not exists (select 1 from system.role_members m join system.roles r on r.id = m.role_id
                    where m.user_id = old.id and r.is_administrators) then
    return null;
  end if;
  -- The lock makes two removals at once wait for one another.
  perform 1 from system.roles where is_administrators for update;
  if not exists (
    select 1 from system.role_members m
    join system.roles r on r.id = m.role_id and r.is_administrators
    join system.users u on u.id = m.user_id and u.active and not u.is_system
  ) then
    raise exception using errcode = 'RH409', message = 'An active administrator must remain';
  end if;
  return null;
end $$;
create trigger users_last_administrator after update of active, is_system on system.users
  for each row when (old.active and (not new.active or new.is_system))
  execute function system.require_active_administrator();
create trigger role_members_last_administrator after delete or update on system.role_members
  for each row execute function system.require_active_administrator();

create function system.protect_users() returns trigger language plpgsql as $$
begin
  if old.is_system then
    raise exception using errcode = 'RH409', message = 'A system account cannot be deleted';
  end if;
  return old;
end $$;
create trigger users_protected before delete on system.users
  for each row execute function system.protect_users();

create function system.protect_roles() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.is_administrators then
      raise exception using errcode = 'RH409', message = 'Administrators cannot be deleted';
    end if;
    return old;
  end if;
  if old.is_administrators and (not new.is_administrators or not new.api_access) then
    raise exception using errcode = 'RH409', message = 'Administrators keep their rights';
  end if;
  return new;
end $$;
create trigger roles_protected before update or delete on system.roles
  for each row execute function system.protect_roles();

create function system.refuse_system_session() returns trigger
language plpgsql security definer set search_path = pg_catalog, system as $$
begin
  if exists (select 1 from system.users where id = new.user_id and is_system) then
    raise exception using errcode = 'RH409', message = 'A system account holds no session';
  end if;
  return new;
end $$;
create trigger sessions_no_system_account before insert or update on system.sessions
  for each row execute function system.refuse_system_session();

-- Called from the RETURNING list of a write whose new row a grant does not allow;
-- the exception undoes the statement.
create function system.refuse_row() returns boolean language plpgsql volatile as $$
begin
  raise exception using errcode = 'RH403', message = 'The new row is not allowed';
end $$;

-- ---------------------------------------------------------------------------
-- The registry. `self_oid` is the OID that system.installation had when the registry was last
-- in step: another value means that a dump was restored and every OID is new.
create table system.installation (
  singleton boolean primary key default true check (singleton),
  id uuid not null default gen_random_uuid(),
  self_oid oid not null,
  -- Signs the cursors of lists, for every process of this installation.
  cursor_key text not null default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  created_at timestamptz not null default now()
);
insert into system.installation (self_oid) values ('system.installation'::regclass::oid);

-- Columns that do not exist for the Data API, whoever asks.
create view system.secret_columns as
  select to_regclass('system.' || t)::oid as relation_oid, c as column_name
  from (values ('users', 'password_hash'), ('sessions', 'digest')) s (t, c);

-- Views through which a secret column could be read: those that depend on one, those with a
-- whole-row reference to a table that has one, and views over such views.
create view system.secret_views as
  with recursive reads as (
    select distinct w.ev_class as view_oid, d.refobjid as read_oid, a.attname::text as column_name,
           w.ev_action::text like '%:varattno 0 %' as whole_row
    from pg_catalog.pg_rewrite w
    join pg_catalog.pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
      and d.refclassid = 'pg_class'::regclass and d.refobjid <> w.ev_class
    left join pg_catalog.pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
  ), tainted (view_oid) as (
    select r.view_oid from reads r join system.secret_columns s on s.relation_oid = r.read_oid
      and (s.column_name = r.column_name or r.whole_row)
    union
    select r.view_oid from tainted t join reads r on r.read_oid = t.view_oid
  )
  select view_oid from tainted;

-- The relations that are resources. Of the system schema only the records that are meant to be
-- read as data; never a relation of Postgres, of a temporary schema or of the queue.
create view system.registrable_relations as
  select c.oid as relation_oid, n.nspname::text as schema_name, c.relname::text as relation_name,
         case when c.relkind in ('v', 'm') then 'VIEW' else 'TABLE' end as kind
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'f', 'v', 'm')
    and c.relpersistence <> 't'
    and n.nspname !~ '^pg_'
    and n.nspname not in ('information_schema', 'rowhouse_queue')
    and (n.nspname <> 'system' or c.relname in ('users', 'roles', 'role_members'))
    and c.oid not in (select view_oid from system.secret_views);

create function system.sync_registry() returns void
language plpgsql security definer set search_path = pg_catalog, system as $$
begin
  if not exists (select 1 from system.installation where self_oid = 'system.installation'::regclass::oid) then
    -- A restored dump: bind every record again by schema and name. Records without a relation go.
    delete from system.resources r where not exists (
      select 1 from system.registrable_relations c
      where c.schema_name = r.schema_name and c.relation_name = r.relation_name and c.kind = r.kind);
    update system.resources r set relation_oid = c.relation_oid
      from system.registrable_relations c
      where c.schema_name = r.schema_name and c.relation_name = r.relation_name;
    -- Attribute numbers are new as well where columns had been dropped before the dump.
    delete from system.grant_columns gc using system.grants g, system.resources r
      where g.id = gc.grant_id and r.id = coalesce(gc.path_resource_id, g.resource_id) and gc.usage = 'FIELD' and not exists (
        select 1 from pg_attribute a where a.attrelid = r.relation_oid and a.attname = gc.column_name
          and a.attnum > 0 and not a.attisdropped);
    update system.grant_columns gc set attribute_number = a.attnum
      from system.grants g, system.resources r, pg_attribute a
      where g.id = gc.grant_id and r.id = coalesce(gc.path_resource_id, g.resource_id) and a.attrelid = r.relation_oid
        and a.attname = gc.column_name and a.attnum > 0 and not a.attisdropped;
    update system.installation set self_oid = 'system.installation'::regclass::oid;
  end if;

  delete from system.resources r where not exists (
    select 1 from system.registrable_relations c where c.relation_oid = r.relation_oid and c.kind = r.kind);
  update system.resources r set schema_name = c.schema_name, relation_name = c.relation_name
    from system.registrable_relations c
    where c.relation_oid = r.relation_oid
      and (c.schema_name, c.relation_name) is distinct from (r.schema_name, r.relation_name);
  insert into system.resources (relation_oid, schema_name, relation_name, kind)
    select c.relation_oid, c.schema_name, c.relation_name, c.kind
    from system.registrable_relations c
    where not exists (select 1 from system.resources r where r.relation_oid = c.relation_oid);
  -- A renamed column keeps its grants; the name is kept for the next restore.
  update system.grant_columns gc set column_name = a.attname
    from system.grants g, system.resources r, pg_attribute a
    where g.id = gc.grant_id and r.id = coalesce(gc.path_resource_id, g.resource_id) and a.attrelid = r.relation_oid
      and a.attnum = gc.attribute_number and not a.attisdropped and a.attname <> gc.column_name;
end $$;

-- What a cached description of a relation rests on, for logins that may not create event triggers.
create function system.relation_fingerprint(relation oid) returns text
language sql stable as $$
  select md5(concat_ws('|', n.nspname, c.relname, c.relkind::text,
    (select string_agg(concat_ws(',', a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull,
              a.attidentity::text, a.attgenerated::text, a.atthasdef), ';' order by a.attnum)
       from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
    (select string_agg(concat_ws(',', k.oid, k.conname, k.contype::text, d.description), ';' order by k.oid)
       from pg_catalog.pg_constraint k
       left join pg_catalog.pg_description d on d.objoid = k.oid and d.classoid = 'pg_constraint'::regclass
       where k.conrelid = c.oid),
    (select string_agg(concat_ws(',', w.oid, w.xmin), ';' order by w.oid)
       from pg_catalog.pg_rewrite w where w.ev_class = c.oid)))
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation
$$;

create function system.catalogue_fingerprint() returns text
language sql stable as $$
  select md5(string_agg(concat_ws(',', relation_oid, schema_name, relation_name, kind), ';' order by relation_oid))
  from system.registrable_relations
$$;

-- Event triggers keep registry and epoch in step inside the transaction that changes the
-- catalogue. `install_event_triggers` returns false where the login may not create them.
create function system.after_ddl() returns event_trigger
language plpgsql security definer set search_path = pg_catalog, system as $$
begin
  if tg_tag = 'REFRESH MATERIALIZED VIEW' then return; end if;
  if not exists (select 1 from pg_event_trigger_ddl_commands()
                 where schema_name is distinct from 'pg_temp'
                   -- The queue's own tables are no resources; a relation that is moved there was one.
                   and (schema_name is distinct from 'rowhouse_queue' or tg_tag like 'ALTER %')) then
    return;
  end if;
  perform system.sync_registry();
  perform system.bump_epoch();
end $$;

create function system.after_drop() returns event_trigger
language plpgsql security definer set search_path = pg_catalog, system as $$
begin
  if not exists (select 1 from pg_event_trigger_dropped_objects()
                 where not is_temporary and schema_name is distinct from 'rowhouse_queue') then return; end if;
  -- Dropping the system schema itself must not trip over its own trigger.
  if to_regclass('system.resources') is null or to_regclass('system.epoch') is null then return; end if;
  perform system.sync_registry();
  perform system.bump_epoch();
end $$;

create function system.install_event_triggers() returns boolean
language plpgsql as $$
begin
  if not exists (select 1 from pg_event_trigger where evtname = 'rowhouse_after_ddl') then
    create event trigger rowhouse_after_ddl on ddl_command_end execute function system.after_ddl();
  end if;
  if not exists (select 1 from pg_event_trigger where evtname = 'rowhouse_after_drop') then
    create event trigger rowhouse_after_drop on sql_drop execute function system.after_drop();
  end if;
  return true;
exception when insufficient_privilege then
  return false;
end $$;

select system.sync_registry();
