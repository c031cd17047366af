-- A draft that is tried is kept as it was, as a version without a number that is never published.
alter table system.workflow_versions alter column number drop not null;
alter table system.workflow_runs
  add column origin text not null default 'WEBHOOK' check (origin in ('WEBHOOK', 'WORKFLOW', 'TEST', 'AGAIN'));
