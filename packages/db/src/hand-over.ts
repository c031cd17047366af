import { readFile } from "node:fs/promises";
import type { Queryable } from "./queryable.ts";

/**
 * Gives the objects of the login that owns the schema `system` to `rowhouse_owner` and `rowhouse_service`
 * (docs/operations/database.md#from-one-login-to-two), all or none of them.
 *
 * @param superuser in the database, while no process of the service uses it
 */
export async function handOver(superuser: Queryable): Promise<void> {
  const file = new URL("../operations/hand-over.sql", import.meta.url);
  await superuser.query(await readFile(file, "utf8"));
}
