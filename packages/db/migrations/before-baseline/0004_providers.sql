-- Sign-in through other providers: Google, GitHub, and any that speaks OpenID Connect.
create table system.auth_providers (
  id uuid primary key default gen_random_uuid(),
  key text not null unique check (key ~ '^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$'),
  kind text not null check (kind in ('google', 'github', 'oidc')),
  name text not null check (length(name) between 1 and 100),
  issuer text not null,
  client_id text not null,
  -- Encrypted with a key that is not in the database.
  client_secret_sealed text not null,
  allowed_domains text[] not null default '{}',
  -- What somebody gets who signs in for the first time; without it nobody can.
  role_id uuid references system.roles (id) on delete set null,
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- An account is bound to whom the provider knows by this subject, never to an address.
create table system.provider_accounts (
  issuer text not null,
  subject text not null,
  user_id uuid not null references system.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index provider_accounts_user on system.provider_accounts (user_id);

-- A sign-in on its way through a provider. Whoever comes back deletes the row, so it is used once.
create table system.provider_flows (
  state_digest bytea primary key,
  -- Of the cookie of the browser that began.
  browser_digest bytea not null,
  provider_id uuid not null references system.auth_providers (id) on delete cascade,
  sealed text not null,
  -- Set where a signed-in user links an account.
  user_id uuid references system.users (id) on delete cascade,
  return_to text,
  expires_at timestamptz not null
);
create index provider_flows_expiry on system.provider_flows (expires_at);

-- The code that the page after a sign-in gives for a session, once.
create table system.sign_in_codes (
  digest bytea primary key,
  user_id uuid not null references system.users (id) on delete cascade,
  provider_key text not null,
  expires_at timestamptz not null
);

create or replace view system.secret_columns as
  select to_regclass('system.' || t)::oid as relation_oid, c as column_name
  from (values ('users', 'password_hash'), ('sessions', 'digest'), ('token_secrets', 'digest'), ('links', 'digest'),
               ('invitations', 'digest'), ('sign_in_attempts', 'address_digest'),
               ('auth_providers', 'client_secret_sealed'), ('provider_flows', 'state_digest'),
               ('provider_flows', 'browser_digest'), ('provider_flows', 'sealed'), ('sign_in_codes', 'digest')) s (t, c);
