-- Stored secrets of providers, apart from those of workflows: by a provider whose issuer a caller chooses, the secret of a
-- workflow would leave for that issuer.
create table system.provider_secrets (
  name text primary key check (name ~ '^[A-Z][A-Z0-9_]{0,62}$'),
  sealed text not null,
  description text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The issuer that it was first used for. It is used for no other until its value is stored again.
  taken_for text
);

create or replace view system.secret_columns as
  select to_regclass('system.' || t)::oid as relation_oid, c as column_name
  from (values ('users', 'password_hash'), ('sessions', 'digest'), ('token_secrets', 'digest'), ('links', 'digest'),
               ('invitations', 'digest'), ('sign_in_attempts', 'address_digest'),
               ('auth_providers', 'client_secret_sealed'), ('provider_flows', 'state_digest'),
               ('provider_flows', 'browser_digest'), ('provider_flows', 'sealed'), ('sign_in_codes', 'digest'),
               ('mails', 'sealed'), ('workflow_secrets', 'sealed'), ('files', 'storage_key'),
               ('template_frames', 'digest'), ('authorization_codes', 'digest'), ('authorization_codes', 'code_challenge'),
               ('refresh_tokens', 'digest'), ('provider_secrets', 'sealed')) s (t, c);

-- Providers get the secrets that they name: by the documents of plans, or by the name that a document without one means.
-- One that both name is copied.
create temporary table named_by_provider on commit drop as
  select 'AUTH_' || upper(replace(p.key, '-', '_')) || '_SECRET' as name, p.issuer from system.auth_providers p
  union
  select found[1], null from (
    select files::text as text from system.configuration_plans union all select files::text from system.configuration_applies) f,
    lateral regexp_matches(f.text, 'clientSecret:(?:\s|\\n|\{)*secret:\s*\\?["'']?([A-Z][A-Z0-9_]{0,62})', 'g') as found;
insert into system.provider_secrets (name, sealed, description, created_at, updated_at, taken_for)
  select s.name, s.sealed, s.description, s.created_at, s.updated_at,
    (select max(n.issuer) from named_by_provider n where n.name = s.name)
  from system.workflow_secrets s where s.name in (select name from named_by_provider);
delete from system.workflow_secrets s
  where s.name in (select name from named_by_provider)
    and not exists (select from system.workflow_versions v where strpos(v.definition::text, s.name) > 0)
    and not exists (select from system.workflows w where strpos(w.draft::text, s.name) > 0);
