import {
  connectDatabase,
  type Database,
  derivePassword,
  handOver,
  hasEventTriggers,
  installEventTriggers,
  passwordVerifier,
  quoteIdentifier,
  quoteLiteral,
  recorderOf,
} from "@rowhouse/db";
import { StartError } from "@rowhouse/errors";
import { type LocalPostgres, startLocalPostgres } from "@rowhouse/local-postgres";

/** The embedded server of a data directory, with the service's database. */
export interface EmbeddedDatabase {
  /** The service's login, which owns the tables of the database's users. */
  readonly url: string;
  /** The login that keeps the schema `system`. */
  readonly systemUrl: string;
  /** The login that owns the schema `system`. */
  readonly ownerUrl: string;
  readonly superuserUrl: string;
  /** The location of the server's files. */
  readonly place: string;
  /** Creates the event triggers that the migrated database lacks, which only a superuser may do. */
  guard(database: Database): Promise<void>;
  stop(): Promise<void>;
}

const databaseName = "rowhouse";
/** As in infra/postgres/logins.sql. */
const [owner, service, system] = ["rowhouse_owner", "rowhouse_service", "rowhouse_system"] as const;
const recorder = recorderOf(service);

/**
 * Starts the embedded server in a data directory, and creates its logins and the service's database if they do not
 * exist. A database in which an earlier build worked as the superuser is handed over to the logins.
 *
 * @throws StartError if the server cannot be started
 */
export async function startEmbeddedDatabase(directory: string): Promise<EmbeddedDatabase> {
  const postgres = await start(directory);
  const urls = urlsOf(postgres.url);
  try {
    const isOwn = await asSuperuser(postgres.url, async (server) => {
      for (const login of [owner, service, system]) await makeLogin(server, login, urls.secret);
      await makeRecorder(server);
      await server.query(`grant ${service}, ${system}, ${recorder} to ${owner}`);
      return makeDatabase(server);
    });
    if (!isOwn) await asSuperuser(urls.superuserUrl, handOver);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  const { url, systemUrl, ownerUrl, superuserUrl } = urls;
  return {
    ...{ url, systemUrl, ownerUrl, superuserUrl, place: postgres.place },
    guard: async (database) => {
      if (await hasEventTriggers(database)) return;
      await asSuperuser(superuserUrl, installEventTriggers);
    },
    stop: () => postgres.stop(),
  };
}

async function start(directory: string): Promise<LocalPostgres> {
  try {
    return await startLocalPostgres({ directory });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `The embedded database in ${directory} cannot be used: ${reason.replace(/\.$/, "")}.`,
      {
        cause: error,
      },
    );
  }
}

/** Returns the database's URL for each login. The passwords of the others are derived from the superuser's. */
function urlsOf(serverUrl: string) {
  const superuser = new URL(serverUrl);
  superuser.pathname = `/${databaseName}`;
  const secret = superuser.password;
  const as = (login: string): string => {
    const url = new URL(superuser);
    url.username = login;
    url.password = derivePassword(secret, login);
    return url.href;
  };
  return {
    ...{ secret, superuserUrl: superuser.href },
    ...{ ownerUrl: as(owner), url: as(service), systemUrl: as(system) },
  };
}

async function asSuperuser<Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await connectDatabase({
    url,
    applicationName: "standalone-start",
    connectionsMax: 1,
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Creates the role of the triggers that record changes of rows. */
async function makeRecorder(server: Database): Promise<void> {
  const found = await server.query("select from pg_catalog.pg_roles where rolname = $1::text", [
    recorder,
  ]);
  if (found.length === 0) await server.query(`create role ${recorder}`);
}

/** Creates the login, or sets its password again if somebody has changed it. */
async function makeLogin(server: Database, login: string, secret: string): Promise<void> {
  const verifier = passwordVerifier(secret, login);
  const [found] = await server.query<{ current: string }>(
    "select (rolpassword = $2::text)::text as current from pg_catalog.pg_authid where rolname = $1::text",
    [login, verifier],
  );
  if (found?.current === "true") return;
  const change = found === undefined ? "create" : "alter";
  await server.query(
    `${change} role ${quoteIdentifier(login)} login password ${quoteLiteral(verifier)}`,
  );
}

/** @returns whether the database belongs to the login for migrations */
async function makeDatabase(server: Database): Promise<boolean> {
  const [found] = await server.query<{ owner: string }>(
    "select pg_catalog.pg_get_userbyid(datdba)::text as owner from pg_catalog.pg_database where datname = $1::text",
    [databaseName],
  );
  if (found === undefined) await server.query(`create database ${databaseName} owner ${owner}`);
  return found === undefined || found.owner === owner;
}
