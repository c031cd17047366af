import type { Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { refreshRegistry } from "./registry.ts";

/** The resource id of a relation that was made in this transaction. */
export async function findResource(
  transaction: Queryable,
  schema: string,
  name: string,
): Promise<string> {
  const select =
    "select id from system.resources where schema_name = $1::text and relation_name = $2::text";
  const [registered] = await transaction.query<{ id: string }>(select, [schema, name]);
  if (registered !== undefined) return registered.id;
  // No event trigger on this server.
  await refreshRegistry(transaction);
  const [synced] = await transaction.query<{ id: string }>(select, [schema, name]);
  if (synced === undefined) throw createError("INTERNAL_ERROR");
  return synced.id;
}
