-- OAuth clients of the MCP server. A consent is a personal access token with a client and scopes; the client's access tokens are
-- secrets of that token for one audience, so that whatever ends the token ends them.
alter table system.tokens
  add column client json check (client is null or plane = 'api'),
  add column scopes text[] check ((scopes is null) = (client is null));
comment on column system.tokens.client is 'The OAuth client of a consent: id, name, uri, redirect, kind';

-- contract: older code writes no audience and always is_current, so each of its rows satisfies the check
alter table system.token_secrets
  add column audience text check (audience = 'mcp'),
  -- A token has any number of secrets for an audience; nulls do not count for token_secrets_one_of_a_kind.
  alter column is_current drop not null,
  add constraint token_secrets_of_audience check ((audience is null) = (is_current is not null));

create or replace function system.protect_tokens() returns trigger language plpgsql as $$
begin
  if old.revoked_at is not null then
    raise exception using errcode = 'RH409', message = 'A revoked token stays revoked';
  end if;
  raise exception using errcode = 'RH409', message = 'The owner, the plane, the client and the scopes of a token do not change';
end $$;
create or replace trigger tokens_protected before update of user_id, plane, active, expires_at, revoked_at, client, scopes on system.tokens
  for each row when (old.revoked_at is not null or old.user_id <> new.user_id or old.plane <> new.plane
    or old.client::text is distinct from new.client::text or old.scopes is distinct from new.scopes)
  execute function system.protect_tokens();

-- Clients that registered themselves; the others are known by the address of their document.
create table system.oauth_clients (
  id text primary key check (id ~ '^rhc_[0-9A-Za-z]{30}$'),
  name text not null check (length(name) between 1 and 100),
  uri text,
  redirect_uris text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);

-- Codes and refresh tokens stay after their use, so that a second use is noticed: it ends the token.
create table system.authorization_codes (
  digest bytea primary key,
  token_id uuid not null references system.tokens (id) on delete cascade,
  client_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index authorization_codes_token on system.authorization_codes (token_id);
create index authorization_codes_expiry on system.authorization_codes (expires_at);

create table system.refresh_tokens (
  digest bytea primary key,
  token_id uuid not null references system.tokens (id) on delete cascade,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index refresh_tokens_token on system.refresh_tokens (token_id);
create index refresh_tokens_used on system.refresh_tokens (used_at) where used_at is not null;

create or replace view system.secret_columns as
  select to_regclass('system.' || t)::oid as relation_oid, c as column_name
  from (values ('users', 'password_hash'), ('sessions', 'digest'), ('token_secrets', 'digest'), ('links', 'digest'),
               ('invitations', 'digest'), ('sign_in_attempts', 'address_digest'),
               ('auth_providers', 'client_secret_sealed'), ('provider_flows', 'state_digest'),
               ('provider_flows', 'browser_digest'), ('provider_flows', 'sealed'), ('sign_in_codes', 'digest'),
               ('mails', 'sealed'), ('workflow_secrets', 'sealed'), ('files', 'storage_key'),
               ('template_frames', 'digest'), ('authorization_codes', 'digest'), ('authorization_codes', 'code_challenge'),
               ('refresh_tokens', 'digest')) s (t, c);
