import type { Queryable } from "@rowhouse/db";

/**
 * Moves a test database's time: from now on everything that ends by itself sees it this many seconds ahead. Statements
 * that were planned before see it too, because Postgres plans anew when a function changes that it had put into a plan.
 */
export async function moveClock(database: Queryable, aheadSeconds: number): Promise<void> {
  await database.query(
    `create or replace function system.clock() returns timestamptz language sql stable
     as $$ select pg_catalog.now() + interval '${Math.round(aheadSeconds)} seconds' $$`,
  );
}
