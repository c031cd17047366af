-- A token does not change how its owner signs in, whichever API it calls and whichever run it starts. The guards of accounts
-- read the token and the run of a transaction; what they announce waits in the outbox of mails.

-- ---------------------------------------------------------------------------
-- The one folding of addresses: two that it makes equal are one address, in accounts, throttles, invitations and domains.
-- JavaScript folds other letters than PostgreSQL does, so it folds no address. The planner replaces the call by its body,
-- which the unique index on lower(email) has.
create function system.fold_address(address text) returns text
language sql immutable parallel safe as $$
  select pg_catalog.lower(address)
$$;

-- ---------------------------------------------------------------------------
-- Who acts, with which credential.

-- For changes whose audit entries the application writes. The guards read the token; triggers write no second entry.
create function system.act_for_request(person uuid, token uuid, address inet, request_id text) returns void
language sql volatile as $$
  select pg_catalog.set_config('rowhouse.actor', coalesce(person::text, ''), true),
         pg_catalog.set_config('rowhouse.origin', pg_catalog.jsonb_build_object(
           'token', token, 'address', pg_catalog.host(address), 'requestId', request_id, 'recorded', true)::text, true)
$$;

-- The run that writes in this transaction (set by its row steps).
create function system.acting_run() returns text
language sql stable as $$
  select nullif(pg_catalog.current_setting('rowhouse.run', true), '')
$$;

-- Whether a token can be used at this moment: its state, its owner, and what its plane requires of the owner's roles.
create function system.token_works(token uuid) returns boolean
language sql stable as $$
  select exists (
    select from system.tokens t join system.users o on o.id = t.user_id
    where t.id = token and t.active and t.revoked_at is null and t.expires_at > system.clock()
      and o.active and not o.is_system
      and exists (
        select from system.role_members m join system.roles r on r.id = m.role_id
        where m.user_id = o.id and case t.plane when 'admin' then r.is_administrators else r.api_access end))
$$;

create or replace function system.acts_as_administrator() returns boolean
language sql stable as $$
  select system.is_administrator(system.actor())
    and (system.acting_token() is null
      or (system.token_works(system.acting_token())
        and exists (select from system.tokens where id = system.acting_token() and plane = 'admin')))
$$;

-- Raised where a token or a run acts on the account that it belongs to: an account's address, password, state, sessions and
-- linked providers are changed with a session of it, by its links, or by another administrator.
create function system.require_session_of(person uuid) returns void
language plpgsql stable as $$
begin
  if (system.acting_token() is not null or system.acting_run() is not null)
    and (person is not distinct from system.actor()
      or exists (select from system.tokens where id = system.acting_token() and user_id = person)) then
    raise exception using errcode = 'RH403',
      message = 'A token or a run cannot change the address, password, state or sessions of its own account';
  end if;
end $$;

-- ---------------------------------------------------------------------------
-- Accounts.
create or replace function system.guard_users() returns trigger
language plpgsql security definer set search_path = pg_catalog, system, pg_temp as $$
declare
  is_own boolean := system.actor() is not distinct from old.id;
  signs_in_otherwise boolean := tg_op = 'DELETE'
    or (old.id, old.email, old.email_verified_at, old.password_hash, old.is_system)
      is distinct from (new.id, new.email, new.email_verified_at, new.password_hash, new.is_system);
begin
  if tg_op = 'UPDATE' and old.is_system then
    raise exception using errcode = 'RH409', message = 'A system account cannot be changed';
  end if;
  if signs_in_otherwise or old.active is distinct from new.active then
    perform system.require_session_of(old.id);
  end if;
  if (not is_own or system.acting_token() is not null)
    -- What people change of themselves by a link has no credential; none of it lets anyone in.
    and (system.actor() is not null or tg_op = 'DELETE' or (old.id, old.email, old.active, old.is_system, old.password_hash)
      is distinct from (new.id, new.email, new.active, new.is_system, new.password_hash))
    and exists (select 1 from system.role_members m join system.roles r on r.id = m.role_id and r.is_administrators
                where m.user_id = old.id) then
    -- The publisher of a workflow chooses the user that its runs execute as, and may have used a token.
    if tg_op = 'UPDATE' and signs_in_otherwise and system.acting_run() is not null then
      raise exception using errcode = 'RH403', message = 'A run cannot change how an administrator signs in';
    end if;
    perform system.require_administrator();
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;

create function system.guard_sign_in() returns trigger
language plpgsql security definer set search_path = pg_catalog, system, pg_temp as $$
begin
  if tg_op <> 'INSERT' then perform system.require_session_of(old.user_id); end if;
  if tg_op <> 'DELETE' then perform system.require_session_of(new.user_id); end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger sessions_guarded before insert or update or delete on system.sessions
  for each row execute function system.guard_sign_in();
create trigger provider_accounts_guarded before insert or update or delete on system.provider_accounts
  for each row execute function system.guard_sign_in();

