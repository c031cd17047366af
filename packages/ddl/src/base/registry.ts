import { advisoryLocks, hasEventTriggers, type Transaction } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";

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

/** Returns the resource id of a relation that this transaction created. */
export async function findResource(
  transaction: Transaction,
  schema: string,
  name: string,
): Promise<string> {
  // Looked up by the relation's OID: without event triggers, a record of the same name may belong to a dropped relation.
  const select = `select r.id from system.resources r
    join pg_catalog.pg_class c on c.oid = r.relation_oid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1::text and c.relname = $2::text`;
  const [registered] = await transaction.query<{ id: string }>(select, [schema, name], {
    prepare: true,
  });
  if (registered !== undefined) return registered.id;
  // This server has no event trigger.
  await refreshRegistry(transaction);
  const [synced] = await transaction.query<{ id: string }>(select, [schema, name]);
  if (synced === undefined) throw createError("INTERNAL_ERROR");
  return synced.id;
}
