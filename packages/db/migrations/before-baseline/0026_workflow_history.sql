-- Runs of all workflows by age, for lists as for their retention; and those that failed, which are few.
create index workflow_runs_accepted on system.workflow_runs (accepted_at desc, id desc);
drop index system.workflow_runs_age;
-- Its predicate is a column that only the end of a run sets, so that a claim touches no index.
create index workflow_runs_failed on system.workflow_runs (accepted_at desc, id desc) where error is not null;
