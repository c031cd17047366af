import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "@rowhouse/errors";
import { connectDatabase, type DatabaseWait, describe } from "./connect-database.ts";
import {
  announcedName,
  type ConnectionReport,
  connectionBudget,
  type OtherUses,
  reportConnections,
} from "./connection-budget.ts";
import { connectLogins } from "./logins/connect-logins.ts";
import {
  admitLogins,
  codeLogins,
  isServiceClosed,
  mayMigrate,
  unreadableRelations,
} from "./logins/service-login.ts";
import { migrate, missingMigration } from "./migrate.ts";
import { appliedMigrations } from "./migration-files.ts";
import type { Database, LoginsOptions, Queryable } from "./queryable.ts";
import { readServerVersion, type ServerVersion, testedVersions } from "./server-version.ts";

export interface StartOptions extends LoginsOptions {
  /** Connections that the process opens besides its pools. */
  readonly uses?: OtherUses;
  /** Connections of a second pool on the same logins, for a worker in this process. */
  readonly workerMax?: number;
  /** Receives the numbers of connections that this process and all others may open. */
  readonly onConnections?: (report: ConnectionReport) => void;
  /** Receives the names of exposed tables and views that the login may not read, if there are any. */
  readonly onUnreadable?: (names: readonly string[]) => void;
  /** Receives the version of a server that is newer than those of the tests. */
  readonly onUntriedServer?: (server: ServerVersion) => void;
  /**
   * Receives the logins beside the service's own that may give the database code, without superusers, if such code runs with the
   * rights of an administrator.
   */
  readonly onCodeLogins?: (logins: readonly string[]) => void;
  /** Whether a migration also closes the service's login, because no process of an earlier build uses the database. */
  readonly closesService?: boolean;
  /** The database under the login that owns the schema `system`, if that differs from the service's login. */
  readonly migrationsUrl?: string | undefined;
  /**
   * Maximum time that a login without migration rights waits for another process to migrate; one minute by default.
   */
  readonly migrationsWaitMs?: number;
}

const migrationsWaitMsDefault = 60_000;
const pauseMs = 500;

/**
 * Opens the pool of a service process on an up-to-date database. A process with a login that may migrate does so;
 * otherwise it waits for a process that has one.
 *
 * @throws StartError if the database cannot be reached or migrated, or if the service's login has more privileges than
 * allowed beside a login for migrations
 */
