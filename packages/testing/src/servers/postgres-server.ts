import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { admitLogins, migrate, openDatabase, recorderOf } from "@rowhouse/db";
import { startLocalPostgres } from "@rowhouse/local-postgres";
import { migrateQueue } from "@rowhouse/workflows";
import { startStockPostgres } from "./stock-postgres.ts";
import { runOnServer, serviceLogin, systemLogin, templateDatabase } from "./test-database.ts";

export interface PostgresServer {
  /** URL of the server's maintenance database as a superuser. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL server for the tests, without durability, and prepares the migrated template. It uses the
 * embedded server, or the programs in the folder `ROWHOUSE_TEST_POSTGRES`.
 */
export async function startPostgresServer(): Promise<PostgresServer> {
  const isStock = (process.env.ROWHOUSE_TEST_POSTGRES ?? "") !== "";
  const server = isStock ? await startStock() : await startEmbedded();
  await prepareTemplate(server.url);
  return server;
}

async function startStock(): Promise<PostgresServer> {
  const server = await startStockPostgres();
  console.log(`PostgreSQL ${server.version}`);
  return { url: server.url(), stop: server.stop };
}

async function startEmbedded(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-test-"));
  // Under root the server runs as another account, which needs access to the folder.
  await chmod(folder, 0o755);
  const server = await startLocalPostgres({
    directory: join(folder, "state"),
    durable: false,
    settings: { max_connections: "300" },
  });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await rm(server.place, { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function prepareTemplate(serverUrl: string): Promise<void> {
  await runOnServer(serverUrl, `create database ${templateDatabase}`);
  const url = new URL(serverUrl);
  url.pathname = `/${templateDatabase}`;
  const template = openDatabase({
    url: url.href,
    applicationName: "test-template",
    connectionsMax: 1,
  });
  await migrate(template);
  for (const { name, password } of [serviceLogin, systemLogin]) {
    await template.query(`create role ${name} login password '${password}'`);
  }
  await template.query(`create role ${recorderOf(serviceLogin.name)}`);
  await admitLogins(template, { service: serviceLogin.name, system: systemLogin.name });
  await template.close();
  // BullMQ would otherwise create its tables in each database of a test.
  await migrateQueue(url.href);
}
