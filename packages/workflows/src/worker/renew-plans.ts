import type { Database } from "@rowhouse/db";

/** Pages of 8 KB below which a scan of a table costs as little as a look-up by its index. */
const smallPages = 64;
const growth = 8;

/**
 * Returns a function that renews the connections of a pool once the tables of runs have grown much since their plans were
 * made. A session keeps the plan of a prepared statement until PostgreSQL analyzes the table: one that was made while the
 * tables were small reads all of them for each run. Call it often; each renewal needs eight times the size of the last one.
 */
export function createPlanRenewal(
  database: Pick<Database, "query" | "renew">,
): () => Promise<void> {
  let known = 0;
  return async () => {
    const [row] = await database.query<{ pages: number }>(
      `select ((pg_catalog.pg_relation_size('system.workflow_runs')
        + pg_catalog.pg_relation_size('system.workflow_run_steps')) / 8192)::double precision as pages`,
    );
    const pages = row?.pages ?? 0;
    const isGrown = known > 0 && pages >= growth * Math.max(known, smallPages / growth);
    if (isGrown) database.renew();
    // Fewer after a purge: plans of then are small again.
    if (isGrown || known === 0 || pages < known) known = Math.max(1, pages);
  };
}
