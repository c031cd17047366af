import { StartError } from "@rowhouse/errors";
import type { Queryable } from "./queryable.ts";

/** The oldest supported version of PostgreSQL. */
const versionMin = 15;

interface Server {
  version: string;
  encoding: string;
  is_standby: string;
  read_only: string;
  replication_role: string;
  is_foreign: string;
}

/**
 * Checks the properties of the server that every statement of the service requires.
 *
 * @param place host and database, as shown to an operator
 * @throws StartError that names the fault and the remedy
 */
export async function requireUsable(database: Queryable, place: string): Promise<void> {
  const [server] = await database.query<Server>(serverSql);
  if (server === undefined) throw new StartError(`The database at ${place} does not respond.`);
  const major = Math.floor(Number(server.version) / 10_000);
  const refuse = (sentence: string): never => {
    throw new StartError(sentence);
  };
  if (major < versionMin) {
    refuse(`The server at ${place} is PostgreSQL ${major}: Rowhouse needs ${versionMin} or newer.`);
  }
  if (server.encoding !== "UTF8") {
    refuse(
      `The database at ${place} is encoded in ${server.encoding}: create one with encoding 'UTF8' (create database … encoding 'UTF8' template template0).`,
    );
  }
  if (server.is_standby === "true") {
    refuse(
      `The database at ${place} is read-only, because its server is a standby: DATABASE_URL must name the primary.`,
    );
  }
  if (server.read_only === "on") {
    refuse(
      `The database at ${place} is read-only: default_transaction_read_only is on, for the server, the database or the login.`,
    );
  }
  if (server.replication_role === "replica") {
    refuse(
      `Sessions of the login at ${place} skip triggers, which protect accounts and the audit log: session_replication_role must be origin.`,
    );
  }
  if (server.is_foreign === "true") {
    refuse(
      `The database at ${place} has a schema system that does not belong to Rowhouse: rename that schema, or use another database.`,
    );
  }
}

/** An empty schema `system` may have been created for the service. */
const serverSql = `
select current_setting('server_version_num') as version,
  (select pg_catalog.pg_encoding_to_char(encoding) from pg_catalog.pg_database where datname = current_database()) as encoding,
  pg_catalog.pg_is_in_recovery()::text as is_standby,
  current_setting('default_transaction_read_only') as read_only,
  current_setting('session_replication_role') as replication_role,
  (select (
      exists (select 1 from pg_catalog.pg_class c where c.relnamespace = n.oid)
        or exists (select 1 from pg_catalog.pg_proc p where p.pronamespace = n.oid)
        or exists (select 1 from pg_catalog.pg_type t where t.typnamespace = n.oid))
      and not exists (
        select 1 from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'checksum'
        where c.relnamespace = n.oid and c.relname = 'migrations' and c.relkind = 'r')
    from pg_catalog.pg_namespace n where n.nspname = 'system')::text as is_foreign`;
