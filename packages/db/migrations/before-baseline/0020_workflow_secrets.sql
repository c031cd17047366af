-- What workflows name as {{secrets.NAME}}. A value is encrypted with a key that is not in the database.
create table system.workflow_secrets (
  name text primary key check (name ~ '^[A-Z][A-Z0-9_]{0,62}$'),
  sealed text not null,
  description text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create or replace view system.secret_columns as
  select to_regclass('system.' || t)::oid as relation_oid, c as column_name
  from (values ('users', 'password_hash'), ('sessions', 'digest'), ('token_secrets', 'digest'), ('links', 'digest'),
               ('invitations', 'digest'), ('sign_in_attempts', 'address_digest'),
               ('auth_providers', 'client_secret_sealed'), ('provider_flows', 'state_digest'),
               ('provider_flows', 'browser_digest'), ('provider_flows', 'sealed'), ('sign_in_codes', 'digest'),
               ('mails', 'sealed'), ('workflow_secrets', 'sealed')) s (t, c);
