-- Mails of accounts on their way. A row is written in the transaction that makes the mail's link, and goes once a mail
-- server has taken the mail, so a server that is down, or a process that ends, loses none.
create table system.mails (
  id uuid primary key default gen_random_uuid(),
  -- What the mail is about: a newer one takes the place of one that has not gone out.
  about text not null unique,
  user_id uuid references system.users (id) on delete cascade,
  invitation_id uuid references system.invitations (id) on delete cascade,
  -- The mail, its link's secret included, encrypted with a key that is not in the database.
  sealed text not null,
  attempts integer not null default 0,
  due_at timestamptz not null,
  -- When its link ends, and with it the use of sending it.
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint mails_of_one check (num_nonnulls(user_id, invitation_id) = 1)
);
create index mails_due on system.mails (due_at);
create index mails_user on system.mails (user_id);
create index mails_invitation on system.mails (invitation_id);

create or replace view system.secret_columns as
  select to_regclass('system.' || t)::oid as relation_oid, c as column_name
  from (values ('users', 'password_hash'), ('sessions', 'digest'), ('token_secrets', 'digest'), ('links', 'digest'),
               ('invitations', 'digest'), ('sign_in_attempts', 'address_digest'),
               ('auth_providers', 'client_secret_sealed'), ('provider_flows', 'state_digest'),
               ('provider_flows', 'browser_digest'), ('provider_flows', 'sealed'), ('sign_in_codes', 'digest'),
               ('mails', 'sealed')) s (t, c);
