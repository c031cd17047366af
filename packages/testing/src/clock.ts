import type { Queryable } from "@rowhouse/db";

/**
 * Advances a test database's clock by this many seconds for everything that expires. Statements that were planned
 * before use the new time too, because PostgreSQL plans again when a function that it inlined changes.
 */
export async function moveClock(database: Queryable, aheadSeconds: number): Promise<void> {
  await database.query(
    `create or replace function system.clock() returns timestamptz language sql stable
     as $$ select pg_catalog.now() + interval '${Math.round(aheadSeconds)} seconds' $$`,
  );
}

/** Holds a test database's clock at the present moment, until it is moved: no delay ends meanwhile. */
export async function stopClock(database: Queryable): Promise<void> {
  await database.query(
    `do $do$ begin
       execute format(
         'create or replace function system.clock() returns timestamptz language sql stable as $$ select %L::timestamptz $$',
         pg_catalog.now());
     end $do$`,
  );
}
