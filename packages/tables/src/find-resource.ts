import type { Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { refreshRegistry } from "./registry.ts";

/** The resource id of a relation that was made in this transaction. */
export async function findResource(
  transaction: Queryable,
  schema: string,
  name: string,
): Promise<string> {
  // By the relation's OID, not by the record's name: without event triggers that may be the name of one that is gone.
  const select = `select r.id from system.resources r
    join pg_catalog.pg_class c on c.oid = r.relation_oid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1::text and c.relname = $2::text`;
  const [registered] = await transaction.query<{ id: string }>(select, [schema, name]);
  if (registered !== undefined) return registered.id;
  // No event trigger on this server.
  await refreshRegistry(transaction);
  const [synced] = await transaction.query<{ id: string }>(select, [schema, name]);
  if (synced === undefined) throw createError("INTERNAL_ERROR");
  return synced.id;
}
