-- What all migrations create, for a new database. Written by schema.test.ts; update it with vitest's --update.

set local check_function_bodies = off;

create table system.audit_log (
  id bigint not null generated always as identity,
  occurred_at timestamp with time zone not null default now(),
  actor_user_id uuid,
  actor_token_id uuid,
  action text not null,
  target_kind text not null,
  target_id text,
  changed_fields text[] not null default '{}'::text[],
  outcome text not null default 'SUCCEEDED'::text,
  address inet,
  request_id text
);

create table system.auth_providers (
  id uuid not null default gen_random_uuid(),
  key text not null,
  kind text not null,
  name text not null,
  issuer text not null,
  client_id text not null,
  client_secret_sealed text not null,
  allowed_domains text[] not null default '{}'::text[],
  role_id uuid,
  enabled boolean not null default true,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
);

create table system.authorization_codes (
  digest bytea not null,
  token_id uuid not null,
  client_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  created_at timestamp with time zone not null default now()
);

create table system.catalogue_changes (
  id bigint not null generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  at timestamp with time zone not null default clock_timestamp(),
  relations oid[],
  beside oid[] not null default '{}'::oid[]
) with (autovacuum_vacuum_threshold=1000);

create table system.configuration_applies (
  id uuid not null default gen_random_uuid(),
  applied_at timestamp with time zone not null,
  applied_by uuid,
  source_commit text,
  source_url text,
  steps integer not null,
  parts text[] not null,
  files json not null,
  plan_id uuid,
  elsewhere json not null default '{"patterns": [], "documents": {}}'::json
);

create table system.configuration_plans (
  id uuid not null default gen_random_uuid(),
  created_at timestamp with time zone not null,
  created_by uuid,
  digest text not null,
  files json not null,
  options json not null,
  consents text[] not null,
  build text,
  answer json,
  attempts integer not null default 0,
  step integer,
  errors json,
  touched_at timestamp with time zone,
  asked_at timestamp with time zone
);

create table system.dashboard_panels (
  dashboard_id uuid not null,
  id text not null,
  "position" smallint not null,
  title text not null default ''::text,
  kind text not null,
  resource_id uuid,
  definition json not null,
  presentation json not null default '{}'::json,
  layout json,
  bindings json not null default '[]'::json
);

create table system.dashboard_roles (
  dashboard_id uuid not null,
  role_id uuid not null
);

create table system.dashboards (
  id uuid not null default gen_random_uuid(),
  name text not null,
  description text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  icon text,
  "position" integer not null default 0,
  refresh_seconds integer,
  parameters json not null default '[]'::json
);

create table system.data_view_roles (
  data_view_id uuid not null,
  role_id uuid not null
);

create table system.data_views (
  id uuid not null default gen_random_uuid(),
  name text not null,
  description text not null default ''::text,
  resource_id uuid not null,
  definition json not null,
  presentation json not null default '{}'::json,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  icon text,
  "position" integer not null default 0
);

create table system.epoch (
  slot smallint not null,
  value integer not null,
  catalogue integer not null default 0
) with (fillfactor=10);

create table system.file_scans (
  file_id uuid not null,
  sha256 text not null,
  attempts integer not null default 0,
  next_at timestamp with time zone not null default now(),
  finding text,
  finished_at timestamp with time zone
);

create table system.file_variants (
  file_id uuid not null,
  preset text not null,
  sha256 text not null,
  storage_key text not null,
  media_type text not null,
  bytes bigint not null,
  width integer not null,
  height integer not null,
  created_at timestamp with time zone not null default now()
);

create table system.files (
  id uuid not null default gen_random_uuid(),
  name text not null,
  title text,
  description text,
  folder_id uuid,
  visibility text not null default 'PRIVATE'::text,
  state text not null default 'PENDING'::text,
  content text,
  media_type text,
  claimed_type text,
  bytes bigint,
  sha256 text,
  width integer,
  height integer,
  storage_key text,
  uploaded_by uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
);

create table system.folders (
  id uuid not null default gen_random_uuid(),
  name text not null,
  parent_id uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
);

create table system.former_users (
  id uuid not null,
  name text not null,
  deleted_at timestamp with time zone not null default clock_timestamp()
);

create table system.grant_columns (
  grant_id uuid not null,
  usage text not null,
  attribute_number smallint not null,
  mention text not null,
  column_name text not null,
  path_resource_id uuid,
  meaning text,
  beside jsonb
);

create table system.grants (
  id uuid not null default gen_random_uuid(),
  role_id uuid not null,
  resource_id uuid not null,
  action text not null,
  all_fields boolean not null,
  row_filter jsonb,
  row_check jsonb,
  presets jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now()
);

create table system.idempotency_keys (
  user_id uuid not null,
  key text not null,
  fingerprint text not null,
  status smallint,
  body text,
  created_at timestamp with time zone not null default now()
);

create table system.installation (
  singleton boolean not null default true,
  id uuid not null default gen_random_uuid(),
  self_oid oid not null,
  cursor_key text not null default replace(((gen_random_uuid())::text || (gen_random_uuid())::text), '-'::text, ''::text),
  created_at timestamp with time zone not null default now(),
  administrators_version bigint not null default 0,
  serves_from integer not null default 0,
  administrators_announced_at timestamp with time zone,
  service_is_closed boolean not null default false
);

create table system.invitation_roles (
  invitation_id uuid not null,
  role_id uuid not null
);

create table system.invitations (
  id uuid not null default gen_random_uuid(),
  email text not null,
  name text not null default ''::text,
  digest bytea,
  invited_by uuid,
  user_id uuid,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  revoked_at timestamp with time zone,
  language text,
  token_id uuid
);

create table system.links (
  digest bytea not null,
  kind text not null,
  user_id uuid not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  new_email text,
  requests integer not null default 1
);

create table system.mails (
  id uuid not null default gen_random_uuid(),
  about text not null,
  user_id uuid,
  invitation_id uuid,
  sealed text,
  attempts integer not null default 0,
  due_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  run_id uuid,
  notice jsonb,
  has_attachments boolean not null default false
);

create table system.mcp_calls (
  id bigint not null generated always as identity,
  called_at timestamp with time zone not null,
  user_id uuid not null,
  token_id uuid not null,
  client_name text,
  method text not null,
  tool text,
  outcome text not null,
  code text,
  duration_ms integer not null,
  row_count bigint,
  byte_count bigint,
  resource text
);

create table system.migrations (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now()
);

create table system.oauth_clients (
  id text not null,
  name text not null,
  uri text,
  redirect_uris text[] not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone
);

create table system.object_removals (
  storage_key text not null,
  due_at timestamp with time zone not null default (now() + 'PT10M'::interval),
  attempts integer not null default 0
);

create table system.object_sweeps (
  prefix text not null,
  "position" text not null default ''::text,
  due_at timestamp with time zone not null default now()
);

create table system.preferences (
  user_id uuid not null,
  content json not null default '{}'::json,
  updated_at timestamp with time zone not null default now()
);

create table system.provider_accounts (
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  created_at timestamp with time zone not null default now(),
  id uuid not null default gen_random_uuid()
);

create table system.provider_flows (
  state_digest bytea not null,
  browser_digest bytea not null,
  provider_id uuid not null,
  sealed text not null,
  user_id uuid,
  return_to text,
  expires_at timestamp with time zone not null,
  session_id uuid
);

create table system.provider_secrets (
  name text not null,
  sealed text not null,
  description text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  taken_for text
);

create unlogged table system.rate_limits (
  key character varying(255) not null,
  points integer not null default 0,
  expire bigint
);

create table system.reading_columns (
  id bigint not null generated always as identity,
  data_view_id uuid,
  dashboard_id uuid,
  resource_id uuid not null,
  path_resource_id uuid not null,
  mention text not null,
  relation_path text not null,
  attribute_number smallint not null,
  column_name text not null,
  meaning text
);

create table system.refresh_tokens (
  digest bytea not null,
  token_id uuid not null,
  used_at timestamp with time zone,
  created_at timestamp with time zone not null default now()
);

create table system.resource_columns (
  resource_id uuid not null,
  attribute_number smallint not null,
  column_name text not null,
  label text,
  format jsonb,
  colors jsonb,
  relation_name text,
  title_part jsonb
);

create table system.resources (
  id uuid not null default gen_random_uuid(),
  relation_oid oid not null,
  schema_name text not null,
  relation_name text not null,
  kind text not null,
  exposed_methods text[] not null default '{}'::text[],
  created_at timestamp with time zone not null default now(),
  label text,
  description text,
  history boolean not null default false,
  junction boolean not null default false
);

create table system.role_members (
  role_id uuid not null,
  user_id uuid not null,
  created_at timestamp with time zone not null default now()
);

create table system.roles (
  id uuid not null default gen_random_uuid(),
  name text not null,
  description text not null default ''::text,
  api_access boolean not null default true,
  token_creation boolean not null default false,
  is_administrators boolean not null default false,
  created_at timestamp with time zone not null default now()
);

create table system.row_history (
  place bigint not null generated always as identity,
  id uuid not null default gen_random_uuid(),
  resource_id uuid not null,
  layout_id bigint not null,
  row_key text not null,
  operation text not null,
  ends boolean not null,
  old_row json,
  new_values json,
  changed_at timestamp with time zone not null default clock_timestamp(),
  user_id uuid,
  token_id uuid,
  run_id uuid,
  request_id text
);

create table system.row_history_layouts (
  id bigint not null generated always as identity,
  resource_id uuid not null,
  relation_oid oid not null,
  stored_names text[] not null,
  column_names text[] not null,
  column_numbers smallint[] not null,
  key_numbers smallint[] not null
);

create table system.saved_views (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  resource_id uuid not null,
  name text not null,
  "position" integer not null,
  definition json not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  meanings jsonb
);

create table system.sessions (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  digest bytea not null,
  method text not null,
  address inet,
  user_agent text,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null
);

create table system.settings (
  key text not null,
  value jsonb not null,
  updated_at timestamp with time zone not null default now(),
  updated_by uuid
);

create table system.sign_in_attempts (
  address_digest bytea not null,
  attempts integer not null,
  locked_until timestamp with time zone,
  last_at timestamp with time zone not null
);

create table system.sign_in_codes (
  digest bytea not null,
  user_id uuid not null,
  provider_key text,
  expires_at timestamp with time zone not null,
  account_id uuid
);

create unlogged table system.sql_console_runs (
  id uuid not null,
  user_id uuid not null,
  backend_pid integer,
  backend_start text,
  started_at timestamp with time zone not null default now(),
  ends_at timestamp with time zone not null,
  cancelled_at timestamp with time zone
);

create table system.template_frames (
  session_id uuid not null,
  template_id uuid not null,
  digest bytea not null,
  html text not null,
  expires_at timestamp with time zone not null
);

create table system.templates (
  id uuid not null default gen_random_uuid(),
  key text not null,
  language text not null default 'en'::text,
  subject text not null,
  text text not null,
  html text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  kind text not null default 'MAIL'::text,
  format text,
  sample json
);

create table system.token_secrets (
  digest bytea not null,
  token_id uuid not null,
  is_current boolean,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  user_id uuid not null,
  usable boolean not null,
  audience text
);

create table system.tokens (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  name text not null,
  description text not null default ''::text,
  plane text not null,
  lifetime_days integer not null,
  active boolean not null default true,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_by uuid,
  created_at timestamp with time zone not null default now(),
  client json,
  scopes text[]
) with (fillfactor=80);

create table system.upload_segments (
  upload_id uuid not null,
  start bigint not null,
  bytes bigint not null,
  storage_key text not null
);

create table system.uploads (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  storage_key text not null,
  state text not null default 'RECEIVING'::text,
  is_resumable boolean not null default false,
  file_id uuid,
  name text not null,
  claimed_type text,
  length bigint,
  received bigint not null default 0,
  media_type text,
  sha256 text,
  width integer,
  height integer,
  is_scanned boolean not null default false,
  metadata json not null default '{}'::json,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null
);

create table system.users (
  id uuid not null default gen_random_uuid(),
  email text not null,
  name text not null default ''::text,
  active boolean not null default true,
  is_system boolean not null default false,
  email_verified_at timestamp with time zone,
  password_hash text,
  time_zone text,
  language text,
  last_sign_in_at timestamp with time zone,
  version bigint not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  region text
);

create table system.view_refreshes (
  resource_id uuid not null,
  state text not null,
  beside_readers boolean not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  refreshed_at timestamp with time zone,
  error_code text,
  error_message text
);

create table system.webhook_calls (
  workflow_id uuid not null,
  caller text not null,
  key text not null,
  fingerprint text not null,
  run_id uuid not null,
  created_at timestamp with time zone not null
);

create table system.workflow_digests (
  user_id uuid not null,
  mailed_at timestamp with time zone not null
);

create table system.workflow_events (
  id bigint not null generated always as identity,
  resource_id uuid not null,
  schema_name text not null,
  table_name text not null,
  operation text not null,
  old_row json,
  new_row json,
  changed text[] not null,
  omitted text[] not null,
  bytes integer not null,
  workflow_ids uuid[] not null,
  caused_by_run_id uuid,
  depth integer not null,
  occurred_at timestamp with time zone not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor=0.01);

create table system.workflow_examples (
  workflow_id uuid not null,
  step_id text not null,
  output json not null,
  updated_at timestamp with time zone not null default now(),
  updated_by uuid
);

create table system.workflow_failures (
  user_id uuid not null,
  run_id uuid not null,
  workflow_id uuid not null,
  code text not null,
  failed_at timestamp with time zone not null
);

create table system.workflow_invoke_grants (
  workflow_id uuid not null,
  role_id uuid not null,
  created_at timestamp with time zone not null default now()
);

create table system.workflow_places (
  run_id uuid not null,
  workflow_id uuid not null,
  taken boolean not null,
  accepted_at timestamp with time zone not null
);

create table system.workflow_run_steps (
  run_id uuid not null,
  path text not null,
  "position" integer not null,
  kind text not null,
  status text not null,
  output json,
  error json,
  fence bigint not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  attempt integer not null default 1,
  resume_at timestamp with time zone,
  child_run_id uuid,
  simulated text
);

create table system.workflow_runs (
  id uuid not null default gen_random_uuid(),
  workflow_id uuid not null,
  version_id uuid not null,
  status text not null default 'QUEUED'::text,
  input json not null,
  caller_user_id uuid,
  execute_as_user_id uuid not null,
  reply_channel text,
  request_id text,
  result json,
  error json,
  cancel_requested_at timestamp with time zone,
  lease_owner text,
  lease_until timestamp with time zone,
  fence bigint not null default 0,
  accepted_at timestamp with time zone not null default clock_timestamp(),
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  wake_at timestamp with time zone,
  signalled boolean not null default false,
  claims integer not null default 0,
  parent_run_id uuid,
  depth integer not null default 0,
  origin text not null default 'WEBHOOK'::text,
  event_id bigint,
  caused_by_run_id uuid,
  trace_parent text,
  scheduled_at timestamp with time zone,
  token_id uuid,
  token_plane text,
  lost_leases smallint not null default 0,
  computing boolean not null default false,
  trial json,
  again_of_run_id uuid,
  again_from text
) with (fillfactor=70);

create table system.workflow_samples (
  id uuid not null default gen_random_uuid(),
  workflow_id uuid not null,
  name text not null,
  data json not null,
  run_id uuid,
  created_by uuid,
  created_at timestamp with time zone not null default now()
);

create table system.workflow_schedules (
  workflow_id uuid not null,
  cron text not null,
  time_zone text not null,
  next_at timestamp with time zone,
  previous_at timestamp with time zone
);

create table system.workflow_secrets (
  name text not null,
  sealed text not null,
  description text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
);

create table system.workflow_versions (
  id uuid not null default gen_random_uuid(),
  workflow_id uuid not null,
  number integer,
  definition json not null,
  published_at timestamp with time zone not null default now(),
  published_by uuid
);

create table system.workflow_watchers (
  workflow_id uuid not null,
  user_id uuid not null,
  created_at timestamp with time zone not null default now()
);

create table system.workflow_watches (
  workflow_id uuid not null,
  resource_id uuid,
  schema_name text not null,
  table_name text not null,
  relation_oid oid not null,
  operations text[] not null,
  column_numbers smallint[],
  column_names text[],
  meanings jsonb
);

create table system.workflows (
  id uuid not null default gen_random_uuid(),
  slug text not null,
  name text not null,
  enabled boolean not null default false,
  draft json not null,
  published_version_id uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  concurrency integer,
  priority text not null default 'NORMAL'::text
);

