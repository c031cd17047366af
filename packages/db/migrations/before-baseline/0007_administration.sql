-- Delegated administration: users, roles, members and templates are written through the Data API too, so what must hold
-- of them holds here, for every client.

-- ---------------------------------------------------------------------------
-- Who acts. Whoever writes these records says so in its own transaction; no one else is taken for an administrator.
create function system.act_as(person uuid) returns void
language sql volatile as $$
  select pg_catalog.set_config('rowhouse.actor', coalesce(person::text, ''), true),
         pg_catalog.set_config('rowhouse.origin', '', true)
$$;
comment on function system.act_as is
  'Names, until the transaction ends, the user who makes its changes: select system.act_as(id) from system.users where …';

-- The Data API's own: its changes are entries of the audit log by the triggers below.
create function system.act_from(person uuid, token uuid, address inet, request_id text) returns boolean
language sql volatile as $$
  select pg_catalog.set_config('rowhouse.actor', person::text, true) is not null
    and pg_catalog.set_config('rowhouse.origin', pg_catalog.jsonb_build_object(
          'token', token, 'address', pg_catalog.host(address), 'requestId', request_id)::text, true) is not null
$$;

create function system.actor() returns uuid
language sql stable as $$
  select nullif(pg_catalog.current_setting('rowhouse.actor', true), '')::uuid
$$;

create function system.is_administrator(person uuid) returns boolean
language sql stable as $$
  select exists (
    select 1 from system.role_members m
    join system.roles r on r.id = m.role_id and r.is_administrators
    join system.users u on u.id = m.user_id and u.active
    where m.user_id = person)
$$;

-- Raised by each change of who administers. Two such changes at once write the same row, so the second one sees the
-- first, or fails where its isolation keeps it from seeing.
alter table system.installation add column administrators_version bigint not null default 0;

create function system.require_administrator() returns void
language plpgsql security definer set search_path = pg_catalog, system as $$
begin
  update system.installation set administrators_version = administrators_version + 1;
  if system.is_administrator(system.actor()) then return; end if;
  -- The first one has nobody to make them one.
  if not exists (
    select 1 from system.role_members m
    join system.roles r on r.id = m.role_id and r.is_administrators
    join system.users u on u.id = m.user_id and u.active and not u.is_system
  ) then
    return;
  end if;
  raise exception using errcode = 'RH403', message = 'Only Administrators may do this';
end $$;

create or replace function system.require_active_administrator() returns trigger
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
  update system.installation set administrators_version = administrators_version + 1;
  if not exists (
    select 1 from system.role_members m
    join system.roles r on r.id = m.role_id and r.is_administrators
    join system.users u on u.id = m.user_id and u.active and not u.is_system
  ) then
    raise exception using errcode = 'RH409', message = 'An active administrator must remain';
  end if;
  return null;
end $$;

-- ---------------------------------------------------------------------------
-- Only Administrators change the membership of Administrators, the accounts of its members, the role itself, and the
-- mails that sign-in sends: whoever words the mail with an administrator's link could have it sent elsewhere.
create function system.guard_role_members() returns trigger
language plpgsql security definer set search_path = pg_catalog, system as $$
begin
  if exists (select 1 from system.roles where is_administrators
             and (id = case when tg_op <> 'INSERT' then old.role_id end
               or id = case when tg_op <> 'DELETE' then new.role_id end)) then
    perform system.require_administrator();
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger role_members_guarded before insert or update or delete on system.role_members
  for each row execute function system.guard_role_members();

create function system.guard_users() returns trigger
language plpgsql security definer set search_path = pg_catalog, system as $$
begin
  if tg_op = 'UPDATE' and old.is_system then
    raise exception using errcode = 'RH409', message = 'A system account cannot be changed';
  end if;
  if system.actor() is distinct from old.id
    -- What people change of themselves by a link has no credential; none of it lets anyone in.
    and (system.actor() is not null or tg_op = 'DELETE' or (old.id, old.email, old.active, old.is_system, old.password_hash)
      is distinct from (new.id, new.email, new.active, new.is_system, new.password_hash))
    and exists (select 1 from system.role_members m join system.roles r on r.id = m.role_id and r.is_administrators
                where m.user_id = old.id) then
    perform system.require_administrator();
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger users_guarded before update on system.users
  for each row when ((old.id, old.email, old.name, old.active, old.is_system, old.email_verified_at, old.password_hash,
                      old.time_zone, old.language)
    is distinct from (new.id, new.email, new.name, new.active, new.is_system, new.email_verified_at, new.password_hash,
                      new.time_zone, new.language))
  execute function system.guard_users();
create trigger users_guarded_from_deletion before delete on system.users
  for each row execute function system.guard_users();

