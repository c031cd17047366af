import { randomBytes } from "node:crypto";
import { admitLogins, connectLogins, type Database, migrate, openDatabase } from "@rowhouse/db";
import { addHostileNames, type HostilePlace, useHostileNames } from "./hostile-names.ts";

/** The migrated database that every test database is cloned from. */
export const templateDatabase = "rowhouse_template";

const password = "a-password-of-the-tests";

/** The service's login beside a login for migrations (docs/operations/database.md). */
export const serviceLogin = { name: "test_service", password } as const;

/** The login that keeps the schema `system`. */
export const systemLogin = { name: "test_system", password } as const;

export type TestLogin = "owner" | "service";

export interface TestDatabase {
  /** URL for the service: as a superuser who owns everything, or as the service's login. */
  readonly url: string;
  /** URL of the login that keeps the schema `system`, if the service has one of its own. */
  readonly systemUrl: string | undefined;
  /** URL for the queue: of the login that keeps `system`, or of the only one. */
  readonly sessionUrl: string;
  /** URL of the same database as a superuser. */
  readonly ownerUrl: string;
  /** A superuser's pool on it. */
  readonly database: Database;
  /** The pool of a process: a superuser's, or that of the login that keeps `system` with the service's as its `service`. */
  readonly service: Database;
  /** Closes the pool and drops the database, even while others are connected. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** The login of the service; `ROWHOUSE_TEST_LOGIN=service` selects the service's login for the whole run. */
  readonly login?: TestLogin;
  /**
   * Gives a database of the service's login operators, functions and types of PostgreSQL's names;
   * `ROWHOUSE_TEST_NAMES=hostile` gives them to all of the run.
   */
  readonly names?: HostilePlace;
  /** The ICU locale of a database that is migrated for itself: `tr-TR`. */
  readonly locale?: string;
}

/** Clones a fresh database from the migrated template on the server of this test run. */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const serverUrl = requireServerUrl();
  const login =
    options.login ?? (process.env.ROWHOUSE_TEST_LOGIN === "service" ? "service" : "owner");
  const isHostile = process.env.ROWHOUSE_TEST_NAMES === "hostile" && login === "service";
  const names = options.names ?? (isHostile ? "LAST" : undefined);
  const template = names === undefined ? templateDatabase : await prepareHostileTemplate(serverUrl);
  const name = `test_${randomBytes(6).toString("hex")}`;
  const { locale } = options;
  await runOnServer(
    serverUrl,
    locale === undefined
      ? // Copying the files takes a third of the time of writing each page to the log, which is the default.
        `create database ${name} template ${template} strategy file_copy`
      : `create database ${name} template template0 encoding 'UTF8' locale_provider icu icu_locale '${locale}' lc_collate 'C' lc_ctype 'C'`,
  );
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const ownerUrl = url.href;
  const database = openDatabase({ url: ownerUrl, applicationName: "test", statementTimeoutMs });
  if (locale !== undefined) await migrate(database);
  if (login === "service") {
    const logins = { service: serviceLogin.name, system: systemLogin.name };
    await admitLogins(database, { ...logins, closesService: true });
    for (const statement of handOverSql) await database.query(statement);
    if (names !== undefined) await useHostileNames(database, serviceLogin.name, names);
    url.username = serviceLogin.name;
    url.password = serviceLogin.password;
  } else {
    // Its owner would count as the service's login.
    await database.query("drop function if exists system.as_service(text, boolean, text[])");
  }
  const systemUrl = login === "owner" ? undefined : asLogin(url, systemLogin.name);
  const service =
    systemUrl === undefined
      ? database
      : await connectLogins({
          ...{ url: url.href, systemUrl, connectionsMax: 20 },
          ...{ applicationName: "test-service", statementTimeoutMs },
        });
  return {
    url: url.href,
    systemUrl,
    sessionUrl: systemUrl ?? url.href,
    ownerUrl,
    database,
    service,
    drop: async () => {
      await service.close();
      await database.close();
      await runOnServer(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

function asLogin(base: URL, name: string): string {
  const url = new URL(base);
  [url.username, url.password] = [name, password];
  return url.href;
}

/** Creates the template with hostile names, which takes seconds, once on a server; returns its name. */
export async function prepareHostileTemplate(serverUrl: string): Promise<string> {
  const [name, unfinished] = ["rowhouse_hostile_template", "rowhouse_hostile_draft"];
  const own = {
    url: serverUrl,
    applicationName: "test-server",
    connectionsMax: 1,
    statementTimeoutMs,
  };
  const server = openDatabase(own);
  try {
    // A lock of the session: test files of several processes need the template at the same time.
    await server.query("select pg_advisory_lock(7)");
    const found = await server.query(
      `select from pg_catalog.pg_database where datname = '${name}'`,
    );
    if (found.length > 0) return name;
    // A test that ended meanwhile has left it.
    await server.query(`drop database if exists ${unfinished} with (force)`);
    await server.query(`create database ${unfinished} template ${templateDatabase}`);
    const url = new URL(serverUrl);
    url.pathname = `/${unfinished}`;
    const draft = openDatabase({ ...own, url: url.href });
    await addHostileNames(draft, serviceLogin.name).finally(() => draft.close());
    await server.query(`alter database ${unfinished} rename to ${name}`);
    return name;
  } finally {
    await server.close();
  }
}

/** Never displayed. */
const helperSchema = "information_schema";

/** Gives the service's login the objects that a test creates as a superuser, as if the Admin API had created them. */
const handOverSql = [
  `create function ${helperSchema}.hand_over() returns event_trigger language plpgsql as $$
   declare made record;
   begin
     if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then return; end if;
     for made in
       select object_type, object_identity from pg_event_trigger_ddl_commands()
       where object_type in ('table', 'view', 'materialized view', 'schema', 'sequence', 'type', 'function', 'domain')
         and not in_extension and (schema_name is null or schema_name !~ '^(pg_|system$|rowhouse_queue$|${helperSchema}$)') and object_identity !~ '^pg_'
     loop
       begin
         execute format('alter %s %s owner to ${serviceLogin.name}', made.object_type, made.object_identity);
       exception when feature_not_supported then null; -- a sequence goes with its table
       end;
     end loop;
   end $$`,
  `create event trigger test_hand_over on ddl_command_end
   when tag in ('CREATE TABLE', 'CREATE TABLE AS', 'CREATE VIEW', 'CREATE MATERIALIZED VIEW', 'CREATE SCHEMA', 'CREATE SEQUENCE',
     'CREATE TYPE', 'CREATE FUNCTION', 'CREATE DOMAIN')
   execute function ${helperSchema}.hand_over()`,
] as const;

/** A test adds many rows in one statement, on a machine with much else to do too. */
const statementTimeoutMs = 60_000;

function requireServerUrl(): string {
  const url = process.env.ROWHOUSE_TEST_SERVER_URL;
  if (url === undefined) throw new Error("The tests' global set-up has not run");
  return url;
}

/** Runs one statement on the server's maintenance database. */
export async function runOnServer(serverUrl: string, text: string): Promise<void> {
  const server = openDatabase({
    url: serverUrl,
    applicationName: "test-server",
    connectionsMax: 1,
    statementTimeoutMs,
  });
  try {
    await server.query(text);
  } finally {
    await server.close();
  }
}
