-- Runs that wait without a worker: for a moment, or for a run of their own to end. And attempts of steps.
alter table system.workflow_runs
  -- Parked: nobody need claim the run before this moment, unless it is signalled. Null for a run that is not parked.
  add column wake_at timestamptz,
  -- Something that the run may wait for has happened since its last claim.
  add column signalled boolean not null default false,
  -- Claims since the run was last parked: one that is claimed over and over comes to no end.
  add column claims integer not null default 0,
  add column parent_run_id uuid references system.workflow_runs (id) on delete set null,
  -- How many runs stand above this one.
  add column depth integer not null default 0;
create index workflow_runs_parent on system.workflow_runs (parent_run_id) where parent_run_id is not null;

-- The parent learns of the end in the transaction that ends its child, whoever ends it.
create function system.signal_parent_run() returns trigger language plpgsql as $$
begin
  update system.workflow_runs set signalled = true where id = new.parent_run_id and finished_at is null;
  return null;
end $$;
create trigger workflow_runs_signal after update of finished_at on system.workflow_runs
  for each row when (new.parent_run_id is not null and new.finished_at is not null and old.finished_at is null)
  execute function system.signal_parent_run();

-- WAITING is a step that goes on at a moment (a delay, another attempt) or once another run has ended.
alter table system.workflow_run_steps
  add column attempt integer not null default 1,
  add column resume_at timestamptz,
  add column child_run_id uuid,
  drop constraint workflow_run_steps_status_check,
  add constraint workflow_run_steps_status_check check (status in ('STARTED', 'WAITING', 'SUCCEEDED', 'FAILED'));
drop trigger workflow_run_steps_outcome on system.workflow_run_steps;
create trigger workflow_run_steps_outcome before update on system.workflow_run_steps
  for each row when (old.status in ('SUCCEEDED', 'FAILED')) execute function system.protect_step_outcomes();

-- Mails of workflows go out by the same outbox.
alter table system.mails
  add column run_id uuid references system.workflow_runs (id) on delete cascade,
  drop constraint mails_of_one,
  add constraint mails_of_one check (num_nonnulls(user_id, invitation_id, run_id) = 1);
create index mails_run on system.mails (run_id) where run_id is not null;
