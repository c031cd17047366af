-- Workflows of which no more than a number of runs are in progress at once, and which of the waiting runs goes first.
alter table system.workflows
  -- Of the published version; null for no limit.
  add column concurrency integer check (concurrency >= 1),
  add column priority text not null default 'NORMAL' check (priority in ('HIGH', 'NORMAL', 'LOW'));

-- Runs of workflows with a limit: those that have a place, as long as their lease is live, and the line of those that
-- were refused one. Other runs are never here, so their claims change no index.
create table system.workflow_places (
  run_id uuid primary key references system.workflow_runs (id) on delete cascade,
  workflow_id uuid not null,
  taken boolean not null,
  accepted_at timestamptz not null
);
create index workflow_places_line on system.workflow_places (workflow_id, taken, accepted_at, run_id);

create function system.lock_places(workflow uuid) returns void language sql as $$
  select pg_advisory_xact_lock(772311820, hashtext(workflow::text))
$$;

-- How many more runs may be in progress. A place counts while its run is held: not once it has ended, rests, was handed
-- back, or lost its worker.
create function system.free_places(workflow uuid, places integer) returns integer language sql as $$
  select greatest(0, places - count(*)::integer)
  from system.workflow_places p join system.workflow_runs r on r.id = p.run_id
  where p.workflow_id = workflow and p.taken and r.lease_until > clock_timestamp()
$$;

-- Asked by the statement that claims a run. Volatile, so that each of its statements sees what was committed while it
-- waited for the lock.
create function system.take_place(run uuid, workflow uuid, accepted timestamptz, places integer) returns boolean
language plpgsql as $$
declare
  free integer;
  ahead integer;
begin
  perform system.lock_places(workflow);
  delete from system.workflow_places p
  where p.workflow_id = workflow and p.taken and not exists (
    select from system.workflow_runs r where r.id = p.run_id and r.lease_until > clock_timestamp());
  if exists (select from system.workflow_places p where p.run_id = run and p.taken) then
    return false;
  end if;
  free := system.free_places(workflow, places);
  -- Whoever was refused before goes first: a place that is free was offered to them.
  select count(*) into ahead from (
    select from system.workflow_places p join system.workflow_runs r on r.id = p.run_id
    where p.workflow_id = workflow and not p.taken and (p.accepted_at, p.run_id) < (accepted, run)
      and r.finished_at is null
    order by p.accepted_at, p.run_id limit free) line;
  insert into system.workflow_places as p (run_id, workflow_id, taken, accepted_at)
  values (run, workflow, ahead < free, accepted)
  on conflict (run_id) do update set taken = excluded.taken where p.taken is distinct from excluded.taken;
  return ahead < free;
end $$;

-- The runs that the free places are for. The lock makes those seen that are being refused at this moment.
create function system.next_in_line(workflow uuid) returns table (run_id uuid, fence bigint) language plpgsql as $$
declare
  free integer;
begin
  perform system.lock_places(workflow);
  select system.free_places(w.id, w.concurrency) into free
  from system.workflows w where w.id = workflow and w.concurrency is not null;
  return query
    select p.run_id, r.fence
    from system.workflow_places p join system.workflow_runs r on r.id = p.run_id
    where p.workflow_id = workflow and not p.taken and r.finished_at is null
    order by p.accepted_at, p.run_id limit coalesce(free, 0);
end $$;
