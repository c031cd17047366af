-- Inputs of a workflow that administrators keep for its tests.
create table system.workflow_samples (
  id uuid primary key default gen_random_uuid(),
  workflow_id uuid not null references system.workflows (id) on delete cascade,
  name text not null check (name <> '' and length(name) <= 200),
  -- The `start.data` of a run, redacted.
  data json not null,
  -- The run that it was made from.
  run_id uuid references system.workflow_runs (id) on delete set null,
  created_by uuid references system.users (id) on delete set null,
  created_at timestamptz not null default now(),
  unique (workflow_id, name)
);
-- For the deletion of runs and users.
create index workflow_samples_run on system.workflow_samples (run_id) where run_id is not null;
create index workflow_samples_creator on system.workflow_samples (created_by) where created_by is not null;

-- Outputs of steps, with which a test without effects answers instead of the step.
create table system.workflow_examples (
  workflow_id uuid not null references system.workflows (id) on delete cascade,
  step_id text not null,
  output json not null,
  updated_at timestamptz not null default now(),
  updated_by uuid references system.users (id) on delete set null,
  primary key (workflow_id, step_id)
);
create index workflow_examples_author on system.workflow_examples (updated_by) where updated_by is not null;
