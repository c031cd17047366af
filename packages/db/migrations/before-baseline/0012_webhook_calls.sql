-- Calls of webhooks that came with an Idempotency-Key: for a day, the same key leads to the same run.
create table system.webhook_calls (
  workflow_id uuid not null references system.workflows (id) on delete cascade,
  -- Whose key it is: of the user who called, or of nobody for a public webhook.
  caller text not null,
  key text not null check (length(key) between 1 and 255),
  fingerprint text not null,
  run_id uuid not null references system.workflow_runs (id) on delete cascade,
  created_at timestamptz not null default system.clock(),
  primary key (workflow_id, caller, key)
);
create index webhook_calls_age on system.webhook_calls (created_at);
create index webhook_calls_run on system.webhook_calls (run_id);
comment on column system.webhook_calls.fingerprint is 'SHA-256 of the call that came with the key first';