create or replace function system.guard_role_members() returns trigger
language plpgsql security definer set search_path = pg_catalog, system, pg_temp as $$
begin
  if exists (select 1 from system.roles where is_administrators
             and (id = case when tg_op <> 'INSERT' then old.role_id end
               or id = case when tg_op <> 'DELETE' then new.role_id end)) then
    perform system.require_administrator();
  end if;
  if system.actor() is not null and not system.acts_as_administrator()
    and exists (select 1 from system.users where is_system
                and (id = case when tg_op <> 'INSERT' then old.user_id end
                  or id = case when tg_op <> 'DELETE' then new.user_id end)) then
    raise exception using errcode = 'RH403', message = 'Only Administrators may change the roles of a system account';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;

-- An invitation keeps the token that made it: what a token may not do any more, its invitations may not do either.
alter table system.invitations add column token_id uuid;

-- ---------------------------------------------------------------------------
-- Notices: mails without a secret, which triggers write. They belong to no record, so that no deletion and no deactivation
-- takes back what somebody has to learn of.
alter table system.mails
  add column notice jsonb,
  alter column sealed drop not null,
  drop constraint mails_of_one,
  -- contract: it lets in every row that the one before let in
  add constraint mails_of_one_or_notice
    check (num_nonnulls(user_id, invitation_id, run_id, notice) = 1 and (sealed is null) = (notice is not null));
comment on column system.mails.notice is 'What a mail without a secret says: template, userId, to, variables or people';
alter table system.installation add column administrators_announced_at timestamptz;
comment on column system.installation.administrators_announced_at is 'When the newest mail about new administrators is due';

create function system.put_notice(about text, notice jsonb, due timestamptz) returns void
language sql set search_path = pg_catalog, system, pg_temp as $$
  insert into system.mails as m (about, notice, due_at, expires_at, created_at)
  values ($1, $2, $3, $3 + interval '72 hours', system.clock())
  on conflict on constraint mails_about_key do update set
    -- Another id: a process that is sending the one before does not remove this one.
    id = gen_random_uuid(), attempts = 0, created_at = excluded.created_at, expires_at = excluded.expires_at,
    due_at = case when m.attempts = 0 then m.due_at else excluded.due_at end,
    notice = case when excluded.notice ? 'people'
      then jsonb_set(excluded.notice, '{people}', (m.notice -> 'people') || ((excluded.notice -> 'people') - array(
        select jsonb_array_elements_text(m.notice -> 'people'))))
      else excluded.notice end
$$;

-- Mails every administrator that somebody has become one, and writes it into the audit log. Those that follow one another
-- within ten minutes share a mail.
create function system.announce_administrator(person uuid) returns void
language plpgsql set search_path = pg_catalog, system, pg_temp as $$
declare
  origin jsonb := nullif(current_setting('rowhouse.origin', true), '')::jsonb;
  address text;
  moment timestamptz := system.clock();
  due timestamptz;
begin
  select email into address from system.users where id = person and active;
  if not found then return; end if;
  insert into system.audit_log (actor_user_id, actor_token_id, address, request_id, action, target_kind, target_id)
  values (system.actor(), system.acting_token(), (origin ->> 'address')::inet, origin ->> 'requestId',
          'user.make_administrator', 'user', person::text);
  if not exists (select from system.role_members m join system.roles r on r.id = m.role_id and r.is_administrators
                 join system.users u on u.id = m.user_id and u.active and not u.is_system where u.id <> person) then
    return;
  end if;
  select case when administrators_announced_at + interval '10 minutes' > moment
           then greatest(administrators_announced_at, case when administrators_announced_at <= moment
             then administrators_announced_at + interval '10 minutes' end)
           else moment end
    into due from system.installation for update;
  update system.installation set administrators_announced_at = due;
  perform system.put_notice('new administrators, to ' || a.email, jsonb_build_object(
      'template', 'auth.new_administrator', 'userId', a.id,
      'to', jsonb_build_object('email', a.email, 'name', a.name, 'language', a.language),
      'people', jsonb_build_array(address)), due)
    from (select distinct u.id, u.email, u.name, u.language
          from system.role_members m join system.roles r on r.id = m.role_id and r.is_administrators
          join system.users u on u.id = m.user_id and u.active and not u.is_system order by u.id) a;
end $$;

create function system.announce_role_member() returns trigger
language plpgsql security definer set search_path = pg_catalog, system, pg_temp as $$
begin
  if tg_op = 'UPDATE' and (old.role_id, old.user_id) = (new.role_id, new.user_id) then return null; end if;
  if exists (select from system.roles where id = new.role_id and is_administrators) then
    perform system.announce_administrator(new.user_id);
  end if;
  return null;
end $$;
create trigger role_members_announced after insert or update on system.role_members
  for each row execute function system.announce_role_member();