export async function startDatabase(
  options: StartOptions,
  wait: DatabaseWait = {},
): Promise<Database> {
  const budget = connectionBudget(options, options.uses ?? {}, options.workerMax);
  const database = await connectLogins(
    { ...options, announcedName: announcedName(options.applicationName, budget) },
    wait,
  );
  try {
    await requireSystemLogin(database, options);
    await bringUpToDate(database, options, wait);
    const isClosed = await requireSystemLogin(database, options);
    options.onConnections?.(await reportConnections(database, budget));
    const unreadable = await unreadableRelations(database.service);
    if (unreadable.length > 0) options.onUnreadable?.(unreadable);
    if (!isClosed) options.onCodeLogins?.(await codeLogins(database.service));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function bringUpToDate(
  database: Database,
  options: StartOptions,
  wait: DatabaseWait,
): Promise<void> {
  const { migrationsUrl, directUrl } = options;
  const server = await requireUsable(database, describe(options.url));
  if (server.support === "UNTRIED") options.onUntriedServer?.(server);
  const connectAs = (url: string) =>
    connectDatabase(
      { url, applicationName: `${options.applicationName}-migrations`, connectionsMax: 1 },
      wait,
    );
  if (migrationsUrl !== undefined) {
    const owner = await connectAs(migrationsUrl);
    try {
      if (!(await mayMigrate(owner))) {
        throw new StartError(
          "The login of MIGRATIONS_DATABASE_URL does not own the schema system, and may not create one.",
        );
      }
      const isNew = (await appliedMigrations(owner)).size === 0;
      await migrate(owner, wait);
      await requireSystemLogin(owner, options);
      await admitLogins(owner, {
        service: await loginOf(database.service),
        system: options.systemUrl === undefined ? undefined : await loginOf(database),
        // No process of an earlier build, or with fewer logins, serves an empty database.
        closesService: isNew || options.closesService === true,
      });
    } finally {
      await owner.close();
    }
    const missing = await missingMigration(database);
    if (missing !== undefined) {
      throw new StartError(
        `The login of DATABASE_URL lacks privileges on the database: ${missing}.`,
      );
    }
    return;
  }
  if (await mayMigrate(database)) {
    const direct = directUrl === undefined ? database : await connectAs(directUrl);
    try {
      await migrate(direct, wait);
    } finally {
      if (direct !== database) await direct.close();
    }
    return;
  }
  const until = Date.now() + (options.migrationsWaitMs ?? migrationsWaitMsDefault);
  let isSaid = false;
  for (;;) {
    const missing = await missingMigration(database);
    if (missing === undefined) return;
    if (!isSaid) wait.onWait?.(`Waiting for a process that may migrate the database: ${missing}`);
    isSaid = true;
    if (Date.now() > until || wait.signal?.aborted === true) {
      if ((await appliedMigrations(database)).size === 0) throw await lacksRights(database);
      throw new StartError(
        `The database is not up to date (${missing}), and the login of DATABASE_URL may not migrate it: start a process with MIGRATIONS_DATABASE_URL.`,
      );
    }
    await sleep(pauseMs, undefined, { signal: wait.signal }).catch(() => {});
  }
}

/**
 * Returns whether code of the database's users is kept from the schema `system`.
 *
 * @throws StartError if the service's login lacks rights that only another login has now
 */
async function requireSystemLogin(database: Database, options: StartOptions): Promise<boolean> {
  const [known] = await database.query(
    `select from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid
       join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'system' and c.relname = 'installation' and a.attname = 'service_is_closed'
       and pg_catalog.has_schema_privilege(n.oid, 'usage') and pg_catalog.has_column_privilege(c.oid, a.attnum, 'select')`,
  );
  const isClosed = known !== undefined && (await isServiceClosed(database));
  if (isClosed && options.systemUrl === undefined) {
    throw new StartError(
      "SYSTEM_DATABASE_URL is missing: in this database the login of DATABASE_URL has only the rights that statements on rows need (docs/operations/database.md).",
    );
  }
  return isClosed;
}

async function lacksRights(database: Database): Promise<StartError> {
  const [row] = await database.query<{ login: string; name: string; has_schema: string }>(
    `select current_user::text as login, current_database()::text as name,
       exists (select 1 from pg_catalog.pg_namespace where nspname = 'system')::text as has_schema`,
  );
  const { login, name, has_schema } = row ?? {};
  return new StartError(
    has_schema === "true"
      ? `The login ${login} may not use the schema system of the database ${name}: start a process with MIGRATIONS_DATABASE_URL, which grants the privileges.`
      : `The login ${login} may not create schemas in the database ${name}: grant it CREATE on the database, or start a process with MIGRATIONS_DATABASE_URL.`,
  );
}

async function loginOf(database: Database): Promise<string> {
  const [row] = await database.query<{ login: string }>("select current_user::text as login");
  return row?.login ?? "";
}

interface Server {
  version: string;
  encoding: string;
  has_icu: string;
  is_standby: string;
  read_only: string;
  is_foreign: string;
}

/**
 * Checks the properties of the server that every statement of the service requires.
 *
 * @param place host and database, as shown to an operator
 * @throws StartError that names the fault and the remedy
 */
async function requireUsable(database: Queryable, place: string): Promise<ServerVersion> {
  const [server] = await database.query<Server>(serverSql);
  if (server === undefined) throw new StartError(`The database at ${place} does not respond.`);
  const found = readServerVersion(server.version);
  const refuse = (sentence: string): never => {
    throw new StartError(sentence);
  };
  if (found.support === "TOO_OLD") {
    refuse(
      `The server at ${place} is PostgreSQL ${found.major}: Rowhouse needs ${testedVersions.from} or newer.`,
    );
  }
  if (server.encoding !== "UTF8") {
    refuse(
      `The database at ${place} is encoded in ${server.encoding}: create one with encoding 'UTF8' (create database … encoding 'UTF8' template template0).`,
    );
  }
  if (server.has_icu !== "true") {
    refuse(
      `The server at ${place} was built without ICU: addresses and names are compared by its collation "und-x-icu".`,
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
  if (server.is_foreign === "true") {
    refuse(
      `The database at ${place} has a schema system that does not belong to Rowhouse: rename that schema, or use another database.`,
    );
  }
  return found;
}

/** An empty schema `system` may have been created for the service. */
const serverSql = `
select current_setting('server_version_num') as version,
  (select pg_catalog.pg_encoding_to_char(encoding) from pg_catalog.pg_database where datname = current_database()) as encoding,
  (pg_catalog.to_regcollation('pg_catalog."und-x-icu"') is not null)::text as has_icu,
  pg_catalog.pg_is_in_recovery()::text as is_standby,
  current_setting('default_transaction_read_only') as read_only,
  (select (
      exists (select 1 from pg_catalog.pg_class c where c.relnamespace = n.oid)
        or exists (select 1 from pg_catalog.pg_proc p where p.pronamespace = n.oid)
        or exists (select 1 from pg_catalog.pg_type t where t.typnamespace = n.oid))
      and not exists (
        select 1 from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'checksum'
        where c.relnamespace = n.oid and c.relname = 'migrations' and c.relkind = 'r')
    from pg_catalog.pg_namespace n where n.nspname = 'system')::text as is_foreign`;