CREATE OR REPLACE FUNCTION system.act_as(person uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
  select pg_catalog.set_config('rowhouse.actor', coalesce(person::text, ''), true),
         pg_catalog.set_config('rowhouse.origin', '', true)
$function$
;

CREATE OR REPLACE FUNCTION system.act_for_request(person uuid, token uuid, address inet, request_id text)
 RETURNS void
 LANGUAGE sql
AS $function$
  select pg_catalog.set_config('rowhouse.actor', coalesce(person::text, ''), true),
         pg_catalog.set_config('rowhouse.origin', pg_catalog.jsonb_build_object(
           'token', token, 'address', pg_catalog.host(address), 'requestId', request_id, 'recorded', true)::text, true)
$function$
;

CREATE OR REPLACE FUNCTION system.act_from(person uuid, token uuid, address inet, request_id text)
 RETURNS boolean
 LANGUAGE sql
AS $function$
  select pg_catalog.set_config('rowhouse.actor', person::text, true) is not null
    and pg_catalog.set_config('rowhouse.origin', pg_catalog.jsonb_build_object(
          'token', token, 'address', pg_catalog.host(address), 'requestId', request_id)::text, true) is not null
$function$
;

CREATE OR REPLACE FUNCTION system.acting_run()
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select nullif(pg_catalog.current_setting('rowhouse.run', true), '')
$function$
;

CREATE OR REPLACE FUNCTION system.acting_token()
 RETURNS uuid
 LANGUAGE sql
 STABLE
AS $function$
  select (nullif(pg_catalog.current_setting('rowhouse.origin', true), '')::jsonb ->> 'token'::text)::uuid
$function$
;

CREATE OR REPLACE FUNCTION system.actor()
 RETURNS uuid
 LANGUAGE sql
 STABLE
AS $function$
  select nullif(pg_catalog.current_setting('rowhouse.actor', true), '')::uuid
$function$
;

CREATE OR REPLACE FUNCTION system.acts_as_administrator()
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select system.is_administrator(system.actor())
    and (system.acting_token() is null
      or (system.token_works(system.acting_token())
        and exists (select from system.tokens where id = system.acting_token() and plane = 'admin')))
$function$
;

CREATE OR REPLACE FUNCTION system.after_ddl()
 RETURNS event_trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
declare
  named oid[];
  concerns_all boolean;
begin
  if tg_tag = 'REFRESH MATERIALIZED VIEW' then return; end if;
  -- For each command its relation, 0 if no relation depends on it, null for another object, and for all of the service's own, which
  -- its records depend on.
  select coalesce(array_agg(distinct c.relation) filter (where c.relation <> 0), '{}'), bool_or(c.relation is null)
    into named, concerns_all
    from (
      select case
        when d.schema_name = 'system' then null
        when tg_tag in ('GRANT', 'REVOKE', 'ALTER DEFAULT PRIVILEGES', 'SECURITY LABEL', 'CREATE SCHEMA', 'CREATE TYPE', 'CREATE DOMAIN')
          and d.classid is distinct from 'pg_class'::regclass then 0
        when d.classid = 'pg_class'::regclass then (
          select case when r.relkind in ('r', 'p', 'f', 'v', 'm') then r.oid
            when r.relkind in ('i', 'I') then (select i.indrelid from pg_index i where i.indexrelid = r.oid)
            when r.relkind in ('S', 't') or r.relkind = 'c' and tg_tag = 'CREATE TYPE' then 0 end
          from pg_class r where r.oid = d.objid)
        when d.classid = 'pg_constraint'::regclass then (select nullif(k.conrelid, 0) from pg_constraint k where k.oid = d.objid)
        when d.classid = 'pg_trigger'::regclass then (select t.tgrelid from pg_trigger t where t.oid = d.objid)
        when d.classid = 'pg_rewrite'::regclass then (select w.ev_class from pg_rewrite w where w.oid = d.objid)
        when d.classid = 'pg_policy'::regclass then (select p.polrelid from pg_policy p where p.oid = d.objid)
        when d.classid = 'pg_attrdef'::regclass then (select a.adrelid from pg_attrdef a where a.oid = d.objid)
      end::oid as relation
      from pg_event_trigger_ddl_commands() d
      where d.schema_name is distinct from 'pg_temp'
        -- The queue's own tables are no resources; a relation that is moved there was one.
        and (d.schema_name is distinct from 'rowhouse_queue' or tg_tag like 'ALTER %')) c;
  if concerns_all is null then return; end if;
  if tg_tag like 'ALTER %' then perform require_guards(); end if;
  perform register_ddl(named, concerns_all);
end $function$
;

CREATE OR REPLACE FUNCTION system.after_drop()
 RETURNS event_trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
declare
  named oid[];
  concerns_all boolean;
begin
  -- As in after_ddl. An index leads to its relation by the caller's own knowledge.
  select coalesce(array_agg(distinct o.relation) filter (where o.relation <> 0), '{}'), bool_or(o.relation is null)
    into named, concerns_all
    from (
      select case
        when d.schema_name = 'system' then null
        when d.object_type in ('sequence', 'toast table', 'schema') or d.schema_name = 'pg_toast' then 0
        when d.classid = 'pg_class'::regclass then d.objid
        when d.object_type <> 'domain constraint'
          and d.classid in ('pg_constraint'::regclass, 'pg_trigger'::regclass, 'pg_rewrite'::regclass, 'pg_policy'::regclass, 'pg_attrdef'::regclass)
          then coalesce(to_regclass(format('%I.%I', d.address_names[1], d.address_names[2]))::oid, 0)
        -- The row type of a relation, and its array.
        when d.classid = 'pg_type'::regclass and not d.original and not d.normal then 0
      end::oid as relation
      from pg_event_trigger_dropped_objects() d
      where not d.is_temporary and d.schema_name is distinct from 'rowhouse_queue') o;
  if concerns_all is null then return; end if;
  -- Dropping the system schema itself must not trip over its own trigger.
  if to_regclass('system.resources') is null or to_regclass('system.epoch') is null
    or to_regclass('system.catalogue_changes') is null then return; end if;
  if exists (select 1 from pg_event_trigger_dropped_objects()
             where object_type in ('trigger', 'table', 'function') and address_names[1] = 'system') then
    perform require_guards();
  end if;
  perform register_ddl(named, concerns_all);
end $function$
;

CREATE OR REPLACE FUNCTION system.announce_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION system.announce_administrator(person uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION system.announce_role_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  if tg_op = 'UPDATE' and (old.role_id, old.user_id) = (new.role_id, new.user_id) then return null; end if;
  if exists (select from system.roles where id = new.role_id and is_administrators) then
    perform system.announce_administrator(new.user_id);
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION system.attach_upload()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION system.base_of_domain(domain oid)
 RETURNS oid
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog'
AS $function$
  with recursive bases as (
    select t.typbasetype as oid from pg_type t where t.oid = domain and t.typtype = 'd'
    union all
    select t.typbasetype from bases b join pg_type t on t.oid = b.oid and t.typtype = 'd'
  )
  select b.oid from bases b join pg_type t on t.oid = b.oid and t.typtype <> 'd'
$function$
;

CREATE OR REPLACE FUNCTION system.bound_event_row(row_json text, relation oid, bytes_max integer, OUT kept text, OUT omitted text[])
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if row_json is null then
    kept := '{}';
    omitted := system.event_columns(relation);
    return;
  end if;
  select coalesce(pg_catalog.json_object_agg(key, value order by place) filter (where total <= bytes_max), '{}')::text,
         coalesce(pg_catalog.array_agg(key order by place) filter (where total > bytes_max), '{}')
    into kept, omitted
    from (select key, value, place, sum(octet_length(key) + octet_length(value::text) + 8)
            over (order by octet_length(value::text), place) as total
          from pg_catalog.json_each(row_json::json) with ordinality e (key, value, place)) part;
exception when others then
  kept := '{}';
  omitted := system.event_columns(relation);
end $function$
;

CREATE OR REPLACE FUNCTION system.bump_catalogue()
 RETURNS void
 LANGUAGE sql
AS $function$
  select system.log_change(null, '{}')
$function$
;

CREATE OR REPLACE FUNCTION system.bump_catalogue_after_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  perform system.bump_catalogue();
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION system.bump_epoch()
 RETURNS void
 LANGUAGE sql
AS $function$
  update system.epoch set value = value + 1 where slot = (select system.free_counter())
$function$
;

CREATE OR REPLACE FUNCTION system.bump_epoch_after_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  perform system.bump_epoch();
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION system.bump_epoch_after_delete()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  if exists (select from gone) then perform bump_epoch(); end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION system.bytes_in_json(value json, type oid, form text)
 RETURNS json
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  shape text := json_typeof(value);
  sent text;
  of record;
begin
  if shape is null or shape = 'null' then return value; end if;
  select t.typtype as kind, t.typbasetype as base, t.typrelid as relation,
    case when t.typsubscript = 'array_subscript_handler'::regproc then t.typelem else 0 end as element
  into of from pg_type t where t.oid = type;
  if of.kind = 'd' then return system.bytes_in_json(value, of.base, form); end if;
  if type = 'bytea'::regtype and shape = 'string' then
    sent := value #>> '{}';
    if form = 'hex' then
      return to_json('\x' || encode(decode(sent || repeat('=', -length(sent) & 3), 'base64'), 'hex'));
    end if;
    return to_json(translate(encode(sent::bytea, 'base64'), E'\n', ''));
  end if;
  if of.element <> 0 and shape = 'array' then
    return coalesce((
      select json_agg(
        system.bytes_in_json(i.item, case when json_typeof(i.item) = 'array' and not b.is_array then type else of.element end, form)
        order by i.place)
      from json_array_elements(value) with ordinality i (item, place)
      cross join (
        select coalesce(d.typsubscript, e.typsubscript) = 'array_subscript_handler'::regproc as is_array
        from pg_type e left join pg_type d on d.oid = e.typbasetype where e.oid = of.element) b), '[]');
  end if;
  if of.kind = 'c' and shape = 'object' then
    return coalesce((
      select json_object_agg(m.key, system.bytes_in_json(m.value, coalesce(a.atttypid, 0), form) order by m.place)
      from json_each(value) with ordinality m (key, value, place)
      left join pg_attribute a on a.attrelid = of.relation and a.attname = m.key and a.attnum > 0), '{}');
  end if;
  return value;
end $function$
;

CREATE OR REPLACE FUNCTION system.catalogue_fingerprint()
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  with r as materialized (select * from system.registrable_relations)
  select md5(pg_catalog.concat_ws('|',
    (select pg_catalog.string_agg(pg_catalog.concat_ws(',', relation_oid, schema_name, relation_name, kind), ';' order by relation_oid) from r),
    (select pg_catalog.concat(count(*), ',', sum(a.xmin::text::bigint)) from pg_catalog.pg_attribute a
     where a.attnum > 0 and a.attrelid in (select relation_oid from r)),
    (select pg_catalog.concat(count(*), ',', sum(k.xmin::text::bigint)) from pg_catalog.pg_constraint k
     where k.conrelid in (select relation_oid from r)),
    (select pg_catalog.concat(count(*), ',', sum(w.xmin::text::bigint)) from pg_catalog.pg_rewrite w
     where w.ev_class in (select relation_oid from r)),
    (select pg_catalog.concat(count(*), ',', sum(l.xmin::text::bigint)) from pg_catalog.pg_enum l)))
$function$
;

CREATE OR REPLACE FUNCTION system.changed_columns(was text, is_now text, relation oid)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if was = is_now then return '{}'; end if;
  if was is null or is_now is null then return system.event_columns(relation); end if;
  return array(
    select c.key
    from rows from (pg_catalog.json_each(was::json), pg_catalog.json_each(is_now::json)) with ordinality c (key, value, key_now, value_now, place)
    where c.value::text <> c.value_now::text
    order by c.place);
exception when others then
  return system.event_columns(relation);
end $function$
;

CREATE OR REPLACE FUNCTION system.changed_in_filter(workflow uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog'
AS $function$
  select string_agg(m.key, ', ' order by m.key)
  from system.workflow_watches w
  join system.resources r on r.id = w.resource_id
  cross join lateral jsonb_each_text(w.meanings) m
  join pg_attribute a on a.attrelid = r.relation_oid and a.attname = m.key and a.attnum > 0 and not a.attisdropped
  cross join lateral (select m.value::jsonb as was, system.column_meaning(a.atttypid, a.attcollation) as is_now) p
  where w.workflow_id = workflow and (
    p.was -> 'type' <> p.is_now -> 'type' and not exists (
      select from (values (array['pg_catalog.int2', 'pg_catalog.int4', 'pg_catalog.int8']),
        (array['pg_catalog."varchar"', 'pg_catalog.text'])) f (names)
      where p.was ->> 'name' = any (f.names) and p.is_now ->> 'name' = any (f.names))
    or p.was -> 'array' is distinct from p.is_now -> 'array' or p.was -> 'shape' is distinct from p.is_now -> 'shape'
    or exists (select from jsonb_each_text(p.was -> 'labels') l where l.value is distinct from p.is_now -> 'labels' ->> l.key))
$function$
;

CREATE OR REPLACE FUNCTION system.clock()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select pg_catalog.now() $function$
;

CREATE OR REPLACE FUNCTION system.column_meaning(type oid, collation_oid oid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog'
AS $function$
declare
  base record;
  labels jsonb;
  shape text;
begin
  select e.oid, n.nspname, e.typname, e.typtype, e.typrelid, m.oid <> b.oid as is_array into base
    from pg_type t
    join pg_type b on b.oid = case when t.typtype = 'd' then system.base_of_domain(t.oid) else t.oid end
    join pg_type m on m.oid = coalesce((select i.oid from pg_type i where i.oid = b.typelem and i.typarray = b.oid), b.oid)
    join pg_type e on e.oid = case when m.typtype = 'd' then system.base_of_domain(m.oid) else m.oid end
    join pg_namespace n on n.oid = e.typnamespace
    where t.oid = type;
  if base.typtype = 'e' then
    select jsonb_object_agg(l.oid::text, l.enumlabel) into labels from pg_enum l where l.enumtypid = base.oid;
  elsif base.typtype = 'c' then
    select md5(string_agg(concat_ws(' ', a.attnum, p.part - '{type,collation,labels}'::text[],
        (select string_agg(l.value, ',' order by l.value) from jsonb_each_text(p.part -> 'labels') l)), ';' order by a.attnum))
      into shape
      from pg_attribute a, lateral (select system.column_meaning(a.atttypid, a.attcollation) as part) p
      where a.attrelid = base.typrelid and a.attnum > 0 and not a.attisdropped;
  end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'type', base.oid::bigint, 'name', format('%I.%I', base.nspname, base.typname),
    'array', case when base.is_array then true end, 'labels', labels, 'shape', shape,
    'collation', nullif(collation_oid, 0)::bigint,
    'collationName', case when collation_oid <> 'pg_catalog."default"'::regcollation then (
      select format('%I.%I', n.nspname, k.collname) from pg_collation k join pg_namespace n on n.oid = k.collnamespace
      where k.oid = collation_oid) end,
    'locale', case when collation_oid = 'pg_catalog."default"'::regcollation then (
      -- The column of an ICU locale has another name in PostgreSQL 15 and 16.
      select concat_ws(' ', d.datlocprovider, d.datcollate, d.datctype,
        coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale'))
      from pg_database d where d.datname = current_database()) end));
end $function$
;

CREATE OR REPLACE FUNCTION system.complete_meaning()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  if new.meaning is null then
    select system.column_meaning(a.atttypid, a.attcollation)::text into new.meaning
      from system.resources r join pg_attribute a on a.attrelid = r.relation_oid
      where a.attnum = new.attribute_number and not a.attisdropped and r.id = coalesce(new.path_resource_id,
        case when tg_table_name = 'grant_columns' then (select g.resource_id from system.grants g where g.id = (to_jsonb(new) ->> 'grant_id')::uuid) end);
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION system.complete_token_secret()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  select t.user_id, t.active and t.revoked_at is null, least(new.expires_at, t.expires_at)
    into strict new.user_id, new.usable, new.expires_at
    from system.tokens t where t.id = new.token_id for key share;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION system.end_access()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  -- Links that are on their way to the old address, or to somebody who may not come in any more, lead nowhere.
  delete from system.links where user_id = new.id;
  delete from system.mails where user_id = new.id;
  delete from system.sign_in_codes where user_id = new.id;
  if new.is_system or not new.active then
    delete from system.sessions where user_id = new.id;
  end if;
  if new.is_system then
    delete from system.tokens where user_id = new.id;
    delete from system.provider_accounts where user_id = new.id;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION system.end_runs_of_user()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  if current_setting('rowhouse.trial', true) = 'on' then return null; end if;
  insert into system.former_users (id, name)
  values (old.id, coalesce(nullif(old.name, ''), old.email)) on conflict (id) do nothing;
  -- A run before its parent: a worker that ends one locks them in this order.
  perform from system.workflow_runs where execute_as_user_id = old.id and finished_at is null
  order by depth desc, id for no key update;
  update system.workflow_runs
  set status = 'FAILED', result = null, finished_at = clock_timestamp(), lease_owner = null, lease_until = null,
      error = '{"code":"EXECUTE_AS_GONE","message":"The user that this run executes as was deleted","step":null}'
  where execute_as_user_id = old.id and finished_at is null;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION system.end_upload()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  delete from system.uploads u where u.storage_key = new.storage_key and not u.is_resumable;
  update system.uploads u set state = 'ATTACHED', file_id = new.id where u.storage_key = new.storage_key;
  if new.state = 'QUARANTINED' then
    insert into system.file_scans (file_id, sha256) values (new.id, new.sha256) on conflict do nothing;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION system.epoch()
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select sum(value)::text from system.epoch
$function$
;

CREATE OR REPLACE FUNCTION system.event_columns(relation oid)
 RETURNS text[]
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(pg_catalog.array_agg(a.attname::text order by a.attnum), '{}') from pg_catalog.pg_attribute a
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
$function$
;

CREATE OR REPLACE FUNCTION system.event_json(item record)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return pg_catalog.to_json(item)::text;
exception when others then
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION system.filter_meanings(relation oid, filter text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog'
AS $function$
  select jsonb_object_agg(a.attname, system.column_meaning(a.atttypid, a.attcollation)::text)
  from pg_attribute a
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
    and filter ~ ('(?<!\w)' || regexp_replace(a.attname, '([^[:alnum:]_])', '\\\1', 'g') || '(?!\w)')
$function$
;

CREATE OR REPLACE FUNCTION system.fold(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select pg_catalog.lower(value collate pg_catalog."und-x-icu")
$function$
;

CREATE OR REPLACE FUNCTION system.fold_address(address text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select system.fold(address)
$function$
;

CREATE OR REPLACE FUNCTION system.forget_changes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  delete from catalogue_changes;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION system.free_counter()
 RETURNS smallint
 LANGUAGE sql
AS $function$
  select coalesce(
    (select f.slot from system.epoch f order by (f.slot + pg_backend_pid()) % 4 limit 1 for update skip locked),
    pg_backend_pid() % 4)::smallint
$function$
;

CREATE OR REPLACE FUNCTION system.free_places(workflow uuid, places integer)
 RETURNS integer
 LANGUAGE sql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  select greatest(0, places - count(*)::integer)
  from system.workflow_places p join system.workflow_runs r on r.id = p.run_id
  where p.workflow_id = workflow and p.taken and r.lease_until > clock_timestamp()
$function$
;

CREATE OR REPLACE FUNCTION system.guard_role_members()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION system.guard_roles()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  if tg_op = 'UPDATE' and old.is_administrators and system.actor() is not null then
    perform system.require_administrator();
  end if;
  if tg_op = 'DELETE' and exists (select 1 from system.settings
      where key = 'auth.registration_role' and lower(value #>> '{}') = old.id::text) then
    raise exception using errcode = 'RH409', message = 'The setting auth.registration_role names this role';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $function$
;

CREATE OR REPLACE FUNCTION system.guard_sign_in()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  if tg_op <> 'INSERT' then perform system.require_session_of(old.user_id); end if;
  if tg_op <> 'DELETE' then perform system.require_session_of(new.user_id); end if;
  return case when tg_op = 'DELETE' then old else new end;
end $function$
;

CREATE OR REPLACE FUNCTION system.guard_templates()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION system.guard_users()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION system.guards()
 RETURNS TABLE(relation_name text, trigger_name text)
 LANGUAGE sql
 IMMUTABLE
AS $function$
  values ('audit_log', 'audit_log_append_only'), ('audit_log', 'audit_log_no_truncate'),
         ('users', 'users_guarded'), ('users', 'users_guarded_from_deletion'), ('users', 'users_no_truncate'),
         ('users', 'users_protected'), ('users', 'users_last_administrator'), ('users', 'users_announced'),
         ('roles', 'roles_guarded'), ('roles', 'roles_protected'), ('roles', 'roles_no_truncate'),
         ('role_members', 'role_members_guarded'), ('role_members', 'role_members_last_administrator'),
         ('role_members', 'role_members_no_truncate'), ('role_members', 'role_members_announced'),
         ('templates', 'templates_guarded'), ('sessions', 'sessions_no_system_account'), ('sessions', 'sessions_guarded'),
         ('provider_accounts', 'provider_accounts_guarded'), ('tokens', 'tokens_no_system_account')
$function$
;

CREATE OR REPLACE FUNCTION system.install_event_triggers()
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  item record;
begin
  if not exists (select from pg_catalog.pg_event_trigger where evtname = 'rowhouse_after_ddl') then
    create event trigger rowhouse_after_ddl on ddl_command_end execute function system.after_ddl();
  end if;
  if not exists (select from pg_catalog.pg_event_trigger where evtname = 'rowhouse_after_drop') then
    create event trigger rowhouse_after_drop on sql_drop execute function system.after_drop();
  end if;
  for item in
    select evtname from pg_catalog.pg_event_trigger
    where evtname in ('rowhouse_after_ddl', 'rowhouse_after_drop') and evtenabled = 'O'
  loop
    execute pg_catalog.format('alter event trigger %I enable always', item.evtname);
  end loop;
  return true;
exception when insufficient_privilege then
  return false;
end $function$
;

CREATE OR REPLACE FUNCTION system.is_administrator(person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select 1 from system.role_members m
    join system.roles r on r.id = m.role_id and r.is_administrators
    join system.users u on u.id = m.user_id and u.active
    where m.user_id = person)
$function$
;

CREATE OR REPLACE FUNCTION system.is_row_history_layout(layout bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from system.row_history_layouts l
    join system.resources r on r.id = l.resource_id and r.relation_oid = l.relation_oid
    join pg_catalog.pg_index i on i.indrelid = r.relation_oid and i.indisprimary
    where l.id = layout and l.key_numbers operator(pg_catalog.=) pg_catalog.string_to_array(i.indkey::text, ' ')::smallint[])
$function$
;

CREATE OR REPLACE FUNCTION system.is_time_zone(name text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  if name is null then return null; end if;
  if name !~* '^(CET|CST6CDT|Cuba|EET|EST|EST5EDT|Egypt|Eire|GB|GB-Eire|GMT|GMT\+0|GMT-0|GMT0|Greenwich|HST|Hongkong|Iceland|Iran|Israel|Jamaica|Japan|Kwajalein|Libya|MET|MST|MST7MDT|NZ|NZ-CHAT|Navajo|PRC|PST8PDT|Poland|Portugal|ROC|ROK|Singapore|Turkey|UCT|UTC|Universal|W-SU|WET|Zulu|(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Europe|Indian|Mexico|Pacific|US)(/[A-Za-z_-]+){1,2}|Etc/(GMT(\+([0-9]|1[0-2])|-([0-9]|1[0-4])|0)?|Greenwich|UCT|UTC|Universal|Zulu))$' then return false; end if;
  perform timestamptz 'epoch' at time zone name;
  return true;
exception when others then
  return false;
end $function$
;

CREATE OR REPLACE FUNCTION system.lock_places(workflow uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
  select pg_advisory_xact_lock(772311820, hashtext(workflow::text))
$function$
;

CREATE OR REPLACE FUNCTION system.log_change(named oid[], others oid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  if not exists (select from catalogue_changes where xid = pg_current_xact_id()) then
    update epoch set value = value + 1, catalogue = catalogue + 1 where slot = (select free_counter());
    delete from catalogue_changes where id in (
      select id from catalogue_changes where at < clock_timestamp() - interval '10 minutes' order by id limit 1000 for update skip locked);
  end if;
  insert into catalogue_changes (relations, beside) values (named, others);
end $function$
;

CREATE OR REPLACE FUNCTION system.mend_row_history()
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  update system.row_history_layouts l
    set relation_oid = r.relation_oid,
        column_numbers = array(
          select case when u.number = 0 then 0 else coalesce(a.attnum, 0) end
          from unnest(l.column_numbers, l.column_names) with ordinality u (number, name, place)
          left join pg_attribute a on a.attrelid = r.relation_oid and a.attname::text = u.name and a.attnum > 0 and not a.attisdropped
          order by u.place),
        key_numbers = array(
          select coalesce(a.attnum, 0)
          from unnest(l.key_numbers) with ordinality k (number, place)
          left join unnest(l.column_numbers, l.column_names) u (number, name) on u.number = k.number and u.number > 0
          left join pg_attribute a on a.attrelid = r.relation_oid and a.attname::text = u.name and a.attnum > 0 and not a.attisdropped
          order by k.place)
    from system.resources r where r.id = l.resource_id and r.relation_oid <> l.relation_oid;
  update system.row_history_layouts l
    set column_names = n.names, column_numbers = n.numbers
    from (select x.id, y.names, y.numbers from system.row_history_layouts x
          cross join lateral (
            select array_agg(coalesce(a.attname::text, u.name) order by u.place) as names,
                   array_agg(coalesce(a.attnum, 0::smallint) order by u.place) as numbers
            from unnest(x.column_numbers, x.column_names) with ordinality u (number, name, place)
            left join pg_attribute a on a.attrelid = x.relation_oid and a.attnum = u.number and a.attnum > 0 and not a.attisdropped) y) n
    where n.id = l.id and (l.column_names, l.column_numbers) is distinct from (n.names, n.numbers);
$function$
;

CREATE OR REPLACE FUNCTION system.mend_watches()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  item uuid;
begin
  -- A restored dump: columns by their names, but for those that were lost before.
  update system.workflow_watches w
    set relation_oid = r.relation_oid, column_numbers = case when w.column_numbers is not null then array(
          select case when u.number = 0 then 0 else coalesce(a.attnum, 0) end
          from unnest(w.column_numbers, w.column_names) with ordinality u (number, name, place)
          left join pg_attribute a on a.attrelid = r.relation_oid and a.attname::text = u.name and a.attnum > 0 and not a.attisdropped
          order by u.place) end
    from system.resources r where r.id = w.resource_id and r.relation_oid <> w.relation_oid;
  -- A column that is lost has the number 0 from then on, and keeps its last name.
  update system.workflow_watches w
    set schema_name = n.nspname, table_name = n.relname, column_numbers = n.numbers, column_names = n.names
    from (select x.workflow_id, s.nspname::text, c.relname::text, y.numbers, y.names
          from system.workflow_watches x join system.resources r on r.id = x.resource_id
          join pg_class c on c.oid = r.relation_oid join pg_namespace s on s.oid = c.relnamespace
          cross join lateral (
            select case when x.column_numbers is not null then array_agg(coalesce(a.attnum, 0::smallint) order by u.place) end as numbers,
                   case when x.column_numbers is not null then array_agg(coalesce(a.attname::text, u.name) order by u.place) end as names
            from unnest(x.column_numbers, x.column_names) with ordinality u (number, name, place)
            left join pg_attribute a on a.attrelid = x.relation_oid and a.attnum = u.number and a.attnum > 0 and not a.attisdropped) y) n
    where n.workflow_id = w.workflow_id
      and (w.schema_name, w.table_name, w.column_numbers, w.column_names)
        is distinct from (n.nspname, n.relname, n.numbers, n.names);
  for item in
    select coalesce(t.resource_id, w.resource_id)
    from system.event_triggers t
    full join system.wanted_event_triggers w on w.name = t.name and w.relation_oid = t.relation_oid and w.for_each_row = t.for_each_row
    where t.name is null or w.name is null
    group by 1
  loop
    begin
      perform system.sync_event_triggers(item);
    exception when lock_not_available or insufficient_privilege or undefined_table then
      null;
    end;
  end loop;
end $function$
;

CREATE OR REPLACE FUNCTION system.next_in_line(workflow uuid)
 RETURNS TABLE(run_id uuid, fence bigint)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
declare
  free integer;
begin
  perform system.lock_places(workflow);
  select system.free_places(w.id, w.concurrency) into free
  from system.workflows w where w.id = workflow and w.concurrency is not null;
  return query
    select p.run_id, r.fence
    from system.workflow_places p join system.workflow_runs r on r.id = p.run_id
    where p.workflow_id = workflow and not p.taken and r.status in ('QUEUED', 'RUNNING')
    order by p.accepted_at, p.run_id limit coalesce(free, 0);
end $function$
;

CREATE OR REPLACE FUNCTION system.note_change(named oid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  -- A column of another relation may have rows of this one as values, in any depth.
  if exists (
    select from pg_class c
    join pg_type t on t.oid = c.reltype
    join pg_depend d on d.refclassid = 'pg_type'::regclass and d.refobjid in (t.oid, t.typarray)
      and (d.classid = 'pg_class'::regclass and d.objid <> c.oid or d.classid = 'pg_type'::regclass and d.objid <> t.typarray)
    where c.oid = any (named)) then
    perform bump_catalogue();
    return;
  end if;
  perform log_change(
    array(
      with recursive lines as (
        select n as oid from unnest(named) n
        union
        select h.inhrelid from lines l join pg_inherits h on h.inhparent = l.oid
      )
      select l.oid from lines l),
    array(
      select h.inhparent from pg_inherits h where h.inhrelid = any (named)
      union select k.confrelid from pg_constraint k where k.conrelid = any (named) and k.contype = 'f'));
end $function$
;

CREATE OR REPLACE FUNCTION system.note_failed_run()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  insert into system.workflow_failures (user_id, run_id, workflow_id, code, failed_at)
  select w.user_id, new.id, new.workflow_id, coalesce(new.error ->> 'code', ''), system.clock()
  from system.workflow_watchers w where w.workflow_id = new.workflow_id
  on conflict do nothing;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION system.note_resources()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
declare
  named oid[];
  exposes boolean;
begin
  select array_agg(t.relation_oid), bool_or(t.exposed_methods <> '{}' or t.label is not null or t.description is not null or t.history or t.junction)
    into named, exposes from touched t;
  if named is null then return null; end if;
  perform note_change(named);
  if exposes then perform bump_epoch(); end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION system.password_of(person uuid)
 RETURNS text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
  select password_hash from system.users where id = person
$function$
;
revoke execute on function system.password_of(uuid) from public;

CREATE OR REPLACE FUNCTION system.past_row(base anyelement, stored json, layout bigint)
 RETURNS anyelement
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if stored is null then return null; end if;
  return json_populate_record(base, coalesce((
    select json_object_agg(a.attname, e.value)
    from system.row_history_layouts l
    cross join unnest(l.stored_names, l.column_numbers) u (name, number)
    join json_each(stored) e on e.key = u.name
    join pg_attribute a on a.attrelid = l.relation_oid and a.attnum = u.number and a.attnum > 0 and not a.attisdropped
    where l.id = layout), '{}'));
exception when others then
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION system.prepare_folder()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION system.prepare_template()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.updated_at := system.clock();
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION system.prepare_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.updated_at := system.clock();
  -- A new address is not verified, unless the same statement says that it is.
  if system.fold_address(new.email) <> system.fold_address(old.email)
    and new.email_verified_at is not distinct from old.email_verified_at then
    new.email_verified_at := null;
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION system.protect_roles()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    if old.is_administrators then
      raise exception using errcode = 'RH409', message = 'Administrators cannot be deleted';
    end if;
    return old;
  end if;
  if old.is_administrators and (not new.is_administrators or not new.api_access) then
    raise exception using errcode = 'RH409', message = 'Administrators keep their rights';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION system.protect_step_outcomes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = 'RH409', message = 'The outcome of a step does not change';
end $function$
;

CREATE OR REPLACE FUNCTION system.protect_terminal_runs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = 'RH409', message = 'A finished run does not change';
end $function$
;

CREATE OR REPLACE FUNCTION system.protect_tokens()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.revoked_at is not null then
    raise exception using errcode = 'RH409', message = 'A revoked token stays revoked';
  end if;
  raise exception using errcode = 'RH409', message = 'The owner, the plane, the client and the scopes of a token do not change';
end $function$
;

CREATE OR REPLACE FUNCTION system.protect_users()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.is_system then
    raise exception using errcode = 'RH409', message = 'A system account cannot be deleted';
  end if;
  return old;
end $function$
;

CREATE OR REPLACE FUNCTION system.protect_workflow_versions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = 'RH409', message = 'A published version does not change';
end $function$
;

CREATE OR REPLACE FUNCTION system.put_notice(about text, notice jsonb, due timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION system.raise_member_version()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  if tg_op in ('DELETE', 'UPDATE') then
    update system.users set version = version + 1 where id = old.user_id;
  end if;
  if tg_op in ('INSERT', 'UPDATE') then
    update system.users set version = version + 1 where id = new.user_id;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION system.raise_user_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.version := old.version + 1;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION system.rebound_meaning(meaning text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog'
AS $function$
  select (m.value - 'labels' - 'collation' || jsonb_strip_nulls(jsonb_build_object(
    'type', coalesce(n.type, 0),
    'labels', case when m.value ? 'labels' then coalesce((
      select jsonb_object_agg(e.oid::text, e.enumlabel) from jsonb_each_text(m.value -> 'labels') l
      join pg_enum e on e.enumtypid = n.type::oid and e.enumlabel = l.value), '{}') end,
    'collation', case when m.value ? 'collation' then
      case when m.value ? 'collationName' then coalesce(to_regcollation(m.value ->> 'collationName')::oid::bigint, 0)
        else (m.value ->> 'collation')::bigint end end)))::text
  from (select meaning::jsonb as value) m,
    lateral (select to_regtype(m.value ->> 'name')::oid::bigint as type) n
  where meaning is not null
$function$
;

CREATE OR REPLACE FUNCTION system.rebound_meanings(meanings jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog'
AS $function$
begin
  case jsonb_typeof(meanings)
    when 'object' then
      return coalesce((select jsonb_object_agg(m.key, system.rebound_meanings(m.value)) from jsonb_each(meanings) m), '{}');
    when 'array' then
      return coalesce((select jsonb_agg(system.rebound_meanings(m.value) order by m.place)
        from jsonb_array_elements(meanings) with ordinality m (value, place)), '[]');
    when 'string' then return to_jsonb(system.rebound_meaning(meanings #>> '{}'));
    else return meanings;
  end case;
end $function$
;

CREATE OR REPLACE FUNCTION system.record_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION system.record_events()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET "TimeZone" TO 'UTC'
 SET "DateStyle" TO 'ISO, MDY'
 SET "IntervalStyle" TO 'iso_8601'
 SET bytea_output TO 'hex'
 SET extra_float_digits TO '1'
 SET work_mem TO '64MB'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  row_bytes_max constant integer := 1048576;
  -- The events of all rows at once. OFFSET 0: each row is converted once, however often its text is used.
  many_sql constant text := 'insert into system.workflow_events (resource_id, schema_name, table_name, operation, old_row, new_row,
      changed, omitted, bytes, workflow_ids, caused_by_run_id, depth, occurred_at)
    select $1, $2, $3, $4, k.was::json, k.is_now::json, p.changed, k.omitted,
      coalesce(octet_length(k.was), 0) + coalesce(octet_length(k.is_now), 0), h.heard, $8, $9, $10
    from (%s offset 0) p,
      lateral (select %s as was, %s as is_now,
        case when greatest(octet_length(p.was), octet_length(p.is_now)) <= $5 then ''{}''
          else array(select distinct o from unnest(%s || %s) o order by o) end as omitted offset 0) k,
      lateral (select case when $7 = ''{}'' then $6
        else $6 || array(select w.id::uuid from jsonb_each($7) w (id, names) where w.names ?| p.changed) end as heard) h
    where h.heard <> ''{}''';
  fitting_sql constant text := 'case when p.%1$s is null or octet_length(p.%1$s) <= $5 then p.%1$s
    else (system.bound_event_row(p.%1$s, %2$s, $5)).kept end';
  omitted_sql constant text :=
    'case when octet_length(p.%1$s) > $5 then (system.bound_event_row(p.%1$s, %2$s, $5)).omitted end';
  rows_sql constant text := case tg_op
    when 'INSERT' then 'select null::text as was, to_json(n.*)::text as is_now, ''{}''::text[] as changed from new_rows n'
    when 'DELETE' then 'select to_json(o.*)::text as was, null::text as is_now, ''{}''::text[] as changed from old_rows o'
    else 'select o.was, n.is_now, array(
        select c.key
        from rows from (json_each(o.was::json), json_each(n.is_now::json)) with ordinality c (key, value, key_now, value_now, place)
        where c.value::text <> c.value_now::text order by c.place) as changed
      from (select to_json(o.*)::text as was, row_number() over () as place from old_rows o) o
      join (select to_json(n.*)::text as is_now, row_number() over () as place from new_rows n) n using (place)
      where o.was <> n.is_now'
    end;
  watched record;
  written_by record;
  interested uuid[];
  -- By workflow, the names that the columns it asks for have now.
  by_columns jsonb;
  heard uuid[];
  olds refcursor;
  news refcursor;
  was record;
  is_now record;
  old_json text;
  new_json text;
  old_kept text;
  new_kept text;
  old_omitted text[];
  new_omitted text[];
  changed text[];
  written bigint := 0;
  trusted boolean;
  is_done boolean := false;
begin
  if not system.records_for(tg_argv[0]::uuid, tg_relid) then return null; end if;
  select r.id, c.oid, n.nspname as schema_name, c.relname as table_name into watched
    from system.resources r join pg_class c on c.oid = r.relation_oid join pg_namespace n on n.oid = c.relnamespace
    where r.id = tg_argv[0]::uuid;
  select * into written_by from system.writing_run();
  select coalesce(array_agg(w.workflow_id) filter (where tg_op <> 'UPDATE' or w.column_numbers is null), '{}'),
         coalesce(jsonb_object_agg(w.workflow_id, (
             select coalesce(jsonb_agg(a.attname), '[]') from pg_attribute a
             where a.attrelid = w.relation_oid and a.attnum = any (w.column_numbers) and not a.attisdropped))
           filter (where tg_op = 'UPDATE' and w.column_numbers is not null), '{}')
    into interested, by_columns
    from system.workflow_watches w join system.workflows f on f.id = w.workflow_id and f.enabled
    where w.resource_id = watched.id and tg_op = any (w.operations) and w.workflow_id <> all (written_by.workflow_ids);
  if interested = '{}' and by_columns = '{}' then return null; end if;
  trusted := system.trusts_json_casts();

  -- Many rows at once take less than half the time of a loop over them. A value that has no JSON fails them together; then the
  -- loop leaves its row without values.
  if tg_level = 'STATEMENT' and trusted then
    begin
      execute format(many_sql, rows_sql, format(fitting_sql, 'was', watched.oid), format(fitting_sql, 'is_now', watched.oid),
          format(omitted_sql, 'was', watched.oid), format(omitted_sql, 'is_now', watched.oid))
        using watched.id, watched.schema_name, watched.table_name, tg_op, row_bytes_max, interested, by_columns,
          written_by.run_id, written_by.depth + 1, clock_timestamp();
      get diagnostics written = row_count;
      is_done := true;
    exception when others then
      is_done := false;
    end;
  end if;

  if not is_done then
    if tg_level = 'STATEMENT' then
      if tg_op <> 'INSERT' then open olds for select o.* from old_rows o; end if;
      if tg_op <> 'DELETE' then open news for select n.* from new_rows n; end if;
    else
      was := old;
      is_now := new;
    end if;
    loop
      -- One for one: a statement adds a row's old and new form to the two tables at once.
      if tg_level = 'STATEMENT' then
        if tg_op <> 'INSERT' then fetch olds into was; exit when not found; end if;
        if tg_op <> 'DELETE' then fetch news into is_now; exit when not found; end if;
      end if;
      if tg_op <> 'INSERT' and trusted then old_json := system.event_json(was); end if;
      if tg_op <> 'DELETE' and trusted then new_json := system.event_json(is_now); end if;
      changed := case when tg_op = 'UPDATE' then system.changed_columns(old_json, new_json, watched.oid) else '{}' end;
      heard := case when tg_op = 'UPDATE' and changed = '{}' then '{}' else interested end;
      if by_columns <> '{}' then
        heard := heard || array(select w.id::uuid from jsonb_each(by_columns) w (id, names) where w.names ?| changed);
      end if;
      if heard <> '{}' then
        old_kept := old_json;
        new_kept := new_json;
        old_omitted := '{}';
        new_omitted := '{}';
        if tg_op <> 'INSERT' and coalesce(octet_length(old_json) > row_bytes_max, true) then
          select b.kept, b.omitted into old_kept, old_omitted from system.bound_event_row(old_json, watched.oid, row_bytes_max) b;
        end if;
        if tg_op <> 'DELETE' and coalesce(octet_length(new_json) > row_bytes_max, true) then
          select b.kept, b.omitted into new_kept, new_omitted from system.bound_event_row(new_json, watched.oid, row_bytes_max) b;
        end if;
        insert into system.workflow_events (resource_id, schema_name, table_name, operation, old_row, new_row, changed, omitted,
            bytes, workflow_ids, caused_by_run_id, depth)
          values (watched.id, watched.schema_name, watched.table_name, tg_op, old_kept::json, new_kept::json, changed,
            array(select distinct o from unnest(old_omitted || new_omitted) o order by o),
            coalesce(octet_length(old_kept), 0) + coalesce(octet_length(new_kept), 0),
            heard, written_by.run_id, written_by.depth + 1);
        written := written + 1;
      end if;
      exit when tg_level = 'ROW';
    end loop;
  end if;
  -- A transaction that has notified cannot be prepared. Where that is possible, the poll has to do.
  if written > 0 and current_setting('max_prepared_transactions') = '0' then
    perform pg_notify('rowhouse_events', '');
  end if;
  return null;
end $function$
;
revoke execute on function system.record_events() from public;

CREATE OR REPLACE FUNCTION system.record_history()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET "TimeZone" TO 'UTC'
 SET "DateStyle" TO 'ISO, MDY'
 SET "IntervalStyle" TO 'iso_8601'
 SET bytea_output TO 'hex'
 SET extra_float_digits TO '1'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  resource constant uuid := tg_argv[0]::uuid;
  operation constant text := case tg_op when 'TRUNCATE' then 'DELETE' else tg_op end;
  layout record;
  writer record;
  olds refcursor;
  was record;
  is_now record;
  old_json text;
  new_json text;
  old_key text;
  new_key text;
  changed text[];
  one_by_one boolean := false;
begin
  if not system.records_for(resource, tg_relid) then return null; end if;
  -- Without its casts a row has no text that could be trusted; without a key an entry could not be found.
  if not system.trusts_json_casts() then return null; end if;
  select * into layout from system.row_history_layout(resource);
  if layout.id is null then return null; end if;
  select * into writer from system.row_writer();

  -- Many rows at once take a third of the time of a loop over them. A conversion that fails is rare, and found row by row then.
  while tg_level = 'STATEMENT' and tg_op <> 'TRUNCATE' loop
    begin
      if tg_op = 'INSERT' then
        insert into system.row_history
            (resource_id, layout_id, row_key, operation, ends, new_values, user_id, token_id, run_id, request_id)
          select resource, layout.id, system.row_history_key(v.is_now, layout.key_names), 'INSERT', false, v.is_now::json,
                 writer.user_id, writer.token_id, writer.run_id, writer.request_id
          from (select case when one_by_one then system.event_json(n.*) else to_json(n.*)::text end as is_now from new_rows n offset 0) v
          where v.is_now is not null;
      elsif tg_op = 'DELETE' then
        insert into system.row_history
            (resource_id, layout_id, row_key, operation, ends, old_row, user_id, token_id, run_id, request_id)
          select resource, layout.id, system.row_history_key(v.was, layout.key_names), 'DELETE', true, v.was::json,
                 writer.user_id, writer.token_id, writer.run_id, writer.request_id
          from (select case when one_by_one then system.event_json(o.*) else to_json(o.*)::text end as was from old_rows o offset 0) v
          where v.was is not null;
      else
        insert into system.row_history
            (resource_id, layout_id, row_key, operation, ends, old_row, new_values, user_id, token_id, run_id, request_id)
          select resource, layout.id, k.row_key, 'UPDATE', k.ends, p.was::json, v.new_values,
                 writer.user_id, writer.token_id, writer.run_id, writer.request_id
          -- One for one: a statement adds a row's old and new form to the two tables at once.
          from (select o.was, n.is_now
                from (select case when one_by_one then system.event_json(o.*) else to_json(o.*)::text end as was,
                        row_number() over () as place from old_rows o) o
                join (select case when one_by_one then system.event_json(n.*) else to_json(n.*)::text end as is_now,
                        row_number() over () as place from new_rows n) n using (place)
                where o.was is distinct from n.is_now offset 0) p,
            lateral (select case when p.was is null or p.is_now is null then p.is_now::json else (
                select json_object_agg(c.key, c.value_now)
                from rows from (json_each(p.was::json), json_each(p.is_now::json)) c (key, value, key_now, value_now)
                where c.value::text <> c.value_now::text) end as new_values offset 0) v,
            lateral (select system.row_history_key(p.is_now, layout.key_names) as new_key offset 0) n,
            -- A changed key is an entry of both keys.
            lateral (select n.new_key as row_key, false as ends where n.new_key is not null
              union all
              select o.old_key, true
              from (select system.row_history_key(p.was, layout.key_names) as old_key
                where n.new_key is null or cardinality(layout.key_names) > 1
                  or v.new_values -> layout.key_names[1] is not null offset 0) o
              where o.old_key is not null and o.old_key is distinct from n.new_key) k;
      end if;
      return null;
    exception when others then
      if one_by_one then raise; end if;
      one_by_one := true;
    end;
  end loop;

  if tg_op = 'TRUNCATE' then
    if not pg_has_role(current_user, (select c.relowner from pg_class c where c.oid = tg_relid), 'usage') then return null; end if;
    open olds for execute format('select t.* from %s t', tg_relid::regclass);
  else
    was := old;
    is_now := new;
  end if;
  loop
    if tg_op = 'TRUNCATE' then
      fetch olds into was;
      exit when not found;
    end if;
    old_json := null;
    new_json := null;
    changed := null;
    if operation <> 'INSERT' then old_json := system.event_json(was); end if;
    if operation <> 'DELETE' then new_json := system.event_json(is_now); end if;
    if operation = 'UPDATE' then changed := system.changed_columns(old_json, new_json, layout.relation_oid); end if;
    if changed is distinct from '{}' then
      old_key := system.row_history_key(old_json, layout.key_names);
      new_key := system.row_history_key(new_json, layout.key_names);
      -- A changed key is an entry of both keys.
      insert into system.row_history
          (resource_id, layout_id, row_key, operation, ends, old_row, new_values, user_id, token_id, run_id, request_id)
        select resource, layout.id, k.row_key, operation, k.ends, old_json::json,
               case when operation = 'UPDATE' then (
                   select json_object_agg(e.key, e.value) from json_each(new_json::json) e where e.key = any (changed))
                 else new_json::json end,
               writer.user_id, writer.token_id, writer.run_id, writer.request_id
        from (select new_key as row_key, false as ends where new_key is not null
              union all
              select old_key, true where old_key is not null and old_key is distinct from new_key) k;
    end if;
    exit when tg_op <> 'TRUNCATE';
  end loop;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION system.records_for(resource uuid, relation oid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select exists (
    select from system.resources r
    where r.id = resource and (r.relation_oid = relation
      or r.relation_oid in (select a.relid::oid from pg_partition_ancestors(relation) a)))
$function$
;

CREATE OR REPLACE FUNCTION system.refresh_lock(resource uuid)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$ select pg_catalog.hashtext(resource::text) $function$
;

CREATE OR REPLACE FUNCTION system.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = 'RH409', message = 'The audit log is append-only';
end $function$
;

CREATE OR REPLACE FUNCTION system.refuse_row()
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = 'RH403', message = 'The new row is not allowed';
end $function$
;

CREATE OR REPLACE FUNCTION system.refuse_skipped_row()
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = 'RH409',
    message = 'A trigger skipped the row, or another request changed it at the same time; nothing was written';
end $function$
;

CREATE OR REPLACE FUNCTION system.refuse_system_session()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  if exists (select 1 from system.users where id = new.user_id and is_system) then
    raise exception using errcode = 'RH409', message = 'A system account holds no session';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION system.refuse_system_token()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  if exists (select 1 from system.users where id = new.user_id and is_system) then
    raise exception using errcode = 'RH409', message = 'A system account holds no token';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION system.refuse_truncation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = 'RH409', message = 'An active administrator must remain';
end $function$
;

CREATE OR REPLACE FUNCTION system.register_ddl(named oid[], concerns_all boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  if concerns_all or not register_tables(named) then perform sync_registry(); end if;
  if concerns_all then
    perform bump_epoch();
    perform bump_catalogue();
  elsif named <> '{}' then
    perform note_change(named);
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION system.register_tables(named oid[])
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
begin
  if not exists (select from installation where self_oid = 'system.installation'::regclass::oid) or exists (
    with recursive lines (oid) as (
      select n from unnest(named) n
      union
      select h.inhrelid from lines l join pg_inherits h on h.inhparent = l.oid
    )
    select from lines l
    left join lateral (select relhasrules from pg_class c where c.oid = l.oid offset 0) c on true
    left join lateral (select id, schema_name, relation_name, kind from resources r where r.relation_oid = l.oid offset 0) r on true
    left join lateral (
      select schema_name, relation_name, kind from registrable_relations s where s.relation_oid = l.oid offset 0) s on true
    where c.relhasrules is distinct from false
      or r.id is not null and (
        (s.schema_name, s.relation_name, s.kind) is distinct from (r.schema_name, r.relation_name, r.kind)
        or exists (
          select from (
            select gc.attribute_number, gc.column_name from grant_columns gc where gc.path_resource_id = r.id
            union all
            select gc.attribute_number, gc.column_name from grants g join grant_columns gc on gc.grant_id = g.id
              where g.resource_id = r.id and gc.path_resource_id is null
            union all
            select rc.attribute_number, rc.column_name from resource_columns rc where rc.resource_id = r.id
            union all
            select rc.attribute_number, rc.column_name from reading_columns rc where rc.path_resource_id = r.id) m
          where m.column_name <> coalesce((select a.attname::text from pg_attribute a
            where a.attrelid = l.oid and a.attnum = m.attribute_number and not a.attisdropped), '')))) then
    return false;
  end if;
  insert into resources (relation_oid, schema_name, relation_name, kind)
    select s.relation_oid, s.schema_name, s.relation_name, s.kind from registrable_relations s
    where s.relation_oid = any (named) and not exists (select from resources r where r.relation_oid = s.relation_oid);
  return true;
end $function$
;

CREATE OR REPLACE FUNCTION system.relation_fingerprint(relation oid)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL RESTRICTED
AS $function$
  select md5(pg_catalog.concat_ws('|', n.nspname, c.relname, c.relkind::text,
    (select pg_catalog.string_agg(pg_catalog.concat_ws(',', a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull,
              a.attidentity::text, a.attgenerated::text, a.atthasdef, nullif(a.attcollation, 0)), ';' order by a.attnum)
       from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
    (select pg_catalog.string_agg(pg_catalog.concat_ws(',', l.oid, l.enumlabel), ';' order by l.oid)
       from (select distinct pg_catalog.unnest(array[t.oid, t.typelem, t.typbasetype]) as oid
         from pg_catalog.pg_attribute a join pg_catalog.pg_type t on t.oid = a.atttypid
         where a.attrelid = c.oid and a.attnum > 0 and a.atttypid >= 16384) u
       join pg_catalog.pg_enum l on l.enumtypid = u.oid),
    (select pg_catalog.string_agg(pg_catalog.concat_ws(',', k.oid, k.conname, k.contype::text, d.description), ';' order by k.oid)
       from pg_catalog.pg_constraint k
       left join pg_catalog.pg_description d on d.objoid = k.oid and d.classoid = 'pg_constraint'::regclass
       where k.conrelid = c.oid),
    (select pg_catalog.string_agg(pg_catalog.concat_ws(',', w.oid, w.xmin), ';' order by w.oid)
       from pg_catalog.pg_rewrite w where w.ev_class = c.oid),
    (select pg_catalog.string_agg(pg_catalog.concat_ws(',', i.indexrelid, i.indisvalid), ';' order by i.indexrelid)
       from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisunique),
    exists (select from pg_catalog.pg_inherits h where h.inhparent = c.oid)))
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation
$function$
;

CREATE OR REPLACE FUNCTION system.remove_object()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  if old.storage_key is not null then
    insert into system.object_removals (storage_key) values (old.storage_key) on conflict do nothing;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION system.require_active_administrator()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  if tg_table_name = 'role_members' then
    if not exists (select 1 from system.roles where id = old.role_id and is_administrators) then
      return null;
    end if;
  elsif not exists (select 1 from system.role_members m join system.roles r on r.id = m.role_id
                    where m.user_id = old.id and r.is_administrators) then
    return null;
  end if;
  update system.installation set administrators_version = administrators_version + 1;
  if not exists (
    select 1 from system.role_members m
    join system.roles r on r.id = m.role_id and r.is_administrators
    join system.users u on u.id = m.user_id and u.active and not u.is_system
  ) then
    raise exception using errcode = 'RH409', message = 'An active administrator must remain';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION system.require_administrator()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION system.require_guards()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select 1 from system.guards() g where not exists (
      select 1 from pg_catalog.pg_trigger t
      where t.tgrelid = pg_catalog.to_regclass('system.' || g.relation_name::text) and t.tgname = g.trigger_name and t.tgenabled = 'A')) then
    raise exception using errcode = 'RH409', message = 'The guards of the system schema cannot be taken away';
  end if;
  if exists (select from system.installation i where i.service_is_closed and not exists (
      select from pg_catalog.pg_proc p
      where p.oid = pg_catalog.to_regprocedure('system.as_service(text,boolean,text[])') and p.prosecdef and p.proconfig is null)) then
    raise exception using errcode = 'RH409', message = 'The function system.as_service cannot be taken away';
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION system.require_session_of(person uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if (system.acting_token() is not null or system.acting_run() is not null)
    and (person is not distinct from system.actor()
      or exists (select from system.tokens where id = system.acting_token() and user_id = person)) then
    raise exception using errcode = 'RH403',
      message = 'A token or a run cannot change the address, password, state or sessions of its own account';
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION system.row_history_key(row_json text, names text[])
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  if row_json is null then return null; end if;
  if pg_catalog.cardinality(names) = 1 then return '[' || (row_json::json -> names[1])::text || ']'; end if;
  return (select pg_catalog.json_agg(row_json::json -> k.name order by k.place)::text
          from pg_catalog.unnest(names) with ordinality k (name, place));
end $function$
;

CREATE OR REPLACE FUNCTION system.row_history_layout(resource uuid, OUT id bigint, OUT relation_oid oid, OUT key_names text[])
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  names text[];
  numbers smallint[];
  keys smallint[];
begin
  select i.indrelid, pg_catalog.string_to_array(i.indkey::text, ' ')::smallint[],
         array(select a.attname::text from pg_catalog.unnest(i.indkey::smallint[]) with ordinality k (number, place)
               join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number order by k.place)
    into relation_oid, keys, key_names
    from system.resources r join pg_index i on i.indrelid = r.relation_oid and i.indisprimary
    where r.id = resource and r.history;
  if not found then return; end if;
  select pg_catalog.array_agg(a.attname::text order by a.attnum), pg_catalog.array_agg(a.attnum order by a.attnum) into names, numbers
    from pg_attribute a where a.attrelid = relation_oid and a.attnum > 0 and not a.attisdropped;
  select l.id into row_history_layout.id from system.row_history_layouts l
    where l.resource_id = resource and l.relation_oid = row_history_layout.relation_oid
      and l.stored_names = names and l.column_numbers = numbers and l.key_numbers = keys
    limit 1;
  if found then return; end if;
  insert into system.row_history_layouts as l
      (resource_id, relation_oid, stored_names, column_names, column_numbers, key_numbers)
    values (resource, row_history_layout.relation_oid, names, names, numbers, keys)
    returning l.id into row_history_layout.id;
end $function$
;

CREATE OR REPLACE FUNCTION system.row_writer(OUT user_id uuid, OUT token_id uuid, OUT run_id uuid, OUT request_id text)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  named jsonb;
begin
  if has_table_privilege(session_user, 'system.row_history', 'select') then
    named := nullif(current_setting('rowhouse.writer', true), '')::jsonb;
    user_id := (named ->> 'user'::text)::uuid;
    token_id := (named ->> 'token'::text)::uuid;
    request_id := named ->> 'request'::text;
    run_id := nullif(current_setting('rowhouse.run', true), '')::uuid;
  else
    select r.user_id into row_writer.user_id
      from system.sql_console_runs r cross join pg_stat_get_activity(pg_backend_pid()) s
      where r.backend_pid = pg_backend_pid() and coalesce(s.backend_start::text = r.backend_start, r.ends_at > now());
  end if;
exception when others then
  null;
end $function$
;

CREATE OR REPLACE FUNCTION system.serve_from(migration integer)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
  update system.installation set serves_from = greatest(serves_from, migration);
$function$
;

CREATE OR REPLACE FUNCTION system.service_login()
 RETURNS name
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((
    select pg_catalog.pg_get_userbyid(p.proowner) from pg_catalog.pg_proc p
    where p.oid = pg_catalog.to_regprocedure('system.as_service(text,boolean,text[])')), current_user)
$function$
;

CREATE OR REPLACE FUNCTION system.signal_parent_run()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update system.workflow_runs set signalled = true where id = new.parent_run_id and status in ('QUEUED', 'RUNNING');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION system.sync_event_triggers(resource uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  item record;
begin
  perform pg_advisory_xact_lock(7723118206);
  for item in
    select t.relation_oid, t.name from system.event_triggers t
    left join system.wanted_event_triggers w on w.name = t.name and w.relation_oid = t.relation_oid and w.for_each_row = t.for_each_row
    where t.resource_id = resource and w.name is null
  loop
    begin
      execute format('drop trigger %I on %s', item.name, item.relation_oid::regclass);
    exception when lock_not_available or insufficient_privilege then
      exit;
    end;
  end loop;
  for item in
    select w.* from system.wanted_event_triggers w
    left join system.event_triggers t on t.name = w.name and t.relation_oid = w.relation_oid
    where w.resource_id = resource and t.name is null
  loop
    execute format('create trigger %I %s %s on %s %s execute function system.%I(%L)',
      item.name, case when item.operation = 'TRUNCATE' then 'before' else 'after' end, item.operation, item.relation_oid::regclass,
      case when item.for_each_row then 'for each row'
        when item.operation = 'TRUNCATE' then 'for each statement'
        else 'referencing ' || concat_ws(' ', case when item.operation <> 'INSERT' then 'old table as old_rows' end,
          case when item.operation <> 'DELETE' then 'new table as new_rows' end) || ' for each statement' end,
      item.function_name, item.resource_id);
  end loop;
  for item in
    select t.relation_oid, t.name from system.event_triggers t
    join pg_catalog.pg_trigger g on g.tgrelid = t.relation_oid and g.tgname = t.name and g.tgenabled = 'O'
    where t.resource_id = resource
  loop
    begin
      execute format('alter table %s enable always trigger %I', item.relation_oid::regclass, item.name);
    exception when lock_not_available or insufficient_privilege then
      exit;
    end;
  end loop;
end $function$
;

CREATE OR REPLACE FUNCTION system.sync_registry()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
declare
  gone boolean;
  moved boolean;
  added boolean;
begin
  if not exists (select 1 from system.installation where self_oid = 'system.installation'::regclass::oid) then
    -- A restored dump: bind every record again by schema and name. Records without a relation go.
    delete from system.resources r where not exists (
      select 1 from system.registrable_relations c
      where c.schema_name = r.schema_name and c.relation_name = r.relation_name and c.kind = r.kind);
    update system.resources r set relation_oid = c.relation_oid
      from system.registrable_relations c
      where c.schema_name = r.schema_name and c.relation_name = r.relation_name;
    -- Attribute numbers are new as well where columns had been dropped before the dump. A filter, check or preset that
    -- has lost its column keeps none: its old number may be another column's now.
    delete from system.grant_columns gc using system.grants g, system.resources r
      where g.id = gc.grant_id and r.id = coalesce(gc.path_resource_id, g.resource_id) and gc.usage = 'FIELD' and not exists (
        select 1 from pg_attribute a where a.attrelid = r.relation_oid and a.attname = gc.column_name
          and a.attnum > 0 and not a.attisdropped);
    update system.grant_columns gc set attribute_number = coalesce((
        select a.attnum from pg_attribute a where a.attrelid = r.relation_oid and a.attname = gc.column_name
          and a.attnum > 0 and not a.attisdropped), 0)
      from system.grants g, system.resources r
      where g.id = gc.grant_id and r.id = coalesce(gc.path_resource_id, g.resource_id);
    delete from system.resource_columns rc using system.resources r
      where r.id = rc.resource_id and not exists (
        select 1 from pg_attribute a where a.attrelid = r.relation_oid and a.attname = rc.column_name
          and a.attnum > 0 and not a.attisdropped);
    update system.resource_columns rc set attribute_number = a.attnum
      from system.resources r, pg_attribute a
      where r.id = rc.resource_id and a.attrelid = r.relation_oid and a.attname = rc.column_name
        and a.attnum > 0 and not a.attisdropped;
    delete from system.reading_columns rc using system.resources r
      where r.id = rc.path_resource_id and not exists (
        select 1 from pg_attribute a where a.attrelid = r.relation_oid and a.attname = rc.column_name
          and a.attnum > 0 and not a.attisdropped);
    update system.reading_columns rc set attribute_number = a.attnum
      from system.resources r, pg_attribute a
      where r.id = rc.path_resource_id and a.attrelid = r.relation_oid and a.attname = rc.column_name
        and a.attnum > 0 and not a.attisdropped;
    -- Types, collations and labels have new OIDs, and are found by their names.
    update system.grant_columns set meaning = system.rebound_meaning(meaning), beside = system.rebound_meanings(beside);
    update system.reading_columns set meaning = system.rebound_meaning(meaning);
    update system.workflow_watches set meanings = system.rebound_meanings(meanings) where meanings is not null;
    update system.saved_views set meanings = system.rebound_meanings(meanings) where meanings is not null;
    update system.installation set self_oid = 'system.installation'::regclass::oid;
  end if;

  with c as materialized (select * from system.registrable_relations)
  select bool_or(c.relation_oid is null or c.kind <> r.kind), bool_or(r.id is null),
         bool_or((c.schema_name, c.relation_name) is distinct from (r.schema_name, r.relation_name))
    into gone, added, moved
    from c full join system.resources r on r.relation_oid = c.relation_oid;
  if gone then
    delete from system.resources r where not exists (
      select 1 from system.registrable_relations c where c.relation_oid = r.relation_oid and c.kind = r.kind);
  end if;
  if moved then
    update system.resources r set schema_name = c.schema_name, relation_name = c.relation_name
      from system.registrable_relations c
      where c.relation_oid = r.relation_oid
        and (c.schema_name, c.relation_name) is distinct from (r.schema_name, r.relation_name);
  end if;
  if added or gone then
    insert into system.resources (relation_oid, schema_name, relation_name, kind)
      select c.relation_oid, c.schema_name, c.relation_name, c.kind
      from system.registrable_relations c
      where not exists (select 1 from system.resources r where r.relation_oid = c.relation_oid);
  end if;

  -- A renamed column keeps its grants and its label; the name is kept for the next restore. What named a column that is
  -- gone goes as well, or loses its name: after a restore it would find another column of this name.
  if exists (
    select 1 from system.grant_columns gc
    join system.grants g on g.id = gc.grant_id
    join system.resources r on r.id = coalesce(gc.path_resource_id, g.resource_id)
    left join pg_attribute a on a.attrelid = r.relation_oid and a.attnum = gc.attribute_number and not a.attisdropped
    where gc.column_name <> coalesce(a.attname, '')
  ) then
    delete from system.grant_columns gc using system.grants g, system.resources r
      where g.id = gc.grant_id and r.id = coalesce(gc.path_resource_id, g.resource_id) and gc.usage = 'FIELD'
        and not exists (select 1 from pg_attribute a where a.attrelid = r.relation_oid
          and a.attnum = gc.attribute_number and not a.attisdropped);
    update system.grant_columns gc set column_name = coalesce((
        select a.attname from pg_attribute a where a.attrelid = r.relation_oid
          and a.attnum = gc.attribute_number and not a.attisdropped), '')
      from system.grants g, system.resources r
      where g.id = gc.grant_id and r.id = coalesce(gc.path_resource_id, g.resource_id);
  end if;
  if exists (
    select 1 from system.resource_columns rc
    join system.resources r on r.id = rc.resource_id
    left join pg_attribute a on a.attrelid = r.relation_oid and a.attnum = rc.attribute_number and not a.attisdropped
    where rc.column_name <> coalesce(a.attname, '')
  ) then
    delete from system.resource_columns rc using system.resources r
      where r.id = rc.resource_id and not exists (select 1 from pg_attribute a where a.attrelid = r.relation_oid
        and a.attnum = rc.attribute_number and not a.attisdropped);
    update system.resource_columns rc set column_name = a.attname
      from system.resources r, pg_attribute a
      where r.id = rc.resource_id and a.attrelid = r.relation_oid and a.attnum = rc.attribute_number
        and not a.attisdropped and a.attname <> rc.column_name;
  end if;
  if exists (
    select 1 from system.reading_columns rc
    join system.resources r on r.id = rc.path_resource_id
    left join pg_attribute a on a.attrelid = r.relation_oid and a.attnum = rc.attribute_number and not a.attisdropped
    where rc.column_name <> coalesce(a.attname, '')
  ) then
    delete from system.reading_columns rc using system.resources r
      where r.id = rc.path_resource_id and not exists (select 1 from pg_attribute a where a.attrelid = r.relation_oid
        and a.attnum = rc.attribute_number and not a.attisdropped);
    update system.reading_columns rc set column_name = a.attname
      from system.resources r, pg_attribute a
      where r.id = rc.path_resource_id and a.attrelid = r.relation_oid and a.attnum = rc.attribute_number
        and not a.attisdropped and a.attname <> rc.column_name;
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION system.take_place(run uuid, workflow uuid, accepted timestamp with time zone, places integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
declare
  free integer;
  ahead integer;
begin
  perform system.lock_places(workflow);
  delete from system.workflow_places p
  where p.workflow_id = workflow and p.taken and not exists (
    select from system.workflow_runs r where r.id = p.run_id and r.lease_until > clock_timestamp());
  if exists (select from system.workflow_places p where p.run_id = run and p.taken) then
    return false;
  end if;
  free := system.free_places(workflow, places);
  -- Runs that were refused before go first: a free place was offered to them.
  select count(*) into ahead from (
    select from system.workflow_places p join system.workflow_runs r on r.id = p.run_id
    where p.workflow_id = workflow and not p.taken and (p.accepted_at, p.run_id) < (accepted, run)
      and r.status in ('QUEUED', 'RUNNING')
    order by p.accepted_at, p.run_id limit free) line;
  insert into system.workflow_places as p (run_id, workflow_id, taken, accepted_at)
  values (run, workflow, ahead < free, accepted)
  on conflict (run_id) do update set taken = excluded.taken where p.taken is distinct from excluded.taken;
  return ahead < free;
end $function$
;

CREATE OR REPLACE FUNCTION system.token_works(token uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from system.tokens t join system.users o on o.id = t.user_id
    where t.id = token and t.active and t.revoked_at is null and t.expires_at > system.clock()
      and o.active and not o.is_system
      and exists (
        select from system.role_members m join system.roles r on r.id = m.role_id
        where m.user_id = o.id and case t.plane when 'admin' then r.is_administrators else r.api_access end))
$function$
;

CREATE OR REPLACE FUNCTION system.trusts_json_casts()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return not exists (
    select 1 from pg_cast c
    join pg_proc p on p.oid = c.castfunc
    join pg_roles o on o.oid = p.proowner
    -- The types that come with Postgres have lower numbers, and no such cast of theirs is asked for.
    where c.castsource >= 16384 and c.casttarget = 'json'::regtype and not o.rolsuper and o.rolname <> current_user);
end $function$
;

CREATE OR REPLACE FUNCTION system.update_token_secrets()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'system', 'pg_temp'
AS $function$
begin
  update system.token_secrets set usable = new.active and new.revoked_at is null,
      expires_at = case when is_current then new.expires_at else least(expires_at, new.expires_at) end
    where token_id = new.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION system.workflow_problem(workflow uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((
    select case
      when c.oid is null then pg_catalog.format('The table %s.%s is gone', w.schema_name, w.table_name)
      when lost.names is not null then pg_catalog.format('The table %s.%s has lost %s', w.schema_name, w.table_name, lost.names)
      when changed.names is not null then
        pg_catalog.format('The filter names columns of %s.%s whose type or labels have changed (%s); publish the workflow again',
          w.schema_name, w.table_name, changed.names)
      when f.enabled and exists (
        select 1 from system.wanted_event_triggers n
        where n.resource_id = w.resource_id and n.function_name = 'record_events' and n.operation = any (w.operations) and not exists (
          select 1 from system.event_triggers t where t.name = n.name and t.relation_oid = n.relation_oid and t.is_on
            and t.for_each_row = n.for_each_row))
        then pg_catalog.format('The table %s.%s has lost its trigger', w.schema_name, w.table_name)
      end
    from system.workflow_watches w
    join system.workflows f on f.id = w.workflow_id
    left join system.resources r on r.id = w.resource_id
    left join pg_catalog.pg_class c on c.oid = r.relation_oid
    left join lateral (
      select pg_catalog.string_agg(u.name, ', ') as names from unnest(w.column_numbers, w.column_names) u (number, name)
      where not exists (select 1 from pg_catalog.pg_attribute a
        where a.attrelid = w.relation_oid and a.attnum = u.number and a.attnum > 0 and not a.attisdropped)) lost on true
    left join lateral (select system.changed_in_filter(workflow) as names where w.meanings is not null) changed on true
    where w.workflow_id = workflow), (
    select case
      when p.id is null then 'The user that it executes as was deleted'
      when not p.active then 'The user that it executes as is not active' end
    from system.workflows f
    join system.workflow_versions v on v.id = f.published_version_id
    left join system.users p on p.id::text = v.definition #>> '{trigger,executeAs}'::text[]
    where f.id = workflow and v.definition #>> '{trigger,executeAs}'::text[] is not null))
$function$
;

CREATE OR REPLACE FUNCTION system.writing_run(OUT run_id uuid, OUT depth integer, OUT workflow_ids uuid[])
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  named text := current_setting('rowhouse.run', true);
begin
  workflow_ids := '{}';
  depth := -1;
  if named is null or named !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then return; end if;
  with recursive line (id, workflow_id, parent_run_id, depth) as (
    select r.id, r.workflow_id, r.parent_run_id, r.depth from system.workflow_runs r
    where r.id = named::uuid and r.status in ('QUEUED', 'RUNNING')
    union
    select r.id, r.workflow_id, r.parent_run_id, r.depth from line
    join system.workflow_runs r on r.id = line.parent_run_id
  )
  select max(line.id::text) filter (where line.id = named::uuid)::uuid, coalesce(max(line.depth), -1),
         coalesce(pg_catalog.array_agg(distinct line.workflow_id), '{}')
    into run_id, depth, workflow_ids from line;
end $function$
;

alter table system.configuration_applies alter column applied_at set default system.clock();

alter table system.configuration_plans alter column created_at set default system.clock();

alter table system.webhook_calls alter column created_at set default system.clock();

alter table system.audit_log add constraint audit_log_outcome_check CHECK ((outcome = ANY (ARRAY['SUCCEEDED'::text, 'FAILED'::text])));

alter table system.auth_providers add constraint auth_providers_key_check CHECK ((key ~ '^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$'::text));

alter table system.auth_providers add constraint auth_providers_kind_check CHECK ((kind = ANY (ARRAY['google'::text, 'github'::text, 'oidc'::text])));

alter table system.auth_providers add constraint auth_providers_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)));

alter table system.configuration_applies add constraint configuration_applies_source_commit_check CHECK ((length(source_commit) <= 200));

alter table system.configuration_applies add constraint configuration_applies_source_url_check CHECK ((length(source_url) <= 2000));

alter table system.dashboard_panels add constraint dashboard_panels_id_check CHECK ((id ~ '^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$'::text));

alter table system.dashboard_panels add constraint dashboard_panels_kind_check CHECK ((kind = ANY (ARRAY['LIST'::text, 'FIGURE'::text, 'CHART'::text, 'PIVOT'::text, 'TEXT'::text])));

alter table system.dashboard_panels add constraint dashboard_panels_title_check CHECK ((length(title) <= 200));

alter table system.dashboards add constraint dashboards_description_check CHECK ((length(description) <= 1000));

alter table system.dashboards add constraint dashboards_icon_check CHECK ((icon ~ '^[a-z0-9-]{1,40}$'::text));

alter table system.dashboards add constraint dashboards_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)));

alter table system.dashboards add constraint dashboards_refresh_seconds_check CHECK (((refresh_seconds >= 10) AND (refresh_seconds <= 86400)));

alter table system.data_views add constraint data_views_description_check CHECK ((length(description) <= 1000));

alter table system.data_views add constraint data_views_icon_check CHECK ((icon ~ '^[a-z0-9-]{1,40}$'::text));

alter table system.data_views add constraint data_views_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)));

alter table system.epoch add constraint epoch_slot_check CHECK (((slot >= 0) AND (slot <= 3)));

alter table system.files add constraint files_bytes_check CHECK ((bytes >= 0));

alter table system.files add constraint files_content_whole CHECK ((((state = 'PENDING'::text) = (content IS NULL)) AND ((content IS NULL) = (storage_key IS NULL)) AND ((content IS NULL) = (bytes IS NULL)) AND ((content IS NULL) = (sha256 IS NULL)) AND ((content IS NULL) = (media_type IS NULL))));

alter table system.files add constraint files_description_length CHECK ((length(description) <= 10000));

alter table system.files add constraint files_name_form CHECK (((name ~ '^[^/\\[:cntrl:]]{1,255}$'::text) AND (name <> ALL (ARRAY['.'::text, '..'::text]))));

alter table system.files add constraint files_state_check CHECK ((state = ANY (ARRAY['PENDING'::text, 'READY'::text, 'QUARANTINED'::text])));

alter table system.files add constraint files_title_length CHECK ((length(title) <= 255));

alter table system.files add constraint files_visibility CHECK ((visibility = ANY (ARRAY['PRIVATE'::text, 'PUBLIC'::text])));

alter table system.folders add constraint folders_name_form CHECK (((name ~ '^[^/\\[:cntrl:]]{1,255}$'::text) AND (name <> ALL (ARRAY['.'::text, '..'::text]))));

alter table system.grant_columns add constraint grant_columns_usage_check CHECK ((usage = ANY (ARRAY['FIELD'::text, 'FILTER'::text, 'CHECK'::text, 'PRESET'::text])));

alter table system.grants add constraint grants_action_check CHECK ((action = ANY (ARRAY['READ'::text, 'CREATE'::text, 'UPDATE'::text, 'DELETE'::text])));

alter table system.idempotency_keys add constraint idempotency_keys_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255)));

alter table system.installation add constraint installation_singleton_check CHECK (singleton);

alter table system.invitations add constraint invitations_email_check CHECK (((length(email) >= 3) AND (length(email) <= 320)));

alter table system.invitations add constraint invitations_language_check CHECK ((language ~ '^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$'::text));

alter table system.invitations add constraint invitations_name_check CHECK ((length(name) <= 200));

alter table system.invitations add constraint invitations_secret CHECK (((digest IS NULL) = ((accepted_at IS NOT NULL) OR (revoked_at IS NOT NULL))));

alter table system.links add constraint links_kind_check CHECK ((kind = ANY (ARRAY['RESET'::text, 'VERIFY'::text, 'CHANGE'::text])));

alter table system.links add constraint links_new_email CHECK (((kind = 'CHANGE'::text) = (new_email IS NOT NULL)));

alter table system.links add constraint links_new_email_check CHECK (((length(new_email) >= 3) AND (length(new_email) <= 320)));

alter table system.mails add constraint mails_of_one_or_notice CHECK (((num_nonnulls(user_id, invitation_id, run_id, notice) = 1) AND ((sealed IS NULL) = (notice IS NOT NULL))));

alter table system.mcp_calls add constraint mcp_calls_outcome_check CHECK ((outcome = ANY (ARRAY['SUCCEEDED'::text, 'REFUSED'::text, 'FAILED'::text])));

alter table system.oauth_clients add constraint oauth_clients_id_check CHECK ((id ~ '^rhc_[0-9A-Za-z]{30}$'::text));

alter table system.oauth_clients add constraint oauth_clients_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)));

alter table system.provider_secrets add constraint provider_secrets_name_check CHECK ((name ~ '^[A-Z][A-Z0-9_]{0,62}$'::text));

alter table system.reading_columns add constraint reading_columns_check CHECK ((num_nonnulls(data_view_id, dashboard_id) = 1));

alter table system.resource_columns add constraint resource_columns_colors_check CHECK ((jsonb_typeof(colors) = 'array'::text));

alter table system.resource_columns add constraint resource_columns_format_check CHECK ((jsonb_typeof(format) = 'object'::text));

alter table system.resource_columns add constraint resource_columns_label_check CHECK (((length(label) >= 1) AND (length(label) <= 200)));

alter table system.resource_columns add constraint resource_columns_relation_name_check CHECK (((octet_length(relation_name) >= 1) AND (octet_length(relation_name) <= 63)));

alter table system.resource_columns add constraint resource_columns_title_part_check CHECK ((jsonb_typeof(title_part) = 'object'::text));

alter table system.resources add constraint resources_description_check CHECK (((length(description) >= 1) AND (length(description) <= 5000)));

alter table system.resources add constraint resources_exposed_methods_check CHECK ((exposed_methods <@ ARRAY['GET'::text, 'POST'::text, 'PATCH'::text, 'DELETE'::text]));

alter table system.resources add constraint resources_kind_check CHECK ((kind = ANY (ARRAY['TABLE'::text, 'VIEW'::text])));

alter table system.resources add constraint resources_label_check CHECK (((length(label) >= 1) AND (length(label) <= 200)));

alter table system.resources add constraint resources_view_is_read_only CHECK (((kind = 'TABLE'::text) OR (exposed_methods <@ ARRAY['GET'::text])));

alter table system.roles add constraint roles_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)));

alter table system.row_history add constraint row_history_operation_check CHECK ((operation = ANY (ARRAY['INSERT'::text, 'UPDATE'::text, 'DELETE'::text])));

alter table system.saved_views add constraint saved_views_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)));

alter table system.saved_views add constraint saved_views_position_check CHECK (("position" >= 0));

alter table system.templates add constraint templates_format_check CHECK ((format = ANY (ARRAY['HTML'::text, 'TEXT'::text, 'CSV'::text])));

alter table system.templates add constraint templates_key_check CHECK ((key ~ '^[a-z0-9]+(?:[._-][a-z0-9]+)*$'::text));

alter table system.templates add constraint templates_kind_check CHECK ((kind = ANY (ARRAY['MAIL'::text, 'DOCUMENT'::text])));

alter table system.templates add constraint templates_language_check CHECK ((language ~ '^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$'::text));

alter table system.token_secrets add constraint token_secrets_audience_check CHECK ((audience = 'mcp'::text));

alter table system.token_secrets add constraint token_secrets_of_audience CHECK (((audience IS NULL) = (is_current IS NOT NULL)));

alter table system.tokens add constraint tokens_check CHECK (((client IS NULL) OR (plane = 'api'::text)));

alter table system.tokens add constraint tokens_check1 CHECK (((scopes IS NULL) = (client IS NULL)));

alter table system.tokens add constraint tokens_description_check CHECK ((length(description) <= 1000));

alter table system.tokens add constraint tokens_lifetime_days_check CHECK (((lifetime_days >= 1) AND (lifetime_days <= 3650)));

alter table system.tokens add constraint tokens_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)));

alter table system.tokens add constraint tokens_plane_check CHECK ((plane = ANY (ARRAY['api'::text, 'admin'::text])));

alter table system.upload_segments add constraint upload_segments_bytes_check CHECK ((bytes > 0));

alter table system.uploads add constraint uploads_length_check CHECK ((length >= 0));

alter table system.uploads add constraint uploads_received_check CHECK ((received >= 0));

alter table system.uploads add constraint uploads_state_check CHECK ((state = ANY (ARRAY['RECEIVING'::text, 'COMPLETE'::text, 'ATTACHED'::text])));

alter table system.users add constraint users_email_check CHECK (((length(email) >= 3) AND (length(email) <= 320)));

alter table system.users add constraint users_email_form CHECK ((email ~ '^[^@[:space:][:cntrl:]]+@[^@[:space:][:cntrl:]]+$'::text)) NOT VALID;

alter table system.users add constraint users_language_check CHECK ((language ~ '^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$'::text));

alter table system.users add constraint users_name_check CHECK ((length(name) <= 200));

alter table system.users add constraint users_region_check CHECK ((region ~ '^(?:[A-Z]{2}|[0-9]{3})$'::text));

alter table system.users add constraint users_system_account_has_no_password CHECK (((NOT is_system) OR (password_hash IS NULL)));

alter table system.users add constraint users_time_zone_check CHECK (system.is_time_zone(time_zone));

alter table system.view_refreshes add constraint view_refreshes_error CHECK (((state = 'FAILED'::text) = (error_code IS NOT NULL)));

alter table system.view_refreshes add constraint view_refreshes_finished CHECK (((state = 'RUNNING'::text) = (finished_at IS NULL)));

alter table system.view_refreshes add constraint view_refreshes_state_check CHECK ((state = ANY (ARRAY['RUNNING'::text, 'SUCCEEDED'::text, 'FAILED'::text])));

alter table system.webhook_calls add constraint webhook_calls_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255)));

alter table system.workflow_run_steps add constraint workflow_run_steps_status_check CHECK ((status = ANY (ARRAY['STARTED'::text, 'WAITING'::text, 'SUCCEEDED'::text, 'FAILED'::text])));

alter table system.workflow_runs add constraint workflow_runs_check CHECK (((token_plane = ANY (ARRAY['api'::text, 'admin'::text])) AND ((token_id IS NULL) = (token_plane IS NULL))));

alter table system.workflow_runs add constraint workflow_runs_finished CHECK (((status = ANY (ARRAY['SUCCEEDED'::text, 'FAILED'::text, 'CANCELLED'::text])) = (finished_at IS NOT NULL)));

alter table system.workflow_runs add constraint workflow_runs_origin_check CHECK ((origin = ANY (ARRAY['WEBHOOK'::text, 'MANUAL'::text, 'SCHEDULE'::text, 'EVENT'::text, 'WORKFLOW'::text, 'TEST'::text, 'AGAIN'::text])));

alter table system.workflow_runs add constraint workflow_runs_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text, 'SUCCEEDED'::text, 'FAILED'::text, 'CANCELLED'::text])));

alter table system.workflow_samples add constraint workflow_samples_name_check CHECK (((name <> ''::text) AND (length(name) <= 200)));

alter table system.workflow_secrets add constraint workflow_secrets_name_check CHECK ((name ~ '^[A-Z][A-Z0-9_]{0,62}$'::text));

alter table system.workflow_watches add constraint workflow_watches_operations_check CHECK (((cardinality(operations) > 0) AND (operations <@ ARRAY['INSERT'::text, 'UPDATE'::text, 'DELETE'::text])));

alter table system.workflows add constraint workflows_concurrency_check CHECK ((concurrency >= 1));

alter table system.workflows add constraint workflows_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)));

alter table system.workflows add constraint workflows_priority_check CHECK ((priority = ANY (ARRAY['HIGH'::text, 'NORMAL'::text, 'LOW'::text])));

alter table system.workflows add constraint workflows_slug_check CHECK ((slug ~ '^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$'::text));

alter table system.migrations add constraint migrations_pkey PRIMARY KEY (number);

alter table system.epoch add constraint epoch_pkey PRIMARY KEY (slot);

alter table system.users add constraint users_pkey PRIMARY KEY (id);

alter table system.roles add constraint roles_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX roles_one_administrators ON system.roles USING btree (is_administrators) WHERE is_administrators;

alter table system.role_members add constraint role_members_pkey PRIMARY KEY (role_id, user_id);

CREATE INDEX role_members_user ON system.role_members USING btree (user_id);

alter table system.sessions add constraint sessions_pkey PRIMARY KEY (id);

alter table system.sessions add constraint sessions_digest_key UNIQUE (digest);

CREATE INDEX sessions_user ON system.sessions USING btree (user_id);

CREATE INDEX sessions_expiry ON system.sessions USING btree (expires_at);

alter table system.resources add constraint resources_pkey PRIMARY KEY (id);

alter table system.resources add constraint resources_relation_oid_key UNIQUE (relation_oid) DEFERRABLE;

alter table system.grants add constraint grants_pkey PRIMARY KEY (id);

alter table system.grants add constraint grants_role_id_resource_id_action_key UNIQUE (role_id, resource_id, action);

CREATE INDEX grants_resource ON system.grants USING btree (resource_id);

alter table system.grant_columns add constraint grant_columns_pkey PRIMARY KEY (grant_id, usage, mention);

alter table system.settings add constraint settings_pkey PRIMARY KEY (key);

alter table system.audit_log add constraint audit_log_pkey PRIMARY KEY (id);

CREATE INDEX audit_log_time ON system.audit_log USING btree (occurred_at DESC);

alter table system.installation add constraint installation_pkey PRIMARY KEY (singleton);

alter table system.workflows add constraint workflows_pkey PRIMARY KEY (id);

alter table system.workflows add constraint workflows_slug_key UNIQUE (slug);

alter table system.workflow_versions add constraint workflow_versions_pkey PRIMARY KEY (id);

alter table system.workflow_versions add constraint workflow_versions_workflow_id_number_key UNIQUE (workflow_id, number);

alter table system.workflow_invoke_grants add constraint workflow_invoke_grants_pkey PRIMARY KEY (workflow_id, role_id);

alter table system.workflow_runs add constraint workflow_runs_pkey PRIMARY KEY (id);

CREATE INDEX workflow_runs_open ON system.workflow_runs USING btree (accepted_at) WHERE (finished_at IS NULL);

CREATE INDEX workflow_runs_workflow ON system.workflow_runs USING btree (workflow_id, accepted_at DESC, id DESC);

alter table system.workflow_run_steps add constraint workflow_run_steps_pkey PRIMARY KEY (run_id, path);

alter table system.rate_limits add constraint rate_limits_pkey PRIMARY KEY (key);

alter table system.tokens add constraint tokens_pkey PRIMARY KEY (id);

alter table system.token_secrets add constraint token_secrets_pkey PRIMARY KEY (digest);

alter table system.token_secrets add constraint token_secrets_one_of_a_kind UNIQUE (token_id, is_current);

alter table system.sign_in_attempts add constraint sign_in_attempts_pkey PRIMARY KEY (address_digest);

CREATE INDEX sign_in_attempts_age ON system.sign_in_attempts USING btree (last_at);

alter table system.links add constraint links_pkey PRIMARY KEY (digest);

alter table system.links add constraint links_one_of_a_kind UNIQUE (user_id, kind);

alter table system.invitations add constraint invitations_pkey PRIMARY KEY (id);

alter table system.invitations add constraint invitations_digest_key UNIQUE (digest);

alter table system.invitation_roles add constraint invitation_roles_pkey PRIMARY KEY (invitation_id, role_id);

alter table system.templates add constraint templates_pkey PRIMARY KEY (id);

alter table system.templates add constraint templates_key_language_key UNIQUE (key, language);

alter table system.auth_providers add constraint auth_providers_pkey PRIMARY KEY (id);

alter table system.auth_providers add constraint auth_providers_key_key UNIQUE (key);

alter table system.provider_accounts add constraint provider_accounts_pkey PRIMARY KEY (issuer, subject);

CREATE INDEX provider_accounts_user ON system.provider_accounts USING btree (user_id);

alter table system.provider_flows add constraint provider_flows_pkey PRIMARY KEY (state_digest);

CREATE INDEX provider_flows_expiry ON system.provider_flows USING btree (expires_at);

alter table system.sign_in_codes add constraint sign_in_codes_pkey PRIMARY KEY (digest);

alter table system.idempotency_keys add constraint idempotency_keys_pkey PRIMARY KEY (user_id, key);

CREATE INDEX idempotency_keys_age ON system.idempotency_keys USING btree (created_at);

alter table system.mails add constraint mails_pkey PRIMARY KEY (id);

alter table system.mails add constraint mails_about_key UNIQUE (about);

CREATE INDEX mails_due ON system.mails USING btree (due_at);

CREATE INDEX mails_user ON system.mails USING btree (user_id);

CREATE INDEX mails_invitation ON system.mails USING btree (invitation_id);

CREATE INDEX audit_log_actor ON system.audit_log USING btree (actor_user_id, id);

CREATE INDEX audit_log_target ON system.audit_log USING btree (target_id, id);

alter table system.provider_accounts add constraint provider_accounts_id_key UNIQUE (id);

CREATE INDEX sign_in_codes_account ON system.sign_in_codes USING btree (account_id);

alter table system.view_refreshes add constraint view_refreshes_pkey PRIMARY KEY (resource_id);

alter table system.resource_columns add constraint resource_columns_pkey PRIMARY KEY (resource_id, attribute_number) DEFERRABLE;

alter table system.sql_console_runs add constraint sql_console_runs_pkey PRIMARY KEY (id);

CREATE INDEX sql_console_runs_user ON system.sql_console_runs USING btree (user_id);

alter table system.webhook_calls add constraint webhook_calls_pkey PRIMARY KEY (workflow_id, caller, key);

CREATE INDEX webhook_calls_age ON system.webhook_calls USING btree (created_at);

CREATE INDEX webhook_calls_run ON system.webhook_calls USING btree (run_id);

alter table system.data_views add constraint data_views_pkey PRIMARY KEY (id);

CREATE INDEX data_views_resource ON system.data_views USING btree (resource_id);

CREATE INDEX data_views_name ON system.data_views USING btree (lower(name), id);

alter table system.data_view_roles add constraint data_view_roles_pkey PRIMARY KEY (data_view_id, role_id);

CREATE INDEX data_view_roles_role ON system.data_view_roles USING btree (role_id);

alter table system.dashboards add constraint dashboards_pkey PRIMARY KEY (id);

CREATE INDEX dashboards_name ON system.dashboards USING btree (lower(name), id);

alter table system.dashboard_roles add constraint dashboard_roles_pkey PRIMARY KEY (dashboard_id, role_id);

CREATE INDEX dashboard_roles_role ON system.dashboard_roles USING btree (role_id);

alter table system.dashboard_panels add constraint dashboard_panels_pkey PRIMARY KEY (dashboard_id, id);

CREATE INDEX dashboard_panels_resource ON system.dashboard_panels USING btree (resource_id);

CREATE INDEX workflow_runs_parent ON system.workflow_runs USING btree (parent_run_id) WHERE (parent_run_id IS NOT NULL);

CREATE INDEX mails_run ON system.mails USING btree (run_id) WHERE (run_id IS NOT NULL);

alter table system.workflow_places add constraint workflow_places_pkey PRIMARY KEY (run_id);

CREATE INDEX workflow_places_line ON system.workflow_places USING btree (workflow_id, taken, accepted_at, run_id);

alter table system.workflow_secrets add constraint workflow_secrets_pkey PRIMARY KEY (name);

alter table system.workflow_watches add constraint workflow_watches_pkey PRIMARY KEY (workflow_id);

CREATE INDEX workflow_watches_resource ON system.workflow_watches USING btree (resource_id);

alter table system.workflow_events add constraint workflow_events_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX workflow_runs_event ON system.workflow_runs USING btree (event_id, workflow_id) WHERE (event_id IS NOT NULL);

alter table system.workflow_schedules add constraint workflow_schedules_pkey PRIMARY KEY (workflow_id);

CREATE INDEX workflow_schedules_due ON system.workflow_schedules USING btree (next_at) WHERE (next_at IS NOT NULL);

CREATE UNIQUE INDEX workflow_runs_occurrence ON system.workflow_runs USING btree (workflow_id, scheduled_at) WHERE (scheduled_at IS NOT NULL);

CREATE INDEX workflow_runs_accepted ON system.workflow_runs USING btree (accepted_at DESC, id DESC);

CREATE INDEX workflow_runs_failed ON system.workflow_runs USING btree (accepted_at DESC, id DESC) WHERE (error IS NOT NULL);

CREATE INDEX provider_flows_session ON system.provider_flows USING btree (session_id) WHERE (session_id IS NOT NULL);

alter table system.former_users add constraint former_users_pkey PRIMARY KEY (id);

alter table system.saved_views add constraint saved_views_pkey PRIMARY KEY (id);

alter table system.saved_views add constraint saved_views_name UNIQUE (user_id, resource_id, name);

CREATE INDEX saved_views_resource ON system.saved_views USING btree (resource_id);

alter table system.preferences add constraint preferences_pkey PRIMARY KEY (user_id);

alter table system.row_history_layouts add constraint row_history_layouts_pkey PRIMARY KEY (id);

CREATE INDEX row_history_layouts_resource ON system.row_history_layouts USING btree (resource_id);

alter table system.row_history add constraint row_history_pkey PRIMARY KEY (place);

CREATE INDEX row_history_key ON system.row_history USING btree (resource_id, row_key, place DESC);

CREATE INDEX row_history_age ON system.row_history USING btree (changed_at);

alter table system.folders add constraint folders_pkey PRIMARY KEY (id);

alter table system.folders add constraint folders_name UNIQUE NULLS NOT DISTINCT (parent_id, name);

alter table system.files add constraint files_pkey PRIMARY KEY (id);

alter table system.files add constraint files_storage_key_key UNIQUE (storage_key);

CREATE INDEX files_folder ON system.files USING btree (folder_id, name);

CREATE INDEX files_uploaded_by ON system.files USING btree (uploaded_by) INCLUDE (bytes);

CREATE INDEX folders_parent ON system.folders USING btree (parent_id);

alter table system.uploads add constraint uploads_pkey PRIMARY KEY (id);

alter table system.uploads add constraint uploads_storage_key_key UNIQUE (storage_key);

CREATE INDEX uploads_user ON system.uploads USING btree (user_id);

CREATE INDEX uploads_expiry ON system.uploads USING btree (expires_at);

alter table system.upload_segments add constraint upload_segments_pkey PRIMARY KEY (upload_id, start);

alter table system.upload_segments add constraint upload_segments_storage_key_key UNIQUE (storage_key);

alter table system.file_variants add constraint file_variants_pkey PRIMARY KEY (file_id, preset, sha256);

alter table system.file_variants add constraint file_variants_storage_key_key UNIQUE (storage_key);

alter table system.file_scans add constraint file_scans_pkey PRIMARY KEY (file_id);

CREATE INDEX file_scans_due ON system.file_scans USING btree (next_at) WHERE (finished_at IS NULL);

alter table system.object_removals add constraint object_removals_pkey PRIMARY KEY (storage_key);

CREATE INDEX object_removals_due ON system.object_removals USING btree (due_at);

alter table system.template_frames add constraint template_frames_pkey PRIMARY KEY (digest);

CREATE INDEX template_frames_session ON system.template_frames USING btree (session_id, expires_at);

CREATE INDEX template_frames_template ON system.template_frames USING btree (template_id);

alter table system.object_sweeps add constraint object_sweeps_pkey PRIMARY KEY (prefix);

alter table system.workflow_samples add constraint workflow_samples_pkey PRIMARY KEY (id);

alter table system.workflow_samples add constraint workflow_samples_workflow_id_name_key UNIQUE (workflow_id, name);

CREATE INDEX workflow_samples_run ON system.workflow_samples USING btree (run_id) WHERE (run_id IS NOT NULL);

CREATE INDEX workflow_samples_creator ON system.workflow_samples USING btree (created_by) WHERE (created_by IS NOT NULL);

alter table system.workflow_examples add constraint workflow_examples_pkey PRIMARY KEY (workflow_id, step_id);

CREATE INDEX workflow_examples_author ON system.workflow_examples USING btree (updated_by) WHERE (updated_by IS NOT NULL);

alter table system.workflow_watchers add constraint workflow_watchers_pkey PRIMARY KEY (workflow_id, user_id);

CREATE INDEX workflow_watchers_user ON system.workflow_watchers USING btree (user_id);

alter table system.workflow_failures add constraint workflow_failures_pkey PRIMARY KEY (user_id, run_id);

alter table system.workflow_digests add constraint workflow_digests_pkey PRIMARY KEY (user_id);

alter table system.reading_columns add constraint reading_columns_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX reading_columns_data_view ON system.reading_columns USING btree (data_view_id, resource_id, mention);

CREATE UNIQUE INDEX reading_columns_dashboard ON system.reading_columns USING btree (dashboard_id, resource_id, mention);

CREATE INDEX reading_columns_resource ON system.reading_columns USING btree (resource_id);

CREATE INDEX reading_columns_path_resource ON system.reading_columns USING btree (path_resource_id);

alter table system.oauth_clients add constraint oauth_clients_pkey PRIMARY KEY (id);

alter table system.authorization_codes add constraint authorization_codes_pkey PRIMARY KEY (digest);

CREATE INDEX authorization_codes_token ON system.authorization_codes USING btree (token_id);

CREATE INDEX authorization_codes_expiry ON system.authorization_codes USING btree (expires_at);

alter table system.refresh_tokens add constraint refresh_tokens_pkey PRIMARY KEY (digest);

CREATE INDEX refresh_tokens_token ON system.refresh_tokens USING btree (token_id);

CREATE INDEX refresh_tokens_used ON system.refresh_tokens USING btree (used_at) WHERE (used_at IS NOT NULL);

alter table system.mcp_calls add constraint mcp_calls_pkey PRIMARY KEY (id);

CREATE INDEX mcp_calls_age ON system.mcp_calls USING btree (called_at);

CREATE INDEX mcp_calls_user ON system.mcp_calls USING btree (user_id, id);

CREATE INDEX mcp_calls_token ON system.mcp_calls USING btree (token_id, id);

alter table system.configuration_plans add constraint configuration_plans_pkey PRIMARY KEY (id);

CREATE INDEX configuration_plans_created_at ON system.configuration_plans USING btree (created_at);

CREATE INDEX configuration_plans_created_by ON system.configuration_plans USING btree (created_by);

alter table system.configuration_applies add constraint configuration_applies_pkey PRIMARY KEY (id);

CREATE INDEX configuration_applies_applied_at ON system.configuration_applies USING btree (applied_at);

CREATE INDEX configuration_applies_applied_by ON system.configuration_applies USING btree (applied_by);

alter table system.provider_secrets add constraint provider_secrets_pkey PRIMARY KEY (name);

CREATE UNIQUE INDEX users_email_key ON system.users USING btree (system.fold(email));

CREATE UNIQUE INDEX roles_name_key ON system.roles USING btree (system.fold(name));

CREATE UNIQUE INDEX tokens_name_key ON system.tokens USING btree (user_id, system.fold(name));

CREATE UNIQUE INDEX invitations_open ON system.invitations USING btree (system.fold(email)) WHERE (digest IS NOT NULL);

CREATE UNIQUE INDEX configuration_applies_plan_id ON system.configuration_applies USING btree (plan_id) WHERE (plan_id IS NOT NULL);

alter table system.catalogue_changes add constraint catalogue_changes_pkey PRIMARY KEY (id);

CREATE INDEX catalogue_changes_xid ON system.catalogue_changes USING btree (xid);

alter table system.role_members add constraint role_members_role_id_fkey FOREIGN KEY (role_id) REFERENCES system.roles(id) ON DELETE CASCADE;

alter table system.role_members add constraint role_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES system.users(id) ON DELETE CASCADE;

alter table system.sessions add constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES system.users(id) ON DELETE CASCADE;

alter table system.grants add constraint grants_role_id_fkey FOREIGN KEY (role_id) REFERENCES system.roles(id) ON DELETE CASCADE;

alter table system.grants add constraint grants_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES system.resources(id) ON DELETE CASCADE;

alter table system.grant_columns add constraint grant_columns_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES system.grants(id) ON DELETE CASCADE;

alter table system.grant_columns add constraint grant_columns_path_resource_id_fkey FOREIGN KEY (path_resource_id) REFERENCES system.resources(id) ON DELETE CASCADE;

alter table system.settings add constraint settings_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES system.users(id) ON DELETE SET NULL;

alter table system.workflow_versions add constraint workflow_versions_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES system.workflows(id) ON DELETE CASCADE;

alter table system.workflow_versions add constraint workflow_versions_published_by_fkey FOREIGN KEY (published_by) REFERENCES system.users(id) ON DELETE SET NULL;

alter table system.workflows add constraint workflows_published_version FOREIGN KEY (published_version_id) REFERENCES system.workflow_versions(id);

alter table system.workflow_invoke_grants add constraint workflow_invoke_grants_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES system.workflows(id) ON DELETE CASCADE;

alter table system.workflow_invoke_grants add constraint workflow_invoke_grants_role_id_fkey FOREIGN KEY (role_id) REFERENCES system.roles(id) ON DELETE CASCADE;

alter table system.workflow_runs add constraint workflow_runs_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES system.workflows(id) ON DELETE CASCADE;

alter table system.workflow_runs add constraint workflow_runs_version_id_fkey FOREIGN KEY (version_id) REFERENCES system.workflow_versions(id) ON DELETE CASCADE;

alter table system.workflow_run_steps add constraint workflow_run_steps_run_id_fkey FOREIGN KEY (run_id) REFERENCES system.workflow_runs(id) ON DELETE CASCADE;

alter table system.tokens add constraint tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES system.users(id) ON DELETE CASCADE;

alter table system.tokens add constraint tokens_created_by_fkey FOREIGN KEY (created_by) REFERENCES system.users(id) ON DELETE SET NULL;

alter table system.token_secrets add constraint token_secrets_token_id_fkey FOREIGN KEY (token_id) REFERENCES system.tokens(id) ON DELETE CASCADE;

alter table system.links add constraint links_user_id_fkey FOREIGN KEY (user_id) REFERENCES system.users(id) ON DELETE CASCADE;

alter table system.invitations add constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES system.users(id) ON DELETE SET NULL;

alter table system.invitations add constraint invitations_user_id_fkey FOREIGN KEY (user_id) REFERENCES system.users(id) ON DELETE SET NULL;

alter table system.invitation_roles add constraint invitation_roles_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES system.invitations(id) ON DELETE CASCADE;

alter table system.invitation_roles add constraint invitation_roles_role_id_fkey FOREIGN KEY (role_id) REFERENCES system.roles(id) ON DELETE CASCADE;

alter table system.auth_providers add constraint auth_providers_role_id_fkey FOREIGN KEY (role_id) REFERENCES system.roles(id) ON DELETE SET NULL;

alter table system.provider_accounts add constraint provider_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES system.users(id) ON DELETE CASCADE;

alter table system.provider_flows add constraint provider_flows_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES system.auth_providers(id) ON DELETE CASCADE;

alter table system.provider_flows add constraint provider_flows_user_id_fkey FOREIGN KEY (user_id) REFERENCES system.users(id) ON DELETE CASCADE;

alter table system.sign_in_codes add constraint sign_in_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES system.users(id) ON DELETE CASCADE;

alter table system.idempotency_keys add constraint idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES system.users(id) ON DELETE CASCADE;

alter table system.mails add constraint mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES system.users(id) ON DELETE CASCADE;

alter table system.mails add constraint mails_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES system.invitations(id) ON DELETE CASCADE;

alter table system.sign_in_codes add constraint sign_in_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES system.provider_accounts(id) ON DELETE CASCADE;

alter table system.view_refreshes add constraint view_refreshes_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES system.resources(id) ON DELETE CASCADE;

alter table system.resource_columns add constraint resource_columns_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES system.resources(id) ON DELETE CASCADE;

alter table system.sql_console_runs add constraint sql_console_runs_user_id_fkey FOREIGN KEY (user_id) REFERENCES system.users(id) ON DELETE CASCADE;

alter table system.webhook_calls add constraint webhook_calls_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES system.workflows(id) ON DELETE CASCADE;

alter table system.webhook_calls add constraint webhook_calls_run_id_fkey FOREIGN KEY (run_id) REFERENCES system.workflow_runs(id) ON DELETE CASCADE;

alter table system.data_views add constraint data_views_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES system.resources(id) ON DELETE CASCADE;

alter table system.data_view_roles add constraint data_view_roles_data_view_id_fkey FOREIGN KEY (data_view_id) REFERENCES system.data_views(id) ON DELETE CASCADE;

alter table system.data_view_roles add constraint data_view_roles_role_id_fkey FOREIGN KEY (role_id) REFERENCES system.roles(id) ON DELETE CASCADE;

alter table system.dashboard_roles add constraint dashboard_roles_dashboard_id_fkey FOREIGN KEY (dashboard_id) REFERENCES system.dashboards(id) ON DELETE CASCADE;

alter table system.dashboard_roles add constraint dashboard_roles_role_id_fkey FOREIGN KEY (role_id) REFERENCES system.roles(id) ON DELETE CASCADE;

alter table system.dashboard_panels add constraint dashboard_panels_dashboard_id_fkey FOREIGN KEY (dashboard_id) REFERENCES system.dashboards(id) ON DELETE CASCADE;

alter table system.dashboard_panels add constraint dashboard_panels_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES system.resources(id) ON DELETE SET NULL;

alter table system.workflow_runs add constraint workflow_runs_parent_run_id_fkey FOREIGN KEY (parent_run_id) REFERENCES system.workflow_runs(id) ON DELETE SET NULL;

alter table system.mails add constraint mails_run_id_fkey FOREIGN KEY (run_id) REFERENCES system.workflow_runs(id) ON DELETE CASCADE;

alter table system.workflow_places add constraint workflow_places_run_id_fkey FOREIGN KEY (run_id) REFERENCES system.workflow_runs(id) ON DELETE CASCADE;

alter table system.workflow_watches add constraint workflow_watches_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES system.workflows(id) ON DELETE CASCADE;

alter table system.workflow_watches add constraint workflow_watches_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES system.resources(id) ON DELETE SET NULL;

alter table system.workflow_schedules add constraint workflow_schedules_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES system.workflows(id) ON DELETE CASCADE;

alter table system.provider_flows add constraint provider_flows_session_id_fkey FOREIGN KEY (session_id) REFERENCES system.sessions(id) ON DELETE CASCADE;

alter table system.saved_views add constraint saved_views_user_id_fkey FOREIGN KEY (user_id) REFERENCES system.users(id) ON DELETE CASCADE;

alter table system.saved_views add constraint saved_views_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES system.resources(id) ON DELETE CASCADE;

alter table system.preferences add constraint preferences_user_id_fkey FOREIGN KEY (user_id) REFERENCES system.users(id) ON DELETE CASCADE;

alter table system.row_history_layouts add constraint row_history_layouts_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES system.resources(id) ON DELETE CASCADE;

alter table system.folders add constraint folders_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES system.folders(id);

alter table system.files add constraint files_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES system.folders(id);

alter table system.files add constraint files_uploaded_by_fkey FOREIGN KEY (uploaded_by) REFERENCES system.users(id) ON DELETE SET NULL;

alter table system.uploads add constraint uploads_user_id_fkey FOREIGN KEY (user_id) REFERENCES system.users(id) ON DELETE CASCADE;

alter table system.uploads add constraint uploads_file_id_fkey FOREIGN KEY (file_id) REFERENCES system.files(id) ON DELETE CASCADE;

alter table system.upload_segments add constraint upload_segments_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES system.uploads(id) ON DELETE CASCADE;

alter table system.file_variants add constraint file_variants_file_id_fkey FOREIGN KEY (file_id) REFERENCES system.files(id) ON DELETE CASCADE;

alter table system.file_scans add constraint file_scans_file_id_fkey FOREIGN KEY (file_id) REFERENCES system.files(id) ON DELETE CASCADE;

alter table system.template_frames add constraint template_frames_session_id_fkey FOREIGN KEY (session_id) REFERENCES system.sessions(id) ON DELETE CASCADE;

alter table system.template_frames add constraint template_frames_template_id_fkey FOREIGN KEY (template_id) REFERENCES system.templates(id) ON DELETE CASCADE;

alter table system.workflow_samples add constraint workflow_samples_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES system.workflows(id) ON DELETE CASCADE;

alter table system.workflow_samples add constraint workflow_samples_run_id_fkey FOREIGN KEY (run_id) REFERENCES system.workflow_runs(id) ON DELETE SET NULL;

alter table system.workflow_samples add constraint workflow_samples_created_by_fkey FOREIGN KEY (created_by) REFERENCES system.users(id) ON DELETE SET NULL;

alter table system.workflow_examples add constraint workflow_examples_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES system.workflows(id) ON DELETE CASCADE;

alter table system.workflow_examples add constraint workflow_examples_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES system.users(id) ON DELETE SET NULL;

alter table system.workflow_watchers add constraint workflow_watchers_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES system.workflows(id) ON DELETE CASCADE;

alter table system.workflow_watchers add constraint workflow_watchers_user_id_fkey FOREIGN KEY (user_id) REFERENCES system.users(id) ON DELETE CASCADE;

alter table system.workflow_digests add constraint workflow_digests_user_id_fkey FOREIGN KEY (user_id) REFERENCES system.users(id) ON DELETE CASCADE;

alter table system.reading_columns add constraint reading_columns_data_view_id_fkey FOREIGN KEY (data_view_id) REFERENCES system.data_views(id) ON DELETE CASCADE;

alter table system.reading_columns add constraint reading_columns_dashboard_id_fkey FOREIGN KEY (dashboard_id) REFERENCES system.dashboards(id) ON DELETE CASCADE;

alter table system.reading_columns add constraint reading_columns_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES system.resources(id) ON DELETE CASCADE;

alter table system.reading_columns add constraint reading_columns_path_resource_id_fkey FOREIGN KEY (path_resource_id) REFERENCES system.resources(id) ON DELETE CASCADE;

alter table system.authorization_codes add constraint authorization_codes_token_id_fkey FOREIGN KEY (token_id) REFERENCES system.tokens(id) ON DELETE CASCADE;

alter table system.refresh_tokens add constraint refresh_tokens_token_id_fkey FOREIGN KEY (token_id) REFERENCES system.tokens(id) ON DELETE CASCADE;

alter table system.configuration_plans add constraint configuration_plans_created_by_fkey FOREIGN KEY (created_by) REFERENCES system.users(id) ON DELETE CASCADE;

alter table system.configuration_applies add constraint configuration_applies_applied_by_fkey FOREIGN KEY (applied_by) REFERENCES system.users(id) ON DELETE SET NULL;

create view system.event_triggers as
 SELECT tgrelid AS relation_oid,
    (tgname)::text AS name,
        CASE
            WHEN (tgname ~ '^rowhouse_(history_)?[a-z]+_[0-9a-f-]{36}$'::text) THEN ("right"((tgname)::text, 36))::uuid
            ELSE NULL::uuid
        END AS resource_id,
        CASE
            WHEN (((tgtype)::integer & 4) <> 0) THEN 'INSERT'::text
            WHEN (((tgtype)::integer & 8) <> 0) THEN 'DELETE'::text
            WHEN (((tgtype)::integer & 32) <> 0) THEN 'TRUNCATE'::text
            ELSE 'UPDATE'::text
        END AS operation,
    (((tgtype)::integer & 1) = 1) AS for_each_row,
    (tgenabled <> 'D'::"char") AS is_on
   FROM pg_trigger t
  WHERE ((tgfoid = ANY (ARRAY[('system.record_events()'::regprocedure)::oid, ('system.record_history()'::regprocedure)::oid])) AND (tgparentid = (0)::oid) AND (tgname ~ '^rowhouse_(history_)?[a-z]+_[0-9a-f-]{36}$'::text));

create view system.managed_columns as
 SELECT (to_regclass(('system.'::text || t)))::oid AS relation_oid,
    c AS column_name
   FROM ( VALUES ('users'::text,'id'::text), ('users'::text,'is_system'::text), ('users'::text,'email_verified_at'::text), ('users'::text,'last_sign_in_at'::text), ('users'::text,'version'::text), ('users'::text,'created_at'::text), ('users'::text,'updated_at'::text), ('roles'::text,'id'::text), ('roles'::text,'is_administrators'::text), ('roles'::text,'created_at'::text), ('role_members'::text,'created_at'::text), ('templates'::text,'id'::text), ('templates'::text,'created_at'::text), ('templates'::text,'updated_at'::text), ('files'::text,'id'::text), ('files'::text,'state'::text), ('files'::text,'media_type'::text), ('files'::text,'claimed_type'::text), ('files'::text,'bytes'::text), ('files'::text,'sha256'::text), ('files'::text,'width'::text), ('files'::text,'height'::text), ('files'::text,'storage_key'::text), ('files'::text,'uploaded_by'::text), ('files'::text,'created_at'::text), ('files'::text,'updated_at'::text), ('folders'::text,'id'::text), ('folders'::text,'created_at'::text), ('folders'::text,'updated_at'::text)) s(t, c);

create view system.secret_columns as
 SELECT (to_regclass(('system.'::text || t)))::oid AS relation_oid,
    c AS column_name
   FROM ( VALUES ('users'::text,'password_hash'::text), ('sessions'::text,'digest'::text), ('token_secrets'::text,'digest'::text), ('links'::text,'digest'::text), ('invitations'::text,'digest'::text), ('sign_in_attempts'::text,'address_digest'::text), ('auth_providers'::text,'client_secret_sealed'::text), ('provider_flows'::text,'state_digest'::text), ('provider_flows'::text,'browser_digest'::text), ('provider_flows'::text,'sealed'::text), ('sign_in_codes'::text,'digest'::text), ('mails'::text,'sealed'::text), ('workflow_secrets'::text,'sealed'::text), ('files'::text,'storage_key'::text), ('template_frames'::text,'digest'::text), ('authorization_codes'::text,'digest'::text), ('authorization_codes'::text,'code_challenge'::text), ('refresh_tokens'::text,'digest'::text), ('provider_secrets'::text,'sealed'::text)) s(t, c);

create view system.wanted_event_triggers as
 SELECT w.relation_oid,
    format('rowhouse_%s%s_%s'::text,
        CASE
            WHEN (w.function_name = 'record_history'::text) THEN 'history_'::text
            ELSE NULL::text
        END, system.fold(w.operation), w.resource_id) AS name,
    w.resource_id,
    w.operation,
    ((w.operation <> 'TRUNCATE'::text) AND ((c.relkind = 'p'::"char") OR (EXISTS ( SELECT 1
           FROM pg_inherits i
          WHERE ((c.oid = i.inhrelid) OR (c.oid = i.inhparent)))))) AS for_each_row,
    w.function_name
   FROM (( SELECT r.relation_oid,
            r.id AS resource_id,
            o.operation,
            'record_events'::text AS function_name
           FROM (((system.workflow_watches w_1
             JOIN system.workflows f ON (((f.id = w_1.workflow_id) AND f.enabled)))
             JOIN system.resources r ON ((r.id = w_1.resource_id)))
             CROSS JOIN LATERAL unnest(w_1.operations) o(operation))
        UNION
         SELECT r.relation_oid,
            r.id,
            o.operation,
            'record_history'::text AS text
           FROM (system.resources r
             CROSS JOIN unnest('{INSERT,UPDATE,DELETE,TRUNCATE}'::text[]) o(operation))
          WHERE (r.history AND (r.kind = 'TABLE'::text))) w
     JOIN pg_class c ON (((c.oid = w.relation_oid) AND (c.relkind = ANY (ARRAY['r'::"char", 'p'::"char"])))));

create view system.secret_views as
 WITH RECURSIVE tainted(view_oid) AS (
         SELECT w.ev_class
           FROM (((system.secret_columns s
             JOIN pg_depend d ON (((d.refclassid = ('pg_class'::regclass)::oid) AND (d.refobjid = s.relation_oid) AND (d.classid = ('pg_rewrite'::regclass)::oid))))
             JOIN pg_rewrite w ON (((w.oid = d.objid) AND (w.ev_class <> s.relation_oid))))
             LEFT JOIN pg_attribute a ON (((a.attrelid = d.refobjid) AND (a.attnum = d.refobjsubid))))
          WHERE (((a.attname)::text = s.column_name) OR ((w.ev_action)::text ~~ '%:varattno 0 %'::text))
        UNION
         SELECT w.ev_class
           FROM ((tainted t
             JOIN pg_depend d ON (((d.refclassid = ('pg_class'::regclass)::oid) AND (d.refobjid = t.view_oid) AND (d.classid = ('pg_rewrite'::regclass)::oid))))
             JOIN pg_rewrite w ON (((w.oid = d.objid) AND (w.ev_class <> t.view_oid))))
        )
 SELECT view_oid
   FROM tainted;

create view system.registrable_relations as
 SELECT c.oid AS relation_oid,
    (n.nspname)::text AS schema_name,
    (c.relname)::text AS relation_name,
        CASE
            WHEN (c.relkind = ANY (ARRAY['v'::"char", 'm'::"char"])) THEN 'VIEW'::text
            ELSE 'TABLE'::text
        END AS kind
   FROM (pg_class c
     JOIN pg_namespace n ON ((n.oid = c.relnamespace)))
  WHERE ((c.relkind = ANY (ARRAY['r'::"char", 'p'::"char", 'f'::"char", 'v'::"char", 'm'::"char"])) AND (c.relpersistence <> 't'::"char") AND (n.nspname !~ '^pg_'::text) AND (n.nspname <> ALL (ARRAY['information_schema'::name, 'rowhouse_queue'::name])) AND ((n.nspname <> 'system'::name) OR (c.relname = ANY (ARRAY['users'::name, 'roles'::name, 'role_members'::name, 'templates'::name, 'files'::name, 'folders'::name]))) AND ((NOT c.relhasrules) OR (NOT (c.oid IN ( SELECT s.view_oid
           FROM system.secret_views s)))));

CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE ON system.audit_log FOR EACH ROW EXECUTE FUNCTION system.refuse_audit_change();
alter table system.audit_log enable always trigger audit_log_append_only;

CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON system.audit_log FOR EACH STATEMENT EXECUTE FUNCTION system.refuse_audit_change();
alter table system.audit_log enable always trigger audit_log_no_truncate;

CREATE TRIGGER file_variants_remove_object AFTER DELETE ON system.file_variants FOR EACH ROW EXECUTE FUNCTION system.remove_object();
alter table system.file_variants enable always trigger file_variants_remove_object;

CREATE TRIGGER files_attached BEFORE INSERT OR UPDATE ON system.files FOR EACH ROW EXECUTE FUNCTION system.attach_upload();
alter table system.files enable always trigger files_attached;

CREATE TRIGGER files_end_first_upload AFTER INSERT ON system.files FOR EACH ROW WHEN ((new.storage_key IS NOT NULL)) EXECUTE FUNCTION system.end_upload();
alter table system.files enable always trigger files_end_first_upload;

CREATE TRIGGER files_end_upload AFTER UPDATE ON system.files FOR EACH ROW WHEN ((new.storage_key IS DISTINCT FROM old.storage_key)) EXECUTE FUNCTION system.end_upload();
alter table system.files enable always trigger files_end_upload;

CREATE TRIGGER files_recorded AFTER INSERT OR DELETE OR UPDATE ON system.files FOR EACH ROW EXECUTE FUNCTION system.record_change('file');
alter table system.files enable always trigger files_recorded;

CREATE TRIGGER files_remove_object AFTER DELETE ON system.files FOR EACH ROW EXECUTE FUNCTION system.remove_object();
alter table system.files enable always trigger files_remove_object;

CREATE TRIGGER folders_prepared BEFORE INSERT OR UPDATE ON system.folders FOR EACH ROW EXECUTE FUNCTION system.prepare_folder();
alter table system.folders enable always trigger folders_prepared;

CREATE TRIGGER folders_recorded AFTER INSERT OR DELETE OR UPDATE ON system.folders FOR EACH ROW EXECUTE FUNCTION system.record_change('folder');
alter table system.folders enable always trigger folders_recorded;

CREATE TRIGGER grant_columns_epoch AFTER INSERT OR UPDATE OR TRUNCATE ON system.grant_columns FOR EACH STATEMENT EXECUTE FUNCTION system.bump_epoch_after_change();
alter table system.grant_columns enable always trigger grant_columns_epoch;

CREATE TRIGGER grant_columns_meaning BEFORE INSERT ON system.grant_columns FOR EACH ROW EXECUTE FUNCTION system.complete_meaning();
alter table system.grant_columns enable always trigger grant_columns_meaning;

CREATE TRIGGER grant_columns_removed AFTER DELETE ON system.grant_columns REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION system.bump_epoch_after_delete();
alter table system.grant_columns enable always trigger grant_columns_removed;

CREATE TRIGGER grants_epoch AFTER INSERT OR UPDATE OR TRUNCATE ON system.grants FOR EACH STATEMENT EXECUTE FUNCTION system.bump_epoch_after_change();
alter table system.grants enable always trigger grants_epoch;

CREATE TRIGGER grants_removed AFTER DELETE ON system.grants REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION system.bump_epoch_after_delete();
alter table system.grants enable always trigger grants_removed;

CREATE TRIGGER installation_moved AFTER UPDATE OF self_oid ON system.installation FOR EACH STATEMENT EXECUTE FUNCTION system.forget_changes();
alter table system.installation enable always trigger installation_moved;

CREATE TRIGGER provider_accounts_guarded BEFORE INSERT OR DELETE OR UPDATE ON system.provider_accounts FOR EACH ROW EXECUTE FUNCTION system.guard_sign_in();
alter table system.provider_accounts enable always trigger provider_accounts_guarded;

CREATE TRIGGER reading_columns_meaning BEFORE INSERT ON system.reading_columns FOR EACH ROW EXECUTE FUNCTION system.complete_meaning();
alter table system.reading_columns enable always trigger reading_columns_meaning;

CREATE TRIGGER resource_columns_epoch AFTER INSERT OR UPDATE OR TRUNCATE ON system.resource_columns FOR EACH STATEMENT EXECUTE FUNCTION system.bump_epoch_after_change();
alter table system.resource_columns enable always trigger resource_columns_epoch;

CREATE TRIGGER resource_columns_removed AFTER DELETE ON system.resource_columns REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION system.bump_epoch_after_delete();
alter table system.resource_columns enable always trigger resource_columns_removed;

CREATE TRIGGER resources_added AFTER INSERT ON system.resources REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION system.note_resources();
alter table system.resources enable always trigger resources_added;

CREATE TRIGGER resources_catalogue AFTER UPDATE OF id, relation_oid, kind OR TRUNCATE ON system.resources FOR EACH STATEMENT EXECUTE FUNCTION system.bump_catalogue_after_change();
alter table system.resources enable always trigger resources_catalogue;

CREATE TRIGGER resources_epoch AFTER UPDATE OF id, relation_oid, kind, exposed_methods, label, description, history, junction OR TRUNCATE ON system.resources FOR EACH STATEMENT EXECUTE FUNCTION system.bump_epoch_after_change();
alter table system.resources enable always trigger resources_epoch;

CREATE TRIGGER resources_removed AFTER DELETE ON system.resources REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION system.note_resources();
alter table system.resources enable always trigger resources_removed;

CREATE TRIGGER role_members_announced AFTER INSERT OR UPDATE ON system.role_members FOR EACH ROW EXECUTE FUNCTION system.announce_role_member();
alter table system.role_members enable always trigger role_members_announced;

CREATE TRIGGER role_members_guarded BEFORE INSERT OR DELETE OR UPDATE ON system.role_members FOR EACH ROW EXECUTE FUNCTION system.guard_role_members();
alter table system.role_members enable always trigger role_members_guarded;

CREATE TRIGGER role_members_last_administrator AFTER DELETE OR UPDATE ON system.role_members FOR EACH ROW EXECUTE FUNCTION system.require_active_administrator();
alter table system.role_members enable always trigger role_members_last_administrator;

CREATE TRIGGER role_members_no_truncate BEFORE TRUNCATE ON system.role_members FOR EACH STATEMENT EXECUTE FUNCTION system.refuse_truncation();
alter table system.role_members enable always trigger role_members_no_truncate;

CREATE TRIGGER role_members_recorded AFTER INSERT OR DELETE OR UPDATE ON system.role_members FOR EACH ROW EXECUTE FUNCTION system.record_change('role_member');
alter table system.role_members enable always trigger role_members_recorded;

CREATE TRIGGER role_members_version AFTER INSERT OR DELETE OR UPDATE ON system.role_members FOR EACH ROW EXECUTE FUNCTION system.raise_member_version();
alter table system.role_members enable always trigger role_members_version;

CREATE TRIGGER roles_epoch AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON system.roles FOR EACH STATEMENT EXECUTE FUNCTION system.bump_epoch_after_change();
alter table system.roles enable always trigger roles_epoch;

CREATE TRIGGER roles_guarded BEFORE DELETE OR UPDATE ON system.roles FOR EACH ROW EXECUTE FUNCTION system.guard_roles();
alter table system.roles enable always trigger roles_guarded;

CREATE TRIGGER roles_no_truncate BEFORE TRUNCATE ON system.roles FOR EACH STATEMENT EXECUTE FUNCTION system.refuse_truncation();
alter table system.roles enable always trigger roles_no_truncate;

CREATE TRIGGER roles_protected BEFORE DELETE OR UPDATE ON system.roles FOR EACH ROW EXECUTE FUNCTION system.protect_roles();
alter table system.roles enable always trigger roles_protected;

CREATE TRIGGER roles_recorded AFTER INSERT OR DELETE OR UPDATE ON system.roles FOR EACH ROW EXECUTE FUNCTION system.record_change('role');
alter table system.roles enable always trigger roles_recorded;

CREATE TRIGGER sessions_guarded BEFORE INSERT OR DELETE OR UPDATE ON system.sessions FOR EACH ROW EXECUTE FUNCTION system.guard_sign_in();
alter table system.sessions enable always trigger sessions_guarded;

CREATE TRIGGER sessions_no_system_account BEFORE INSERT OR UPDATE ON system.sessions FOR EACH ROW EXECUTE FUNCTION system.refuse_system_session();
alter table system.sessions enable always trigger sessions_no_system_account;

CREATE TRIGGER settings_epoch AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON system.settings FOR EACH STATEMENT EXECUTE FUNCTION system.bump_epoch_after_change();
alter table system.settings enable always trigger settings_epoch;

CREATE TRIGGER templates_guarded BEFORE INSERT OR DELETE OR UPDATE ON system.templates FOR EACH ROW EXECUTE FUNCTION system.guard_templates();
alter table system.templates enable always trigger templates_guarded;

CREATE TRIGGER templates_prepared BEFORE UPDATE ON system.templates FOR EACH ROW EXECUTE FUNCTION system.prepare_template();
alter table system.templates enable always trigger templates_prepared;

CREATE TRIGGER templates_recorded AFTER INSERT OR DELETE OR UPDATE ON system.templates FOR EACH ROW EXECUTE FUNCTION system.record_change('template');
alter table system.templates enable always trigger templates_recorded;

CREATE TRIGGER token_secrets_complete BEFORE INSERT ON system.token_secrets FOR EACH ROW EXECUTE FUNCTION system.complete_token_secret();
alter table system.token_secrets enable always trigger token_secrets_complete;

CREATE TRIGGER tokens_no_system_account BEFORE INSERT OR UPDATE OF user_id ON system.tokens FOR EACH ROW EXECUTE FUNCTION system.refuse_system_token();
alter table system.tokens enable always trigger tokens_no_system_account;

CREATE TRIGGER tokens_protected BEFORE UPDATE OF user_id, plane, active, expires_at, revoked_at, client, scopes ON system.tokens FOR EACH ROW WHEN (((old.revoked_at IS NOT NULL) OR (old.user_id <> new.user_id) OR (old.plane <> new.plane) OR ((old.client)::text IS DISTINCT FROM (new.client)::text) OR (old.scopes IS DISTINCT FROM new.scopes))) EXECUTE FUNCTION system.protect_tokens();
alter table system.tokens enable always trigger tokens_protected;

CREATE TRIGGER tokens_secrets AFTER UPDATE OF active, revoked_at, expires_at ON system.tokens FOR EACH ROW EXECUTE FUNCTION system.update_token_secrets();
alter table system.tokens enable always trigger tokens_secrets;

CREATE TRIGGER users_announced AFTER UPDATE OF email, active ON system.users FOR EACH ROW EXECUTE FUNCTION system.announce_account();
alter table system.users enable always trigger users_announced;

CREATE TRIGGER users_end_access AFTER UPDATE OF email, active, is_system ON system.users FOR EACH ROW WHEN (((old.active AND (NOT new.active)) OR (new.is_system AND (NOT old.is_system)) OR (system.fold_address(new.email) <> system.fold_address(old.email)))) EXECUTE FUNCTION system.end_access();
alter table system.users enable always trigger users_end_access;

CREATE TRIGGER users_end_runs AFTER DELETE ON system.users FOR EACH ROW EXECUTE FUNCTION system.end_runs_of_user();
alter table system.users enable always trigger users_end_runs;

CREATE TRIGGER users_guarded BEFORE UPDATE ON system.users FOR EACH ROW WHEN (((old.id IS DISTINCT FROM new.id) OR (old.email IS DISTINCT FROM new.email) OR (old.name IS DISTINCT FROM new.name) OR (old.active IS DISTINCT FROM new.active) OR (old.is_system IS DISTINCT FROM new.is_system) OR (old.email_verified_at IS DISTINCT FROM new.email_verified_at) OR (old.password_hash IS DISTINCT FROM new.password_hash) OR (old.time_zone IS DISTINCT FROM new.time_zone) OR (old.language IS DISTINCT FROM new.language) OR (old.region IS DISTINCT FROM new.region))) EXECUTE FUNCTION system.guard_users();
alter table system.users enable always trigger users_guarded;

CREATE TRIGGER users_guarded_from_deletion BEFORE DELETE ON system.users FOR EACH ROW EXECUTE FUNCTION system.guard_users();
alter table system.users enable always trigger users_guarded_from_deletion;

CREATE TRIGGER users_last_administrator AFTER UPDATE OF active, is_system ON system.users FOR EACH ROW WHEN ((old.active AND ((NOT new.active) OR new.is_system))) EXECUTE FUNCTION system.require_active_administrator();
alter table system.users enable always trigger users_last_administrator;

CREATE TRIGGER users_no_truncate BEFORE TRUNCATE ON system.users FOR EACH STATEMENT EXECUTE FUNCTION system.refuse_truncation();
alter table system.users enable always trigger users_no_truncate;

CREATE TRIGGER users_prepared BEFORE UPDATE OF email, name, active, time_zone, language, region ON system.users FOR EACH ROW EXECUTE FUNCTION system.prepare_user();
alter table system.users enable always trigger users_prepared;

CREATE TRIGGER users_protected BEFORE DELETE ON system.users FOR EACH ROW EXECUTE FUNCTION system.protect_users();
alter table system.users enable always trigger users_protected;

CREATE TRIGGER users_recorded AFTER INSERT OR DELETE OR UPDATE ON system.users FOR EACH ROW EXECUTE FUNCTION system.record_change('user');
alter table system.users enable always trigger users_recorded;

CREATE TRIGGER users_version BEFORE UPDATE OF active, is_system ON system.users FOR EACH ROW WHEN (((old.active IS DISTINCT FROM new.active) OR (old.is_system IS DISTINCT FROM new.is_system))) EXECUTE FUNCTION system.raise_user_version();
alter table system.users enable always trigger users_version;

CREATE TRIGGER workflow_run_steps_outcome BEFORE UPDATE ON system.workflow_run_steps FOR EACH ROW WHEN ((old.status = ANY (ARRAY['SUCCEEDED'::text, 'FAILED'::text]))) EXECUTE FUNCTION system.protect_step_outcomes();
alter table system.workflow_run_steps enable always trigger workflow_run_steps_outcome;

CREATE TRIGGER workflow_runs_note_failure AFTER UPDATE OF finished_at ON system.workflow_runs FOR EACH ROW WHEN (((new.status = 'FAILED'::text) AND (new.finished_at IS NOT NULL) AND (old.finished_at IS NULL) AND (new.origin <> 'TEST'::text))) EXECUTE FUNCTION system.note_failed_run();
alter table system.workflow_runs enable always trigger workflow_runs_note_failure;

CREATE TRIGGER workflow_runs_signal AFTER UPDATE OF finished_at ON system.workflow_runs FOR EACH ROW WHEN (((new.parent_run_id IS NOT NULL) AND (new.finished_at IS NOT NULL) AND (old.finished_at IS NULL))) EXECUTE FUNCTION system.signal_parent_run();
alter table system.workflow_runs enable always trigger workflow_runs_signal;

CREATE TRIGGER workflow_runs_terminal BEFORE UPDATE OF status, result, error, fence ON system.workflow_runs FOR EACH ROW WHEN ((old.status = ANY (ARRAY['SUCCEEDED'::text, 'FAILED'::text, 'CANCELLED'::text]))) EXECUTE FUNCTION system.protect_terminal_runs();
alter table system.workflow_runs enable always trigger workflow_runs_terminal;

CREATE TRIGGER workflow_versions_immutable BEFORE UPDATE OF workflow_id, number, definition ON system.workflow_versions FOR EACH ROW EXECUTE FUNCTION system.protect_workflow_versions();
alter table system.workflow_versions enable always trigger workflow_versions_immutable;

comment on constraint files_description_length on system.files is 'checkMessage: Must have at most 10000 characters';

comment on constraint files_name_form on system.files is 'checkMessage: A name has 1 to 255 characters, without slashes and control characters';

comment on constraint files_title_length on system.files is 'checkMessage: Must have at most 255 characters';

comment on constraint files_visibility on system.files is 'checkMessage: Must be PRIVATE or PUBLIC';

comment on constraint folders_name_form on system.folders is 'checkMessage: A name has 1 to 255 characters, without slashes and control characters';

comment on function system.act_as(pg_catalog.uuid) is 'Names, until the transaction ends, the user who makes its changes: select system.act_as(id) from system.users where …';

comment on column system.grants.all_fields is 'Every field of the resource, also those added later';

comment on column system.idempotency_keys.fingerprint is 'SHA-256 of the request that came with the key first';

comment on column system.installation.administrators_announced_at is 'When the newest mail about new administrators is due';

comment on column system.mails.notice is 'What a mail without a secret says: template, userId, to, variables or people';

comment on column system.tokens.client is 'The OAuth client of a consent: id, name, uri, redirect, kind';

comment on column system.tokens.last_used_at is 'Written at most once a minute';

comment on column system.users.version is 'Raised by every change to what this person may do; cached principals are checked against it.';

comment on column system.webhook_calls.fingerprint is 'SHA-256 of the call that came with the key first';

comment on column system.workflow_runs.token_id is 'The personal access token that started the run, or the run above it';

comment on constraint users_email_form on system.users is 'checkMessage: This is not an email address';

insert into system.epoch (slot, value) select slot, 1 from generate_series(0, 3) slot;
insert into system.installation (self_oid, serves_from) values ('system.installation'::regclass, 63);

insert into system.roles (name, description, api_access, token_creation, is_administrators) values ('Administrators', 'Every action on every exposed resource, and the Admin API', 't', 't', 't');

insert into system.object_sweeps (prefix) values ('objects/');

insert into system.object_sweeps (prefix) values ('segments/');

insert into system.templates (key, language, subject, text, html) values ('auth.email_change', 'de', 'Bestätigen Sie Ihre neue E-Mail-Adresse', 'Hallo {{ name }},

bestätigen Sie innerhalb von {{ hours }} Stunden, dass {{ email }} Ihre Adresse ist. Von da an melden Sie sich mit ihr an:

{{ link }}

Wenn Sie es nicht waren, tun Sie nichts.
', '<p>Hallo {{ name }},</p>
<p><a href="{{ link }}">Bestätigen Sie</a> innerhalb von {{ hours }} Stunden, dass {{ email }} Ihre Adresse ist. Von da an melden Sie sich mit ihr an.</p>
<p>Wenn Sie es nicht waren, tun Sie nichts.</p>
');

insert into system.templates (key, language, subject, text, html) values ('auth.email_change', 'en', 'Confirm your new email address', 'Hello {{ name }},

confirm within {{ hours }} hours that {{ email }} is your address. From then on you sign in with it:

{{ link }}

If it was not you, do nothing.
', '<p>Hello {{ name }},</p>
<p><a href="{{ link }}">Confirm</a> within {{ hours }} hours that {{ email }} is your address. From then on you sign in with it.</p>
<p>If it was not you, do nothing.</p>
');

insert into system.templates (key, language, subject, text, html) values ('auth.email_changed', 'de', 'Ihre E-Mail-Adresse wurde geändert', 'Hallo {{ name }},

Ihr Konto hat jetzt eine andere Adresse: {{ new_email }}. Mit {{ email }} können Sie sich nicht mehr anmelden.

Wenn Sie es nicht waren, sagen Sie es sofort einem Administrator.
', '<p>Hallo {{ name }},</p>
<p>Ihr Konto hat jetzt eine andere Adresse: {{ new_email }}. Mit {{ email }} können Sie sich nicht mehr anmelden.</p>
<p>Wenn Sie es nicht waren, sagen Sie es sofort einem Administrator.</p>
');

insert into system.templates (key, language, subject, text, html) values ('auth.email_changed', 'en', 'Your email address was changed', 'Hello {{ name }},

your account has another address now: {{ new_email }}. You cannot sign in with {{ email }} any more.

If it was not you, tell an administrator at once.
', '<p>Hello {{ name }},</p>
<p>your account has another address now: {{ new_email }}. You cannot sign in with {{ email }} any more.</p>
<p>If it was not you, tell an administrator at once.</p>
');

insert into system.templates (key, language, subject, text, html) values ('auth.email_taken', 'de', 'Diese Adresse hat schon ein Konto', 'Hallo {{ name }},

jemand wollte {{ email }} für ein anderes Konto verwenden, aber die Adresse gehört schon zu diesem. Es wurde nichts geändert.
', '<p>Hallo {{ name }},</p>
<p>jemand wollte {{ email }} für ein anderes Konto verwenden, aber die Adresse gehört schon zu diesem. Es wurde nichts geändert.</p>
');

insert into system.templates (key, language, subject, text, html) values ('auth.email_taken', 'en', 'This address has an account already', 'Hello {{ name }},

somebody wanted to use {{ email }} for another account, but it has this one already. Nothing was changed.
', '<p>Hello {{ name }},</p>
<p>somebody wanted to use {{ email }} for another account, but it has this one already. Nothing was changed.</p>
');

insert into system.templates (key, language, subject, text, html) values ('auth.invite', 'de', '{{ inviter }} lädt Sie zu {{ site }} ein', 'Hallo {{ name }},

{{ inviter }} lädt Sie zu {{ site }} ein ({{ roles }}). Nehmen Sie innerhalb von {{ hours }} Stunden an und wählen Sie ein Passwort:

{{ link }}
', '<p>Hallo {{ name }},</p>
<p>{{ inviter }} lädt Sie zu {{ site }} ein ({{ roles }}). <a href="{{ link }}">Nehmen Sie an</a>, innerhalb von {{ hours }} Stunden, und wählen Sie ein Passwort.</p>
');

insert into system.templates (key, language, subject, text, html) values ('auth.invite', 'en', '{{ inviter }} invites you to {{ site }}', 'Hello {{ name }},

{{ inviter }} invites you to {{ site }} ({{ roles }}). Accept within {{ hours }} hours and choose a password:

{{ link }}
', '<p>Hello {{ name }},</p>
<p>{{ inviter }} invites you to {{ site }} ({{ roles }}). <a href="{{ link }}">Accept</a> within {{ hours }} hours and choose a password.</p>
');

insert into system.templates (key, language, subject, text, html) values ('auth.new_administrator', 'de', 'Es gibt einen neuen Administrator', 'Hallo {{ name }},

diese Konten sind jetzt Administratoren:

{{ administrators }}

Ein Administrator kann alles lesen und ändern. Das Audit-Log zeigt, wer sie zu Administratoren gemacht hat. Wenn Sie das
nicht erwarten, entfernen Sie sie aus der Rolle Administrators, und widerrufen Sie das Token, das dafür benutzt wurde.
', '<p>Hallo {{ name }},</p>
<p>diese Konten sind jetzt Administratoren:</p>
<p>{{ administrators }}</p>
<p>Ein Administrator kann alles lesen und ändern. Das Audit-Log zeigt, wer sie zu Administratoren gemacht hat. Wenn Sie das nicht erwarten, entfernen Sie sie aus der Rolle Administrators, und widerrufen Sie das Token, das dafür benutzt wurde.</p>
');

insert into system.templates (key, language, subject, text, html) values ('auth.new_administrator', 'en', 'There is a new administrator', 'Hello {{ name }},

these accounts have become administrators:

{{ administrators }}

An administrator can read and change everything. The audit log shows who made them administrators. If you do not expect
this, remove them from the role Administrators, and revoke the token that was used.
', '<p>Hello {{ name }},</p>
<p>these accounts have become administrators:</p>
<p>{{ administrators }}</p>
<p>An administrator can read and change everything. The audit log shows who made them administrators. If you do not expect this, remove them from the role Administrators, and revoke the token that was used.</p>
');

insert into system.templates (key, language, subject, text, html) values ('auth.registered', 'de', 'Sie haben schon ein Konto', 'Hallo {{ name }},

jemand, hoffentlich Sie, wollte {{ email }} registrieren, aber dafür gibt es schon ein Konto. Sie können sich anmelden oder ein neues Passwort setzen:

{{ link }}
', '<p>Hallo {{ name }},</p>
<p>jemand, hoffentlich Sie, wollte {{ email }} registrieren, aber dafür gibt es schon ein Konto. Sie können sich anmelden oder <a href="{{ link }}">ein neues Passwort setzen</a>.</p>
');

insert into system.templates (key, language, subject, text, html) values ('auth.registered', 'en', 'You have an account already', 'Hello {{ name }},

somebody, we hope you, tried to register {{ email }}, which has an account already. You can sign in, or set a new password:

{{ link }}
', '<p>Hello {{ name }},</p>
<p>somebody, we hope you, tried to register {{ email }}, which has an account already. You can sign in, or <a href="{{ link }}">set a new password</a>.</p>
');

insert into system.templates (key, language, subject, text, html) values ('auth.reset', 'de', 'Neues Passwort setzen', 'Hallo {{ name }},

jemand, hoffentlich Sie, hat für {{ email }} ein neues Passwort angefordert. Setzen Sie es innerhalb von {{ minutes }} Minuten:

{{ link }}

Der Link gilt einmal. Wenn Sie es nicht waren, tun Sie nichts: Ihr Passwort bleibt, wie es ist.
', '<p>Hallo {{ name }},</p>
<p>jemand, hoffentlich Sie, hat für {{ email }} ein neues Passwort angefordert. <a href="{{ link }}">Setzen Sie es</a> innerhalb von {{ minutes }} Minuten.</p>
<p>Der Link gilt einmal. Wenn Sie es nicht waren, tun Sie nichts: Ihr Passwort bleibt, wie es ist.</p>
');

insert into system.templates (key, language, subject, text, html) values ('auth.reset', 'en', 'Set a new password', 'Hello {{ name }},

somebody, we hope you, asked for a new password for {{ email }}. Set it here within {{ minutes }} minutes:

{{ link }}

The link works once. If it was not you, do nothing: your password stays as it is.
', '<p>Hello {{ name }},</p>
<p>somebody, we hope you, asked for a new password for {{ email }}. <a href="{{ link }}">Set it</a> within {{ minutes }} minutes.</p>
<p>The link works once. If it was not you, do nothing: your password stays as it is.</p>
');

insert into system.templates (key, language, subject, text, html) values ('auth.verify', 'de', 'Bestätigen Sie Ihre E-Mail-Adresse', 'Hallo {{ name }},

bestätigen Sie innerhalb von {{ hours }} Stunden, dass {{ email }} Ihre Adresse ist:

{{ link }}
', '<p>Hallo {{ name }},</p>
<p><a href="{{ link }}">Bestätigen Sie</a> innerhalb von {{ hours }} Stunden, dass {{ email }} Ihre Adresse ist.</p>
');

insert into system.templates (key, language, subject, text, html) values ('auth.verify', 'en', 'Confirm your email address', 'Hello {{ name }},

confirm that {{ email }} is your address within {{ hours }} hours:

{{ link }}
', '<p>Hello {{ name }},</p>
<p><a href="{{ link }}">Confirm</a> that {{ email }} is your address within {{ hours }} hours.</p>
');

insert into system.templates (key, language, subject, text, html) values ('workflow.failures', 'de', '{% if count == 1 %}Ein Workflow-Lauf ist fehlgeschlagen{% else %}{{ count }} Workflow-Läufe sind fehlgeschlagen{% endif %}', 'Hallo {{ name }},

{% if count == 1 %}ein Lauf eines Workflows, den Sie beobachten, ist fehlgeschlagen:{% else %}{{ count }} Läufe von Workflows, die Sie beobachten, sind fehlgeschlagen:{% endif %}

{{ failures }}

Die nächste Mail kommt frühestens nach {{ minutes }} Minuten. Sie bekommen diese Mails, weil Sie die Workflows beobachten; jeder Administrator
kann das auf deren Seiten beenden.
', '<p>Hallo {{ name }},</p>
<p>{% if count == 1 %}ein Lauf eines Workflows, den Sie beobachten, ist fehlgeschlagen:{% else %}{{ count }} Läufe von Workflows, die Sie beobachten, sind fehlgeschlagen:{% endif %}</p>
<p style="white-space: pre-line">{{ failures }}</p>
<p>Die nächste Mail kommt frühestens nach {{ minutes }} Minuten. Sie bekommen diese Mails, weil Sie die Workflows beobachten; jeder Administrator kann das auf deren Seiten beenden.</p>
');

insert into system.templates (key, language, subject, text, html) values ('workflow.failures', 'en', '{% if count == 1 %}A workflow run failed{% else %}{{ count }} workflow runs failed{% endif %}', 'Hello {{ name }},

{% if count == 1 %}a run of a workflow that you watch has failed:{% else %}{{ count }} runs of workflows that you watch have failed:{% endif %}

{{ failures }}

The next mail follows after {{ minutes }} minutes at the earliest. You get these mails because you watch the workflows; any administrator
can end that on their pages.
', '<p>Hello {{ name }},</p>
<p>{% if count == 1 %}a run of a workflow that you watch has failed:{% else %}{{ count }} runs of workflows that you watch have failed:{% endif %}</p>
<p style="white-space: pre-line">{{ failures }}</p>
<p>The next mail follows after {{ minutes }} minutes at the earliest. You get these mails because you watch the workflows; any administrator can end that on their pages.</p>
');

insert into system.users (email, name, is_system) values ('workflows@system.invalid', 'Workflows', 't');
