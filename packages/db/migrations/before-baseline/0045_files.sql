-- Files: rows under grants, whose bytes are objects in a storage outside the database. The field `content` is the right
-- to the bytes: a reader of the field may read them, and a writer names a completed upload, whose data the trigger
-- moves into the row. So a change of bytes is a change of a row, with the same grants, checks and audit entry.
create table system.folders (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  parent_id uuid references system.folders (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint folders_name_form check (name ~ '^[^/\\[:cntrl:]]{1,255}$' and name not in ('.', '..')),
  constraint folders_name unique nulls not distinct (parent_id, name)
);
comment on constraint folders_name_form on system.folders is
  'checkMessage: A name has 1 to 255 characters, without slashes and control characters';

create table system.files (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  title text,
  description text,
  folder_id uuid references system.folders (id),
  visibility text not null default 'PRIVATE',
  state text not null default 'PENDING' check (state in ('PENDING', 'READY', 'QUARANTINED')),
  -- The address of the bytes. A write names an upload instead.
  content text,
  -- The type that the bytes have, and the type that the sender named.
  media_type text,
  claimed_type text,
  bytes bigint check (bytes >= 0),
  sha256 text,
  width integer,
  height integer,
  storage_key text unique,
  uploaded_by uuid references system.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint files_name_form check (name ~ '^[^/\\[:cntrl:]]{1,255}$' and name not in ('.', '..')),
  constraint files_visibility check (visibility in ('PRIVATE', 'PUBLIC')),
  constraint files_title_length check (length(title) <= 255),
  constraint files_description_length check (length(description) <= 10000),
  constraint files_content_whole check ((state = 'PENDING') = (content is null)
    and (content is null) = (storage_key is null) and (content is null) = (bytes is null)
    and (content is null) = (sha256 is null) and (content is null) = (media_type is null))
);
comment on constraint files_name_form on system.files is
  'checkMessage: A name has 1 to 255 characters, without slashes and control characters';
comment on constraint files_visibility on system.files is 'checkMessage: Must be PRIVATE or PUBLIC';
comment on constraint files_title_length on system.files is 'checkMessage: Must have at most 255 characters';
comment on constraint files_description_length on system.files is 'checkMessage: Must have at most 10000 characters';
create index files_folder on system.files (folder_id, name);
create index files_uploaded_by on system.files (uploaded_by) include (bytes);
create index folders_parent on system.folders (parent_id);

-- Bytes that are received, or complete and not yet attached to a file. The row is written before the object, so that
-- no object exists without a row that names it.
create table system.uploads (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references system.users (id) on delete cascade,
  storage_key text not null unique,
  state text not null default 'RECEIVING' check (state in ('RECEIVING', 'COMPLETE', 'ATTACHED')),
  -- A resumable upload stays after a file took it, so that its sender can find the file after a lost response.
  is_resumable boolean not null default false,
  file_id uuid references system.files (id) on delete cascade,
  name text not null,
  claimed_type text,
  -- The declared size; null if the sender did not declare one. The size counts against the limits of bytes.
  length bigint check (length >= 0),
  received bigint not null default 0 check (received >= 0),
  media_type text,
  sha256 text,
  width integer,
  height integer,
  -- Whether the file waits for a scan.
  is_scanned boolean not null default false,
  -- The fields of the row, or the file that receives a new version, of a resumable upload.
  metadata json not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index uploads_user on system.uploads (user_id);
create index uploads_expiry on system.uploads (expires_at);

-- The parts of a resumable upload, each an object.
create table system.upload_segments (
  upload_id uuid not null references system.uploads (id) on delete cascade,
  start bigint not null,
  bytes bigint not null check (bytes > 0),
  storage_key text not null unique,
  primary key (upload_id, start)
);

-- Stored results of the image presets, each of one version of a file.
create table system.file_variants (
  file_id uuid not null references system.files (id) on delete cascade,
  -- The name and the definition of the preset.
  preset text not null,
  sha256 text not null,
  storage_key text not null unique,
  media_type text not null,
  bytes bigint not null,
  width integer not null,
  height integer not null,
  created_at timestamptz not null default now(),
  primary key (file_id, preset, sha256)
);

-- Files in quarantine: those that wait for a scan, and those with a finding.
create table system.file_scans (
  file_id uuid primary key references system.files (id) on delete cascade,
  sha256 text not null,
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  finding text,
  finished_at timestamptz
);
create index file_scans_due on system.file_scans (next_at) where finished_at is null;

-- Objects to delete. The delay lets downloads end that began before.
create table system.object_removals (
  storage_key text primary key,
  due_at timestamptz not null default now() + interval '10 minutes',
  attempts integer not null default 0
);
create index object_removals_due on system.object_removals (due_at);

-- ---------------------------------------------------------------------------
create function system.attach_upload() returns trigger
language plpgsql security definer set search_path = pg_catalog, system, pg_temp as $$
declare
  upload system.uploads;
begin
  new.updated_at := system.clock();
  if tg_op = 'INSERT' then
    -- A restored row brings its bytes with it. No caller of the Data API can choose the id.
    if new.storage_key is not null and new.content = '/api/files/' || new.id then return new; end if;
    new.uploaded_by := coalesce(system.actor(), new.uploaded_by);
    if new.content is null then return new; end if;
  elsif new.content is not distinct from old.content then
    return new;
  end if;
  select u.* into upload from system.uploads u
    where u.id::text = lower(new.content) and u.state = 'COMPLETE' and u.user_id = system.actor() for update;
  if not found then
    raise exception using errcode = '22023', message = 'content must be the id of a completed upload of the caller';
  end if;
  if tg_op = 'UPDATE' and old.storage_key is not null then
    insert into system.object_removals (storage_key) values (old.storage_key) on conflict do nothing;
    delete from system.file_variants v where v.file_id = old.id;
    delete from system.file_scans s where s.file_id = old.id;
  end if;
  new.content := '/api/files/' || new.id;
  new.state := case when upload.is_scanned then 'QUARANTINED' else 'READY' end;
  new.storage_key := upload.storage_key;
  new.media_type := upload.media_type;
  new.claimed_type := upload.claimed_type;
  new.bytes := upload.received;
  new.sha256 := upload.sha256;
  new.width := upload.width;
  new.height := upload.height;
  new.uploaded_by := upload.user_id;
  return new;
end $$;
create trigger files_attached before insert or update on system.files
  for each row execute function system.attach_upload();

-- After the row is stored, because upload and scan refer to it.
create function system.end_upload() returns trigger
language plpgsql security definer set search_path = pg_catalog, system, pg_temp as $$
begin
  delete from system.uploads u where u.storage_key = new.storage_key and not u.is_resumable;
  update system.uploads u set state = 'ATTACHED', file_id = new.id where u.storage_key = new.storage_key;
  if new.state = 'QUARANTINED' then
    insert into system.file_scans (file_id, sha256) values (new.id, new.sha256) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger files_end_first_upload after insert on system.files
  for each row when (new.storage_key is not null) execute function system.end_upload();
-- Not `of storage_key`: the trigger before sets the column.
create trigger files_end_upload after update on system.files
  for each row when (new.storage_key is distinct from old.storage_key) execute function system.end_upload();

-- An object is removed in the transaction that removes the row that names it, whichever client does so.
create function system.remove_object() returns trigger
language plpgsql security definer set search_path = pg_catalog, system, pg_temp as $$
begin
  if old.storage_key is not null then
    insert into system.object_removals (storage_key) values (old.storage_key) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger files_remove_object after delete on system.files
  for each row execute function system.remove_object();
create trigger file_variants_remove_object after delete on system.file_variants
  for each row execute function system.remove_object();

create function system.prepare_folder() returns trigger
language plpgsql security definer set search_path = pg_catalog, system, pg_temp as $$
begin
  new.updated_at := system.clock();
  if new.parent_id is null or tg_op = 'UPDATE' and new.parent_id is not distinct from old.parent_id then return new; end if;
  -- Two moves at once could close a circle that neither of them sees.
  perform pg_advisory_xact_lock(hashtext('system.folders'));
  if exists (
      with recursive above (id, parent_id, depth) as (
        select f.id, f.parent_id, 1 from system.folders f where f.id = new.parent_id
        union all
        select f.id, f.parent_id, a.depth + 1 from above a join system.folders f on f.id = a.parent_id where a.depth < 64)
      select from above where id = new.id or depth >= 64) then
    raise exception using errcode = 'RH409', message = 'A folder cannot be inside itself, or more than 64 folders deep';
  end if;
  return new;
end $$;
create trigger folders_prepared before insert or update on system.folders
  for each row execute function system.prepare_folder();

create trigger files_recorded after insert or update or delete on system.files
  for each row execute function system.record_change('file');
create trigger folders_recorded after insert or update or delete on system.folders
  for each row execute function system.record_change('folder');

-- ---------------------------------------------------------------------------
create or replace view system.secret_columns as
  select to_regclass('system.' || t)::oid as relation_oid, c as column_name
  from (values ('users', 'password_hash'), ('sessions', 'digest'), ('token_secrets', 'digest'), ('links', 'digest'),
               ('invitations', 'digest'), ('sign_in_attempts', 'address_digest'),
               ('auth_providers', 'client_secret_sealed'), ('provider_flows', 'state_digest'),
               ('provider_flows', 'browser_digest'), ('provider_flows', 'sealed'), ('sign_in_codes', 'digest'),
               ('mails', 'sealed'), ('workflow_secrets', 'sealed'), ('files', 'storage_key')) s (t, c);

create or replace view system.managed_columns as
  select to_regclass('system.' || t)::oid as relation_oid, c as column_name
  from (values ('users', 'id'), ('users', 'is_system'), ('users', 'email_verified_at'), ('users', 'last_sign_in_at'),
               ('users', 'version'), ('users', 'created_at'), ('users', 'updated_at'),
               ('roles', 'id'), ('roles', 'is_administrators'), ('roles', 'created_at'), ('role_members', 'created_at'),
               ('templates', 'id'), ('templates', 'created_at'), ('templates', 'updated_at'),
               ('files', 'id'), ('files', 'state'), ('files', 'media_type'), ('files', 'claimed_type'),
               ('files', 'bytes'), ('files', 'sha256'), ('files', 'width'), ('files', 'height'),
               ('files', 'storage_key'), ('files', 'uploaded_by'), ('files', 'created_at'), ('files', 'updated_at'),
               ('folders', 'id'), ('folders', 'created_at'), ('folders', 'updated_at')) s (t, c);

create or replace view system.registrable_relations as
  select c.oid as relation_oid, n.nspname::text as schema_name, c.relname::text as relation_name,
    case when c.relkind in ('v', 'm') then 'VIEW' else 'TABLE' end as kind
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'f', 'v', 'm')
    and c.relpersistence <> 't'
    and n.nspname !~ '^pg_'
    and n.nspname not in ('information_schema', 'rowhouse_queue')
    and (n.nspname <> 'system' or c.relname in ('users', 'roles', 'role_members', 'templates', 'files', 'folders'))
    and c.oid not in (select view_oid from system.secret_views);
select system.sync_registry();
