import { advisoryLocks, type Queryable } from "@rowhouse/db";

/**
 * Brings the registry of resources into step with the catalogue, and raises the epoch, in the transaction that changed
 * the catalogue. Event triggers do the same for every client; not every login may create them, and none of them sees a
 * comment that a cached description shows.
 */
export async function refreshRegistry(transaction: Queryable): Promise<void> {
  // One transaction at a time: two would register one relation twice.
  await transaction.query(`select pg_advisory_xact_lock(${advisoryLocks.registry})`);
  await transaction.query("select system.sync_registry()");
  await transaction.query("select system.bump_epoch()");
}
