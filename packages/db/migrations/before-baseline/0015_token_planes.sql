-- What a token may not do by the Data API any more than elsewhere: a token of the api plane makes nobody an administrator,
-- whoever owns it, and no token changes the address that its owner signs in with.
create function system.acting_token() returns uuid
language sql stable as $$
  select (nullif(pg_catalog.current_setting('rowhouse.origin', true), '')::jsonb ->> 'token')::uuid
$$;

create function system.acts_as_administrator() returns boolean
language sql stable as $$
  select system.is_administrator(system.actor())
    and not exists (select 1 from system.tokens where id = system.acting_token() and plane <> 'admin')
$$;

create or replace function system.require_administrator() returns void
language plpgsql security definer set search_path = pg_catalog, system as $$
begin
  update system.installation set administrators_version = administrators_version + 1;
  if system.acts_as_administrator() then return; end if;
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

create or replace function system.guard_users() returns trigger
language plpgsql security definer set search_path = pg_catalog, system as $$
declare
  is_own boolean := system.actor() is not distinct from old.id;
begin
  if tg_op = 'UPDATE' and old.is_system then
    raise exception using errcode = 'RH409', message = 'A system account cannot be changed';
  end if;
  if tg_op = 'UPDATE' and is_own and system.acting_token() is not null and new.email is distinct from old.email then
    raise exception using errcode = 'RH403', message = 'A token does not change the address of its owner';
  end if;
  if (not is_own or system.acting_token() is not null)
    -- What people change of themselves by a link has no credential; none of it lets anyone in.
    and (system.actor() is not null or tg_op = 'DELETE' or (old.id, old.email, old.active, old.is_system, old.password_hash)
      is distinct from (new.id, new.email, new.active, new.is_system, new.password_hash))
    and exists (select 1 from system.role_members m join system.roles r on r.id = m.role_id and r.is_administrators
                where m.user_id = old.id) then
    perform system.require_administrator();
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;

create or replace function system.guard_templates() returns trigger
language plpgsql security definer set search_path = pg_catalog, system as $$
begin
  if system.actor() is not null
    and (case when tg_op <> 'INSERT' then old.key end like 'auth.%' or case when tg_op <> 'DELETE' then new.key end like 'auth.%')
    and not system.acts_as_administrator() then
    raise exception using errcode = 'RH403', message = 'Only Administrators may do this';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
