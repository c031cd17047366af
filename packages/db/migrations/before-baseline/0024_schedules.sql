-- When workflows with a schedule run next, by the database's clock. Whoever fires an occurrence holds the row's lock, writes
-- the run and moves the row on in one transaction.
create table system.workflow_schedules (
  workflow_id uuid primary key references system.workflows (id) on delete cascade,
  -- What next_at was computed from.
  cron text not null,
  time_zone text not null,
  -- Null while the workflow is not enabled, or has no schedule any more.
  next_at timestamptz,
  -- The last occurrence that a run was accepted for.
  previous_at timestamptz
);
create index workflow_schedules_due on system.workflow_schedules (next_at) where next_at is not null;

alter table system.workflow_runs
  -- The occurrence of its schedule that began the run; there is one run for each.
  add column scheduled_at timestamptz,
  drop constraint workflow_runs_origin_check,
  add constraint workflow_runs_origin_check
    check (origin in ('WEBHOOK', 'MANUAL', 'SCHEDULE', 'EVENT', 'WORKFLOW', 'TEST', 'AGAIN'));
create unique index workflow_runs_occurrence on system.workflow_runs (workflow_id, scheduled_at)
  where scheduled_at is not null;
