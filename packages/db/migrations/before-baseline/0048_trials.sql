-- How a test of a draft differs from a run: {"effects", "mocks", "until"}; null for every other run. The definition of
-- its version is stored in a form that older code cannot read, so that no older worker carries out its steps.
alter table system.workflow_runs
  add column trial json,
  -- The run that this one repeats, and the path of the step that it continues from; no foreign key, as the earlier run
  -- is deleted first.
  add column again_of_run_id uuid,
  add column again_from text;

-- Where the output of a step comes from if it was not carried out, or was rolled back.
alter table system.workflow_run_steps add column simulated text;

-- The rows of a trial are rolled back. A trial that deletes a user must not lock the runs of that user meanwhile.
create or replace function system.end_runs_of_user() returns trigger
language plpgsql security definer
set search_path = pg_catalog, system, pg_temp as $$
begin
  if current_setting('rowhouse.trial', true) = 'on' then return null; end if;
  insert into system.former_users (id, name)
  values (old.id, coalesce(nullif(old.name, ''), old.email)) on conflict (id) do nothing;
  -- A run before its parent: a worker that ends one locks them in this order.
  perform from system.workflow_runs where execute_as_user_id = old.id and finished_at is null
  order by depth desc, id for no key update;
  update system.workflow_runs
  set status = 'FAILED', result = null, finished_at = clock_timestamp(), lease_owner = null, lease_until = null,
      error = '{"code":"EXECUTE_AS_GONE","message":"The user that this run executes as was deleted","step":null}'
  where execute_as_user_id = old.id and finished_at is null;
  return null;
end $$;