create function system.announce_account() returns trigger
language plpgsql security definer set search_path = pg_catalog, system, pg_temp as $$
begin
  if system.fold_address(new.email) <> system.fold_address(old.email) then
    perform system.put_notice(format('address of user %s, to %s', old.id, old.email), jsonb_build_object(
      'template', 'auth.email_changed', 'userId', old.id,
      'to', jsonb_build_object('email', old.email, 'name', old.name, 'language', old.language),
      'variables', jsonb_build_object('new_email', new.email)), system.clock());
  end if;
  if new.active and not old.active
    and exists (select from system.role_members m join system.roles r on r.id = m.role_id and r.is_administrators
                where m.user_id = new.id) then
    perform system.announce_administrator(new.id);
  end if;
  return null;
end $$;
create trigger users_announced after update of email, active on system.users
  for each row execute function system.announce_account();

create or replace function system.prepare_user() returns trigger language plpgsql as $$
begin
  new.updated_at := system.clock();
  -- A new address is not verified, unless the same statement says that it is.
  if system.fold_address(new.email) <> system.fold_address(old.email)
    and new.email_verified_at is not distinct from old.email_verified_at then
    new.email_verified_at := null;
  end if;
  return new;
end $$;

drop trigger users_end_access on system.users;
create trigger users_end_access after update of email, active, is_system on system.users
  for each row when ((old.active and not new.active) or (new.is_system and not old.is_system)
    or system.fold_address(new.email) <> system.fold_address(old.email))
  execute function system.end_access();

insert into system.templates (key, language, subject, text, html) values
('auth.new_administrator', 'en', 'There is a new administrator',
$$Hello {{ name }},

these accounts have become administrators:

{{ administrators }}

An administrator can read and change everything. The audit log shows who made them administrators. If you do not expect
this, remove them from the role Administrators, and revoke the token that was used.
$$,
$$<p>Hello {{ name }},</p>
<p>these accounts have become administrators:</p>
<p>{{ administrators }}</p>
<p>An administrator can read and change everything. The audit log shows who made them administrators. If you do not expect this, remove them from the role Administrators, and revoke the token that was used.</p>
$$),
('auth.new_administrator', 'de', 'Es gibt einen neuen Administrator',
$$Hallo {{ name }},

diese Konten sind jetzt Administratoren:

{{ administrators }}

Ein Administrator kann alles lesen und ändern. Das Audit-Log zeigt, wer sie zu Administratoren gemacht hat. Wenn Sie das
nicht erwarten, entfernen Sie sie aus der Rolle Administrators, und widerrufen Sie das Token, das dafür benutzt wurde.
$$,
$$<p>Hallo {{ name }},</p>
<p>diese Konten sind jetzt Administratoren:</p>
<p>{{ administrators }}</p>
<p>Ein Administrator kann alles lesen und ändern. Das Audit-Log zeigt, wer sie zu Administratoren gemacht hat. Wenn Sie das nicht erwarten, entfernen Sie sie aus der Rolle Administrators, und widerrufen Sie das Token, das dafür benutzt wurde.</p>
$$)
-- An installation may have its own already.
on conflict (key, language) do nothing;

-- ---------------------------------------------------------------------------
create or replace function system.record_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, system, pg_temp as $$
declare
  origin jsonb := nullif(current_setting('rowhouse.origin', true), '')::jsonb;
  was jsonb := '{}';
  is_now jsonb := '{}';
  changed text[];
  verb text := case tg_op when 'INSERT' then 'create' when 'UPDATE' then 'update' else 'delete' end;
begin
  -- The application writes the entries of its own requests.
  if origin is null or (origin ->> 'recorded')::boolean then return null; end if;
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

-- ---------------------------------------------------------------------------
alter table system.sessions enable always trigger sessions_guarded;
alter table system.provider_accounts enable always trigger provider_accounts_guarded;
alter table system.users enable always trigger users_announced;
alter table system.role_members enable always trigger role_members_announced;

create or replace function system.guards() returns table (relation_name text, trigger_name text)
language sql immutable as $$
  values ('audit_log', 'audit_log_append_only'), ('audit_log', 'audit_log_no_truncate'),
         ('users', 'users_guarded'), ('users', 'users_guarded_from_deletion'), ('users', 'users_no_truncate'),
         ('users', 'users_protected'), ('users', 'users_last_administrator'), ('users', 'users_announced'),
         ('roles', 'roles_guarded'), ('roles', 'roles_protected'), ('roles', 'roles_no_truncate'),
         ('role_members', 'role_members_guarded'), ('role_members', 'role_members_last_administrator'),
         ('role_members', 'role_members_no_truncate'), ('role_members', 'role_members_announced'),
         ('templates', 'templates_guarded'), ('sessions', 'sessions_no_system_account'), ('sessions', 'sessions_guarded'),
         ('provider_accounts', 'provider_accounts_guarded'), ('tokens', 'tokens_no_system_account')
$$;
