-- A plan is stored as it was answered, with its state. Its build compares and executes documents in its own way, so that a
-- plan without one cannot be applied.
alter table system.configuration_plans
  add column build text,
  -- Null while the plan is made.
  add column answer json,
  -- Applies that began; the others describe the last one.
  add column attempts integer not null default 0,
  add column step integer,
  add column errors json,
  -- When the process that makes or applies the plan wrote last, and when a caller asked last.
  add column touched_at timestamptz,
  add column asked_at timestamptz;

-- The commit of an apply says that its plan is applied. It outlives the plan.
alter table system.configuration_applies add column plan_id uuid;
create unique index configuration_applies_plan_id on system.configuration_applies (plan_id) where plan_id is not null;
