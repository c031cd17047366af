-- A run that stops the process that executes it must not be handed to one worker after another. Most runs whose worker is gone
-- have nothing to do with that, and they are told apart: after the first loss, the worker that claims a run writes down while
-- it computes what comes next, and the second loss counts only then.
alter table system.workflow_runs
  -- Leases that ran out in a row without a worker that gave the run back or let it rest.
  add column lost_leases smallint not null default 0,
  -- Whether the worker that holds it computes at this moment; written only for runs that have lost a lease.
  add column computing boolean not null default false;
