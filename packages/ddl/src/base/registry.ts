import { advisoryLocks, hasEventTriggers, type Transaction } from "@rowhouse/db";

/**
 * Synchronizes the registry of resources with the system catalog and raises the epoch, in the transaction that changed
 * the catalog. Event triggers do the same for every client after each statement, but some logins cannot create them.
 */
export async function refreshRegistry(transaction: Transaction): Promise<void> {
  if (await hasEventTriggers(transaction)) return;
  // One transaction at a time: two could register the same relation twice.
  await transaction.query(`select pg_advisory_xact_lock(${advisoryLocks.registry})`);
  await transaction.query("select system.sync_registry()");
  await transaction.query("select system.bump_catalogue()");
}
