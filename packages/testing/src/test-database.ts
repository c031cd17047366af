import { randomBytes } from "node:crypto";
import { type Database, openDatabase } from "@rowhouse/db";

/** The migrated database that every test database is cloned from. */
export const templateDatabase = "rowhouse_template";

export interface TestDatabase {
  readonly url: string;
  /** A pool on it, as a superuser. */
  readonly database: Database;
  /** Closes the pool and drops the database, connections of others included. */
  drop(): Promise<void>;
}

/**
 * A fresh database, cloned from the migrated template.
 *
 * @param serverUrl where the server of this test run is; set by the global set-up
 */
export async function createTestDatabase(
  serverUrl: string = requireServerUrl(),
): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await runOnServer(serverUrl, `create database ${name} template ${templateDatabase}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const database = openDatabase({ url: url.href, applicationName: "test" });
  return {
    url: url.href,
    database,
    drop: async () => {
      await database.close();
      await runOnServer(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

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
