-- Runs that someone starts by hand.
alter table system.workflow_runs
  drop constraint workflow_runs_origin_check,
  add constraint workflow_runs_origin_check check (origin in ('WEBHOOK', 'MANUAL', 'WORKFLOW', 'TEST', 'AGAIN'));
