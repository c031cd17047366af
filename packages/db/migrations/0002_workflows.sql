-- Workflows: definitions, published versions, runs and their journal. Postgres holds the truth of
-- every run; the queue only wakes a worker.
create table system.workflows (
  id uuid primary key default gen_random_uuid(),
  slug text not null unique check (slug ~ '^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$'),
  name text not null check (length(name) between 1 and 200),
  enabled boolean not null default false,
  draft jsonb not null,
  published_version_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table system.workflow_versions (
  id uuid primary key default gen_random_uuid(),
  workflow_id uuid not null references system.workflows (id) on delete cascade,
  number integer not null,
  definition jsonb not null,
  execute_as_user_id uuid references system.users (id) on delete restrict,
  published_at timestamptz not null default now(),
  published_by uuid references system.users (id) on delete set null,
  unique (workflow_id, number)
);
alter table system.workflows add constraint workflows_published_version
  foreign key (published_version_id) references system.workflow_versions (id);

create table system.workflow_invoke_grants (
  workflow_id uuid not null references system.workflows (id) on delete cascade,
  role_id uuid not null references system.roles (id) on delete cascade,
  primary key (workflow_id, role_id)
);

create table system.workflow_runs (
  id uuid primary key default gen_random_uuid(),
  workflow_id uuid not null references system.workflows (id) on delete cascade,
  version_id uuid not null references system.workflow_versions (id) on delete cascade,
  status text not null default 'QUEUED'
    check (status in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  input jsonb not null,
  caller_user_id uuid references system.users (id) on delete set null,
  execute_as_user_id uuid not null references system.users (id) on delete cascade,
  reply_channel text,
  request_id text,
  result jsonb,
  error jsonb,
  cancel_requested_at timestamptz,
  lease_owner text,
  lease_until timestamptz,
  fence bigint not null default 0,
  accepted_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
create index workflow_runs_open on system.workflow_runs (accepted_at) where status in ('QUEUED', 'RUNNING');
create index workflow_runs_workflow on system.workflow_runs (workflow_id, accepted_at desc);

create function system.protect_terminal_runs() returns trigger language plpgsql as $$
begin
  raise exception using errcode = 'RH409', message = 'A finished run does not change';
end $$;
create trigger workflow_runs_terminal before update of status, result, error on system.workflow_runs
  for each row when (old.status in ('SUCCEEDED', 'FAILED', 'CANCELLED'))
  execute function system.protect_terminal_runs();

-- The journal: one entry a step path; an entry is written once.
create table system.workflow_run_steps (
  run_id uuid not null references system.workflow_runs (id) on delete cascade,
  path text not null,
  status text not null check (status in ('STARTED', 'SUCCEEDED', 'FAILED')),
  output jsonb,
  error jsonb,
  fence bigint not null,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  primary key (run_id, path)
);

create trigger workflows_epoch after insert or update or delete or truncate on system.workflows
  for each statement execute function system.bump_epoch_after_change();
create trigger workflow_invoke_grants_epoch after insert or update or delete or truncate on system.workflow_invoke_grants
  for each statement execute function system.bump_epoch_after_change();
