-- Templates of documents beside those of mails, mails with attachments, and the pages of previews.
alter table system.templates
  add column kind text not null default 'MAIL' check (kind in ('MAIL', 'DOCUMENT')),
  -- The text that a document is. Its source is in `text`, its title in `subject`.
  add column format text check (format in ('HTML', 'TEXT', 'CSV')),
  -- Values for the preview of a document.
  add column sample json;

create or replace function system.guard_templates() returns trigger
language plpgsql security definer set search_path = pg_catalog, system, pg_temp as $$
begin
  if system.actor() is not null
    and (case when tg_op <> 'INSERT' then old.key end like 'auth.%' or case when tg_op <> 'DELETE' then new.key end like 'auth.%')
    and not system.acts_as_administrator() then
    raise exception using errcode = 'RH403', message = 'Only Administrators may do this';
  end if;
  if tg_op = 'UPDATE' and new.kind <> old.kind then
    raise exception using errcode = 'RH409', message = 'The kind of a template cannot be changed';
  end if;
  -- The other readers of the keys auth.… are the mails of accounts.
  if tg_op <> 'DELETE' and (new.kind = 'DOCUMENT' and (new.key like 'auth.%' or new.html is not null)
      or (new.kind = 'DOCUMENT') <> (new.format is not null)
      or (new.kind = 'MAIL' and new.sample is not null)) then
    raise exception using errcode = 'RH409',
      message = 'A document has a format and no html, and a key that does not begin with auth.; a mail has neither format nor sample';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;

-- A process that cannot read files leaves these mails to another one.
alter table system.mails add column has_attachments boolean not null default false;

-- Rendered pages that a frame of the administration shows, each by a ticket, for a minute.
create table system.template_frames (
  session_id uuid not null references system.sessions (id) on delete cascade,
  template_id uuid not null references system.templates (id) on delete cascade,
  digest bytea primary key,
  html text not null,
  expires_at timestamptz not null
);
create index template_frames_session on system.template_frames (session_id, expires_at);
create index template_frames_template on system.template_frames (template_id);

create or replace view system.secret_columns as
  select to_regclass('system.' || t)::oid as relation_oid, c as column_name
  from (values ('users', 'password_hash'), ('sessions', 'digest'), ('token_secrets', 'digest'), ('links', 'digest'),
               ('invitations', 'digest'), ('sign_in_attempts', 'address_digest'),
               ('auth_providers', 'client_secret_sealed'), ('provider_flows', 'state_digest'),
               ('provider_flows', 'browser_digest'), ('provider_flows', 'sealed'), ('sign_in_codes', 'digest'),
               ('mails', 'sealed'), ('workflow_secrets', 'sealed'), ('files', 'storage_key'),
               ('template_frames', 'digest')) s (t, c);