create function system.guard_roles() returns trigger
language plpgsql security definer set search_path = pg_catalog, system as $$
begin
  if tg_op = 'UPDATE' and old.is_administrators and system.actor() is not null then
    perform system.require_administrator();
  end if;
  if tg_op = 'DELETE' and exists (select 1 from system.settings
      where key = 'auth.registration_role' and lower(value #>> '{}') = old.id::text) then
    raise exception using errcode = 'RH409', message = 'The setting auth.registration_role names this role';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger roles_guarded before update or delete on system.roles
  for each row execute function system.guard_roles();

create function system.guard_templates() returns trigger
language plpgsql security definer set search_path = pg_catalog, system as $$
begin
  if system.actor() is not null
    and (case when tg_op <> 'INSERT' then old.key end like 'auth.%' or case when tg_op <> 'DELETE' then new.key end like 'auth.%')
    and not system.is_administrator(system.actor()) then
    raise exception using errcode = 'RH403', message = 'Only Administrators may do this';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger templates_guarded before insert or update or delete on system.templates
  for each row execute function system.guard_templates();

create function system.refuse_truncation() returns trigger language plpgsql as $$
begin
  raise exception using errcode = 'RH409', message = 'An active administrator must remain';
end $$;
create trigger users_no_truncate before truncate on system.users
  for each statement execute function system.refuse_truncation();
create trigger roles_no_truncate before truncate on system.roles
  for each statement execute function system.refuse_truncation();
create trigger role_members_no_truncate before truncate on system.role_members
  for each statement execute function system.refuse_truncation();

-- ---------------------------------------------------------------------------
-- What follows from a change of an account, whoever makes it.
create function system.prepare_user() returns trigger language plpgsql as $$
begin
  new.updated_at := system.clock();
  -- Another address is unconfirmed until somebody says otherwise in the same breath.
  if lower(new.email) <> lower(old.email) and new.email_verified_at is not distinct from old.email_verified_at then
    new.email_verified_at := null;
  end if;
  return new;
end $$;
create trigger users_prepared before update of email, name, active, time_zone, language on system.users
  for each row execute function system.prepare_user();

create function system.end_access() returns trigger
language plpgsql security definer set search_path = pg_catalog, system as $$
begin
  -- Links that are on their way to the old address, or to somebody who may not come in any more, lead nowhere.
  delete from system.links where user_id = new.id;
  delete from system.mails where user_id = new.id;
  delete from system.sign_in_codes where user_id = new.id;
  if new.is_system or not new.active then
    delete from system.sessions where user_id = new.id;
  end if;
  if new.is_system then
    delete from system.tokens where user_id = new.id;
    delete from system.provider_accounts where user_id = new.id;
  end if;
  return null;
end $$;
create trigger users_end_access after update of email, active, is_system on system.users
  for each row when ((old.active and not new.active) or (new.is_system and not old.is_system) or lower(new.email) <> lower(old.email))
  execute function system.end_access();

create function system.prepare_template() returns trigger language plpgsql as $$
begin
  new.updated_at := system.clock();
  return new;
end $$;
create trigger templates_prepared before update on system.templates
  for each row execute function system.prepare_template();

alter table system.users add constraint users_email_form
  check (email ~ '^[^@[:space:][:cntrl:]]+@[^@[:space:][:cntrl:]]+$') not valid;
comment on constraint users_email_form on system.users is 'checkMessage: This is not an email address';

-- ---------------------------------------------------------------------------
-- Columns that the service alone writes: for the Data API they are as generated ones.
create view system.managed_columns as
  select to_regclass('system.' || t)::oid as relation_oid, c as column_name
  from (values ('users', 'id'), ('users', 'is_system'), ('users', 'email_verified_at'), ('users', 'last_sign_in_at'),
               ('users', 'version'), ('users', 'created_at'), ('users', 'updated_at'),
               ('roles', 'id'), ('roles', 'is_administrators'), ('roles', 'created_at'), ('role_members', 'created_at'),
               ('templates', 'id'), ('templates', 'created_at'), ('templates', 'updated_at')) s (t, c);

-- Changes that came through the Data API, in the transaction of the change; other clients write their own entries.
create function system.record_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, system as $$
declare
  origin jsonb := nullif(current_setting('rowhouse.origin', true), '')::jsonb;
  was jsonb := '{}';
  is_now jsonb := '{}';
  changed text[];
  verb text := case tg_op when 'INSERT' then 'create' when 'UPDATE' then 'update' else 'delete' end;
begin
  if origin is null then return null; end if;
  if tg_op <> 'INSERT' then was := to_jsonb(old); end if;
  if tg_op <> 'DELETE' then is_now := to_jsonb(new); end if;
  if tg_op <> 'DELETE' then
    select coalesce(array_agg(key order by position), '{}') into changed
    from (select a.attname::text as key, a.attnum as position from pg_attribute a
          where a.attrelid = tg_relid and a.attnum > 0 and not a.attisdropped) c
    where coalesce(is_now -> key, 'null') is distinct from coalesce(was -> key, 'null')
      and not exists (select 1 from system.managed_columns m where m.relation_oid = tg_relid and m.column_name = key)
      and not exists (select 1 from system.secret_columns s where s.relation_oid = tg_relid and s.column_name = key);
    if changed = '{}' then return null; end if;
  end if;
  if tg_argv[0] = 'user' and tg_op = 'UPDATE' and changed = '{active}' then
    verb := case when (is_now ->> 'active')::boolean then 'activate' else 'deactivate' end;
  end if;
  if tg_op = 'DELETE' then is_now := was; end if;
  insert into system.audit_log (actor_user_id, actor_token_id, address, request_id, action, target_kind, target_id, changed_fields)
  values (system.actor(), (origin ->> 'token')::uuid, (origin ->> 'address')::inet, origin ->> 'requestId',
          tg_argv[0] || '.' || verb, tg_argv[0],
          coalesce(is_now ->> 'id', concat(is_now ->> 'role_id', '/', is_now ->> 'user_id')), coalesce(changed, '{}'));
  return null;
end $$;
create trigger users_recorded after insert or update or delete on system.users
  for each row execute function system.record_change('user');
create trigger roles_recorded after insert or update or delete on system.roles
  for each row execute function system.record_change('role');
create trigger role_members_recorded after insert or update or delete on system.role_members
  for each row execute function system.record_change('role_member');
create trigger templates_recorded after insert or update or delete on system.templates
  for each row execute function system.record_change('template');

-- ---------------------------------------------------------------------------
-- The triggers that hold all this hold in every session, one that replays changes as well; and where event triggers can
-- be had, nobody takes them away.
create function system.guards() returns table (relation_name text, trigger_name text)
language sql immutable as $$
  values ('audit_log', 'audit_log_append_only'), ('audit_log', 'audit_log_no_truncate'),
         ('users', 'users_guarded'), ('users', 'users_guarded_from_deletion'), ('users', 'users_no_truncate'),
         ('users', 'users_protected'), ('users', 'users_last_administrator'),
         ('roles', 'roles_guarded'), ('roles', 'roles_protected'), ('roles', 'roles_no_truncate'),
         ('role_members', 'role_members_guarded'), ('role_members', 'role_members_last_administrator'),
         ('role_members', 'role_members_no_truncate'), ('templates', 'templates_guarded'),
         ('sessions', 'sessions_no_system_account'), ('tokens', 'tokens_no_system_account')
$$;

do $$
declare
  guard record;
begin
  for guard in select * from system.guards() loop
    execute format('alter table system.%I enable always trigger %I', guard.relation_name, guard.trigger_name);
  end loop;
end $$;

create function system.require_guards() returns void
language plpgsql as $$
begin
  if exists (select 1 from system.guards() g where not exists (
      select 1 from pg_catalog.pg_trigger t
      where t.tgrelid = to_regclass('system.' || g.relation_name) and t.tgname = g.trigger_name and t.tgenabled = 'A')) then
    raise exception using errcode = 'RH409', message = 'The guards of the system schema cannot be taken away';
  end if;
end $$;

create or replace function system.after_ddl() returns event_trigger
language plpgsql security definer set search_path = pg_catalog, system as $$
begin
  if tg_tag = 'REFRESH MATERIALIZED VIEW' then return; end if;
  if not exists (select 1 from pg_event_trigger_ddl_commands()
                 where schema_name is distinct from 'pg_temp'
                   -- The queue's own tables are no resources; a relation that is moved there was one.
                   and (schema_name is distinct from 'rowhouse_queue' or tg_tag like 'ALTER %')) then
    return;
  end if;
  if tg_tag like 'ALTER %' then perform system.require_guards(); end if;
  perform system.sync_registry();
  perform system.bump_epoch();
end $$;

create or replace function system.after_drop() returns event_trigger
language plpgsql security definer set search_path = pg_catalog, system as $$
begin
  if not exists (select 1 from pg_event_trigger_dropped_objects()
                 where not is_temporary and schema_name is distinct from 'rowhouse_queue') then return; end if;
  -- Dropping the system schema itself must not trip over its own trigger.
  if to_regclass('system.resources') is null or to_regclass('system.epoch') is null then return; end if;
  if exists (select 1 from pg_event_trigger_dropped_objects()
             where object_type in ('trigger', 'table', 'function') and address_names[1] = 'system') then
    perform system.require_guards();
  end if;
  perform system.sync_registry();
  perform system.bump_epoch();
end $$;

create index audit_log_actor on system.audit_log (actor_user_id, id);
create index audit_log_target on system.audit_log (target_id, id);
