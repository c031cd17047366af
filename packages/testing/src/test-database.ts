import { randomBytes } from "node:crypto";
import { admitServiceLogin, type Database, openDatabase } from "@rowhouse/db";

/** The migrated database that every test database is cloned from. */
export const templateDatabase = "rowhouse_template";

/** The login that only serves (docs/operations/database.md); its rights on `system` are in the template. */
export const serviceLogin = {
  name: "test_service",
  password: "a-password-of-the-tests",
} as const;

export type TestLogin = "owner" | "service";

export interface TestDatabase {
  /** For the service: as a superuser that owns everything, or as a login that only serves. */
  readonly url: string;
  /** The same place as a superuser. */
  readonly ownerUrl: string;
  /** A pool on it, as a superuser. */
  readonly database: Database;
  /** The pool that the service uses. */
  readonly service: Database;
  /** Closes the pool and drops the database, connections of others included. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** Who the service is; `ROWHOUSE_TEST_LOGIN=service` makes it the login that only serves, for a whole run. */
  readonly login?: TestLogin;
}

/** A fresh database, cloned from the migrated template, on the server of this test run. */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const serverUrl = requireServerUrl();
  const login =
    options.login ?? (process.env.ROWHOUSE_TEST_LOGIN === "service" ? "service" : "owner");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await runOnServer(serverUrl, `create database ${name} template ${templateDatabase}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const ownerUrl = url.href;
  const database = openDatabase({ url: ownerUrl, applicationName: "test" });
  if (login === "service") {
    await admitServiceLogin(database, serviceLogin.name);
    for (const statement of handOverSql) await database.query(statement);
    url.username = serviceLogin.name;
    url.password = serviceLogin.password;
  }
  const service =
    login === "owner" ? database : openDatabase({ url: url.href, applicationName: "test-service" });
  return {
    url: url.href,
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

/** Shown nowhere. */
const helperSchema = "information_schema";

/** What a test makes as a superuser is the service's, as if it had been made by the Admin API. */
const handOverSql = [
  `create function ${helperSchema}.hand_over() returns event_trigger language plpgsql as $$
   declare made record;
   begin
     if current_user = '${serviceLogin.name}' then return; end if;
     for made in
       select object_type, object_identity from pg_event_trigger_ddl_commands()
       where object_type in ('table', 'view', 'materialized view', 'schema', 'sequence', 'type', 'function', 'domain')
         and (schema_name is null or schema_name !~ '^(pg_|system$|${helperSchema}$)') and object_identity !~ '^pg_'
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
    statementTimeoutMs: 60_000,
  });
  try {
    await server.query(text);
  } finally {
    await server.close();
  }
}
