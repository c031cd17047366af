import type { Database } from "@rowhouse/db";

/**
 * Makes the database record data that the service only overwrites: each claim with its worker, each end of a run, each
 * end of a step. Rows are in the order in which the run's row was changed, because each change holds its lock.
 */
export async function createWitnesses(database: Database): Promise<void> {
  await database.query(`
    create table public.effect (
      id bigint generated always as identity primary key,
      token text not null, workflow text not null, path text not null,
      at timestamptz not null default clock_timestamp()
    )`);
  await database.query(`
    create schema witness;
    create table witness.claims (
      serial bigint generated always as identity primary key, run_id uuid not null, fence bigint not null,
      worker text not null default session_user, at timestamptz not null default clock_timestamp()
    );
    create index on witness.claims (run_id);
    create table witness.ends (
      run_id uuid not null, status text not null, at timestamptz not null default clock_timestamp()
    );
    create table witness.step_ends (
      run_id uuid not null, path text not null, fence bigint not null, at timestamptz not null default clock_timestamp()
    );
    create function witness.see_run() returns trigger language plpgsql as $$
    begin
      if new.fence is distinct from old.fence then
        insert into witness.claims (run_id, fence) values (new.id, new.fence);
      end if;
      if new.status is distinct from old.status and new.status not in ('QUEUED', 'RUNNING') then
        insert into witness.ends (run_id, status) values (new.id, new.status);
      end if;
      return null;
    end $$;
    create trigger witness after update on system.workflow_runs for each row execute function witness.see_run();
    create function witness.see_step() returns trigger language plpgsql as $$
    begin
      insert into witness.step_ends (run_id, path, fence) values (new.run_id, new.path, new.fence);
      return null;
    end $$;
    create trigger witness after insert or update on system.workflow_run_steps for each row
      when (new.status in ('SUCCEEDED', 'FAILED')) execute function witness.see_step()`);
}
