-- Plans of configuration changes, until they are applied or expire; and what was applied. Neither has a secret: documents
-- name secrets, and never contain them.
create table system.configuration_plans (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default system.clock(),
  created_by uuid references system.users (id) on delete cascade,
  -- Of the state on which it was made, and of its steps.
  digest text not null,
  files json not null,
  options json not null,
  -- Consents that its steps need, by name.
  consents text[] not null
);
create index configuration_plans_created_at on system.configuration_plans (created_at);
create index configuration_plans_created_by on system.configuration_plans (created_by);

create table system.configuration_applies (
  id uuid primary key default gen_random_uuid(),
  applied_at timestamptz not null default system.clock(),
  applied_by uuid references system.users (id) on delete set null,
  source_commit text check (length(source_commit) <= 200),
  source_url text check (length(source_url) <= 2000),
  steps integer not null,
  parts text[] not null,
  -- The documents after the apply; a later difference is a drift.
  files json not null
);
create index configuration_applies_applied_at on system.configuration_applies (applied_at);
create index configuration_applies_applied_by on system.configuration_applies (applied_by);
