-- Identity: personal access tokens, links in mails, invitations, mail templates and the throttle of sign-ins.

-- The one source of time for whatever ends by itself (sessions, tokens, links, locks). The planner replaces the call by
-- its body; tests replace the body to move time.
create function system.clock() returns timestamptz
language sql stable as $$ select pg_catalog.now() $$;

-- ---------------------------------------------------------------------------
-- Personal access tokens (spec §3).
create table system.tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references system.users (id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  description text not null default '' check (length(description) <= 1000),
  plane text not null check (plane in ('api', 'admin')),
  lifetime_days integer not null check (lifetime_days between 1 and 3650),
  active boolean not null default true,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_by uuid references system.users (id) on delete set null,
  created_at timestamptz not null default now()
) with (fillfactor = 80);
create unique index tokens_name_key on system.tokens (user_id, lower(name));
comment on column system.tokens.last_used_at is 'Written at most once a minute';

-- At most two secrets of a token are good: the one shown last, and for a grace period the one before it.
create table system.token_secrets (
  digest bytea primary key,
  token_id uuid not null references system.tokens (id) on delete cascade,
  is_current boolean not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  -- The token's own, kept in step by triggers: so a request with a token finds all it needs in one row, as one with a
  -- session does.
  user_id uuid not null,
  usable boolean not null,
  constraint token_secrets_one_of_a_kind unique (token_id, is_current)
);

create function system.complete_token_secret() returns trigger
language plpgsql security definer set search_path = pg_catalog, system as $$
begin
  select t.user_id, t.active and t.revoked_at is null, least(new.expires_at, t.expires_at)
    into strict new.user_id, new.usable, new.expires_at
    from system.tokens t where t.id = new.token_id for key share;
  return new;
end $$;
create trigger token_secrets_complete before insert on system.token_secrets
  for each row execute function system.complete_token_secret();

create function system.update_token_secrets() returns trigger
language plpgsql security definer set search_path = pg_catalog, system as $$
begin
  update system.token_secrets set usable = new.active and new.revoked_at is null,
      expires_at = case when is_current then new.expires_at else least(expires_at, new.expires_at) end
    where token_id = new.id;
  return null;
end $$;
create trigger tokens_secrets after update of active, revoked_at, expires_at on system.tokens
  for each row execute function system.update_token_secrets();

create function system.protect_tokens() returns trigger language plpgsql as $$
begin
  if old.revoked_at is not null then
    raise exception using errcode = 'RH409', message = 'A revoked token stays revoked';
  end if;
  raise exception using errcode = 'RH409', message = 'The owner and the plane of a token do not change';
end $$;
create trigger tokens_protected before update of user_id, plane, active, expires_at, revoked_at on system.tokens
  for each row when (old.revoked_at is not null or old.user_id <> new.user_id or old.plane <> new.plane)
  execute function system.protect_tokens();

create function system.refuse_system_token() returns trigger
language plpgsql security definer set search_path = pg_catalog, system as $$
begin
  if exists (select 1 from system.users where id = new.user_id and is_system) then
    raise exception using errcode = 'RH409', message = 'A system account holds no token';
  end if;
  return new;
end $$;
create trigger tokens_no_system_account before insert or update of user_id on system.tokens
  for each row execute function system.refuse_system_token();

-- ---------------------------------------------------------------------------
-- Sign-in. Attempts are counted by address, not by account, so that an unknown address costs and does the same.
create table system.sign_in_attempts (
  address_digest bytea primary key,
  attempts integer not null,
  locked_until timestamptz,
  last_at timestamptz not null
);
create index sign_in_attempts_age on system.sign_in_attempts (last_at);
alter table system.users drop column failed_sign_ins, drop column locked_until;

-- Secrets that were sent by mail. Whoever uses one deletes its row, so it is used once.
create table system.links (
  digest bytea primary key,
  kind text not null check (kind in ('RESET', 'VERIFY')),
  user_id uuid not null references system.users (id) on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint links_one_of_a_kind unique (user_id, kind)
);

