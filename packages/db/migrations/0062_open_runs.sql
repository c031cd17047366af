-- A run that is found by its id: `finished_at is null` admits the index of open runs, which is empty by the statistics of a
-- quiet moment, so that each look-up read all of it while many runs waited.

-- Places are found by their index, whatever the statistics say: sessions keep the plans of these functions, and often make
-- them while nothing waits.
create or replace function system.free_places(workflow uuid, places integer)
 returns integer
 language sql
 set enable_seqscan to off
 set enable_bitmapscan to off
 set enable_sort to off
as $function$
  select greatest(0, places - count(*)::integer)
  from system.workflow_places p join system.workflow_runs r on r.id = p.run_id
  where p.workflow_id = workflow and p.taken and r.lease_until > clock_timestamp()
$function$;

create or replace function system.next_in_line(workflow uuid)
 returns table (run_id uuid, fence bigint)
 language plpgsql
 set enable_seqscan to off
 set enable_bitmapscan to off
 set enable_sort to off
as $function$
declare
  free integer;
begin
  perform system.lock_places(workflow);
  select system.free_places(w.id, w.concurrency) into free
  from system.workflows w where w.id = workflow and w.concurrency is not null;
  return query
    select p.run_id, r.fence
    from system.workflow_places p join system.workflow_runs r on r.id = p.run_id
    where p.workflow_id = workflow and not p.taken and r.status in ('QUEUED', 'RUNNING')
    order by p.accepted_at, p.run_id limit coalesce(free, 0);
end $function$;

create or replace function system.signal_parent_run()
 returns trigger
 language plpgsql
as $function$
begin
  update system.workflow_runs set signalled = true where id = new.parent_run_id and status in ('QUEUED', 'RUNNING');
  return null;
end $function$;

create or replace function system.take_place(run uuid, workflow uuid, accepted timestamp with time zone, places integer)
 returns boolean
 language plpgsql
 set enable_seqscan to off
 set enable_bitmapscan to off
 set enable_sort to off
as $function$
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
  -- Runs that were refused before go first: a free place was offered to them.
  select count(*) into ahead from (
    select from system.workflow_places p join system.workflow_runs r on r.id = p.run_id
    where p.workflow_id = workflow and not p.taken and (p.accepted_at, p.run_id) < (accepted, run)
      and r.status in ('QUEUED', 'RUNNING')
    order by p.accepted_at, p.run_id limit free) line;
  insert into system.workflow_places as p (run_id, workflow_id, taken, accepted_at)
  values (run, workflow, ahead < free, accepted)
  on conflict (run_id) do update set taken = excluded.taken where p.taken is distinct from excluded.taken;
  return ahead < free;
end $function$;

create or replace function system.writing_run(OUT run_id uuid, OUT depth integer, OUT workflow_ids uuid[])
 returns record
 language plpgsql
 stable
as $function$
declare
  named text := current_setting('rowhouse.run', true);
begin
  workflow_ids := '{}';
  depth := -1;
  if named is null or named !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then return; end if;
  with recursive line (id, workflow_id, parent_run_id, depth) as (
    select r.id, r.workflow_id, r.parent_run_id, r.depth from system.workflow_runs r
    where r.id = named::uuid and r.status in ('QUEUED', 'RUNNING')
    union
    select r.id, r.workflow_id, r.parent_run_id, r.depth from line
    join system.workflow_runs r on r.id = line.parent_run_id
  )
  select max(line.id::text) filter (where line.id = named::uuid)::uuid, coalesce(max(line.depth), -1),
         coalesce(array_agg(distinct line.workflow_id), '{}')
    into run_id, depth, workflow_ids from line;
end $function$;
