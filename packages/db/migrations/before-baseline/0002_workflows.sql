-- Workflows: definitions, published versions, runs and their journal. Postgres holds the truth of
-- every run; the queue only wakes a worker. What callers and steps produce is kept as `json`, not
-- `jsonb`: the digits of a number and the order of keys stay as they came.
create table system.workflows (
  id uuid primary key default gen_random_uuid(),
  slug text not null unique check (slug ~ '^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$'),
  name text not null check (length(name) between 1 and 200),
  enabled boolean not null default false,
  draft json not null,
  published_version_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table system.workflow_versions (
  id uuid primary key default gen_random_uuid(),
  workflow_id uuid not null references system.workflows (id) on delete cascade,
  number integer not null,
  definition json not null,
  published_at timestamptz not null default now(),
  published_by uuid references system.users (id) on delete set null,
  unique (workflow_id, number)
);
alter table system.workflows add constraint workflows_published_version
  foreign key (published_version_id) references system.workflow_versions (id);

-- A published version is what runs are pinned to; it never changes.
create function system.protect_workflow_versions() returns trigger language plpgsql as $$
begin
  raise exception using errcode = 'RH409', message = 'A published version does not change';
end $$;
create trigger workflow_versions_immutable before update of workflow_id, number, definition
  on system.workflow_versions for each row execute function system.protect_workflow_versions();

create table system.workflow_invoke_grants (
  workflow_id uuid not null references system.workflows (id) on delete cascade,
  role_id uuid not null references system.roles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (workflow_id, role_id)
);

create table system.workflow_runs (
  id uuid primary key default gen_random_uuid(),
  workflow_id uuid not null references system.workflows (id) on delete cascade,
  version_id uuid not null references system.workflow_versions (id) on delete cascade,
  status text not null default 'QUEUED'
    check (status in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  input json not null,
  caller_user_id uuid references system.users (id) on delete set null,
  execute_as_user_id uuid not null references system.users (id) on delete cascade,
  -- Where the process that waits for the result listens; null when none does.
  reply_channel text,
  request_id text,
  result json,
  error json,
  cancel_requested_at timestamptz,
  lease_owner text,
  lease_until timestamptz,
  -- Raised by every claim; a journal write must name it.
  fence bigint not null default 0,
  accepted_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  constraint workflow_runs_finished check ((status in ('SUCCEEDED', 'FAILED', 'CANCELLED')) = (finished_at is not null))
) with (fillfactor = 70);
-- Its predicate leaves the status out, so that a claim touches no index.
create index workflow_runs_open on system.workflow_runs (accepted_at) where finished_at is null;
create index workflow_runs_workflow on system.workflow_runs (workflow_id, accepted_at desc, id desc);
create index workflow_runs_age on system.workflow_runs using brin (accepted_at);

create function system.protect_terminal_runs() returns trigger language plpgsql as $$
begin
  raise exception using errcode = 'RH409', message = 'A finished run does not change';
end $$;
create trigger workflow_runs_terminal before update of status, result, error, fence on system.workflow_runs
  for each row when (old.status in ('SUCCEEDED', 'FAILED', 'CANCELLED'))
  execute function system.protect_terminal_runs();

-- The journal: one entry for each step path. STARTED is the intent of an effect that no
-- transaction can hold; it becomes an outcome once, and an outcome never changes.
create table system.workflow_run_steps (
  run_id uuid not null references system.workflow_runs (id) on delete cascade,
  path text not null,
  position integer not null,
  kind text not null,
  status text not null check (status in ('STARTED', 'SUCCEEDED', 'FAILED')),
  output json,
  error json,
  fence bigint not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  primary key (run_id, path)
);

create function system.protect_step_outcomes() returns trigger language plpgsql as $$
begin
  raise exception using errcode = 'RH409', message = 'The outcome of a step does not change';
end $$;
create trigger workflow_run_steps_outcome before update on system.workflow_run_steps
  for each row when (old.status <> 'STARTED') execute function system.protect_step_outcomes();

-- Counters of the public webhooks' rate limit; losing them in a crash costs nothing.
create unlogged table system.rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