create table system.invitations (
  id uuid primary key default gen_random_uuid(),
  email text not null check (length(email) between 3 and 320),
  name text not null default '' check (length(name) <= 200),
  digest bytea unique,
  invited_by uuid references system.users (id) on delete set null,
  user_id uuid references system.users (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  -- Only an open invitation has a secret.
  constraint invitations_secret check ((digest is null) = (accepted_at is not null or revoked_at is not null))
);
create unique index invitations_open on system.invitations (lower(email)) where digest is not null;
create table system.invitation_roles (
  invitation_id uuid not null references system.invitations (id) on delete cascade,
  role_id uuid not null references system.roles (id) on delete cascade,
  primary key (invitation_id, role_id)
);

-- Mails in a language; English (`en`) is there for each key that ships.
create table system.templates (
  id uuid primary key default gen_random_uuid(),
  key text not null check (key ~ '^[a-z0-9]+(?:[._-][a-z0-9]+)*$'),
  language text not null default 'en' check (language ~ '^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$'),
  subject text not null,
  text text not null,
  html text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (key, language)
);

insert into system.templates (key, language, subject, text, html) values
('auth.reset', 'en', 'Set a new password',
$$Hello {{ name }},

somebody, we hope you, asked for a new password for {{ email }}. Set it here within {{ minutes }} minutes:

{{ link }}

The link works once. If it was not you, do nothing: your password stays as it is.
$$,
$$<p>Hello {{ name }},</p>
<p>somebody, we hope you, asked for a new password for {{ email }}. <a href="{{ link }}">Set it</a> within {{ minutes }} minutes.</p>
<p>The link works once. If it was not you, do nothing: your password stays as it is.</p>
$$),
('auth.verify', 'en', 'Confirm your email address',
$$Hello {{ name }},

confirm that {{ email }} is your address within {{ hours }} hours:

{{ link }}
$$,
$$<p>Hello {{ name }},</p>
<p><a href="{{ link }}">Confirm</a> that {{ email }} is your address within {{ hours }} hours.</p>
$$),
('auth.registered', 'en', 'You have an account already',
$$Hello {{ name }},

somebody, we hope you, tried to register {{ email }}, which has an account already. You can sign in, or set a new password:

{{ link }}
$$,
$$<p>Hello {{ name }},</p>
<p>somebody, we hope you, tried to register {{ email }}, which has an account already. You can sign in, or <a href="{{ link }}">set a new password</a>.</p>
$$),
('auth.invite', 'en', 'You are invited',
$$Hello {{ name }},

you are invited to join. Accept within {{ hours }} hours and choose a password:

{{ link }}
$$,
$$<p>Hello {{ name }},</p>
<p>you are invited to join. <a href="{{ link }}">Accept</a> within {{ hours }} hours and choose a password.</p>
$$);

-- ---------------------------------------------------------------------------
create or replace view system.secret_columns as
  select to_regclass('system.' || t)::oid as relation_oid, c as column_name
  from (values ('users', 'password_hash'), ('sessions', 'digest'), ('token_secrets', 'digest'), ('links', 'digest'),
               ('invitations', 'digest'), ('sign_in_attempts', 'address_digest')) s (t, c);

create or replace view system.registrable_relations as
  select c.oid as relation_oid, n.nspname::text as schema_name, c.relname::text as relation_name,
         case when c.relkind in ('v', 'm') then 'VIEW' else 'TABLE' end as kind
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'f', 'v', 'm')
    and c.relpersistence <> 't'
    and n.nspname !~ '^pg_'
    and n.nspname not in ('information_schema', 'rowhouse_queue')
    and (n.nspname <> 'system' or c.relname in ('users', 'roles', 'role_members', 'templates'))
    and c.oid not in (select view_oid from system.secret_views);

select system.sync_registry();
