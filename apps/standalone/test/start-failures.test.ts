// Tier: long. Starts processes.
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@rowhouse/db";
import { StartError } from "@rowhouse/errors";
import {
  createTestDatabase,
  installationSecret,
  runApp,
  signIn,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../src/config.ts";
import { startStandalone } from "../src/index.ts";

let test_: TestDatabase;
const made: string[] = [];
const login = { name: "start_failures", password: "a-password" };

/** Runs statements on a database of the tests' server, as the superuser. */
async function run(name: string, ...texts: readonly string[]): Promise<void> {
  const database = openDatabase({ url: urlOf(name), applicationName: "test", connectionsMax: 1 });
  try {
    for (const text of texts) await database.query(text);
  } finally {
    await database.close();
  }
}

async function create(name: string, options = ""): Promise<string> {
  made.push(name);
  await run("postgres", `create database ${name} ${options}`);
  return urlOf(name);
}

function urlOf(name: string, user?: typeof login): string {
  const url = new URL(test_.ownerUrl);
  url.pathname = `/${name}`;
  if (user !== undefined) [url.username, url.password] = [user.name, user.password];
  return url.href;
}

const serverOf = (url: string) => `${new URL(url).host}${new URL(url).pathname}`;

const environmentOf = (more: Readonly<Record<string, string>>) => ({
  PORT: "0",
  LOG_LEVEL: "silent",
  ROWHOUSE_SECRET: installationSecret,
  ROWHOUSE_ADMIN_EMAIL: signIn.email,
  ROWHOUSE_ADMIN_PASSWORD: signIn.password,
  ...more,
});

/** Returns the message of a failed start: that of a `StartError`, which `runProcess` writes to standard error. */
async function failureOf(environment: Readonly<Record<string, string>>): Promise<string> {
  try {
    const started = await startStandalone(readConfig(environmentOf(environment)), {
      sample: false,
    });
    await started.stop();
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  throw new Error("It has started");
}

beforeAll(async () => {
  test_ = await createTestDatabase({ login: "owner" });
  await run("postgres", `create role ${login.name} login password '${login.password}'`);
});
afterAll(async () => {
  for (const name of made) await run("postgres", `drop database ${name} with (force)`);
  await run("postgres", `drop role ${login.name}`);
  await test_.drop();
});

describe("a start exits with 1 and one sentence", () => {
  test("for a schema system of another program, which stays unchanged", async () => {
    const url = await create("failures_foreign");
    await run(
      "failures_foreign",
      "create schema system",
      "create table system.users (id int)",
      "create table system.migrations (version text)",
    );
    const sentence = `The database at ${serverOf(url)} has a schema system that does not belong to Rowhouse: rename that schema, or use another database.`;
    expect(await failureOf({ DATABASE_URL: url })).toBe(sentence);
    const process = await runApp("standalone", environmentOf({ DATABASE_URL: url }));
    expect(process).toEqual({ code: 1, output: `${sentence}\n` });
  });

  test("for a database that is not in UTF-8", async () => {
    for (const encoding of ["SQL_ASCII", "LATIN1"]) {
      const url = await create(
        `failures_${encoding.toLowerCase()}`,
        `encoding '${encoding}' lc_collate 'C' lc_ctype 'C' template template0 locale_provider libc`,
      );
      expect(await failureOf({ DATABASE_URL: url })).toBe(
        `The database at ${serverOf(url)} is encoded in ${encoding}: create one with encoding 'UTF8' (create database … encoding 'UTF8' template template0).`,
      );
    }
  });

  test("for a database that is read-only", async () => {
    const url = await create("failures_read_only");
    await run(
      "postgres",
      "alter database failures_read_only set default_transaction_read_only = on",
    );
    expect(await failureOf({ DATABASE_URL: url })).toBe(
      `The database at ${serverOf(url)} is read-only: default_transaction_read_only is on, for the server, the database or the login.`,
    );
  });

  test("for sessions that skip triggers", async () => {
    const url = await create("failures_replica");
    await run("postgres", "alter database failures_replica set session_replication_role = replica");
    expect(await failureOf({ DATABASE_URL: url })).toMatch(
      /session_replication_role must be origin\.$/,
    );
  });

  test("for a login that may not create schemas", async () => {
    await create("failures_rights");
    expect(await failureOf({ DATABASE_URL: urlOf("failures_rights", login) })).toBe(
      `The login ${login.name} may not create schemas in the database failures_rights: grant it CREATE on the database, or start a process with MIGRATIONS_DATABASE_URL.`,
    );
  });

  test("for a login without privileges on an existing installation", async () => {
    const name = new URL(test_.ownerUrl).pathname.slice(1);
    expect(await failureOf({ DATABASE_URL: urlOf(name, login) })).toBe(
      `The login ${login.name} may not use the schema system of the database ${name}: start a process with MIGRATIONS_DATABASE_URL, which grants the privileges.`,
    );
  });

  test("for a login with fewer connections than a process needs", async () => {
    await create("failures_limit", `owner ${login.name}`);
    for (const limit of [1, 2, 5, 11]) {
      await run("postgres", `alter role ${login.name} connection limit ${limit}`);
      expect(await failureOf({ DATABASE_URL: urlOf("failures_limit", login) })).toBe(
        `The database allows the login ${login.name} ${limit} connections, and a process needs at least 15: raise max_connections, or the connection limit of the login or of the database.`,
      );
    }
    await run("postgres", `alter role ${login.name} connection limit 0`);
    expect(await failureOf({ DATABASE_URL: urlOf("failures_limit", login) })).toMatch(
      /cannot be reached: too many connections for role/,
    );
    await run("postgres", `alter role ${login.name} connection limit -1`);
  });

  test("for a metrics port that equals the service's port or is taken", async () => {
    expect(await failureOf({ PORT: "8080", METRICS_PORT: "8080" })).toBe(
      "Invalid configuration: METRICS_PORT must differ from PORT, which is 8080.",
    );
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const address = taken.address();
    const port = typeof address === "object" ? address?.port : 0;
    expect(await failureOf({ METRICS_PORT: String(port) })).toBe(
      `Port ${port} on 127.0.0.1 is in use by another process; set METRICS_PORT to a free port.`,
    );
    taken.close();
  });

  describe("for a server that is not PostgreSQL", () => {
    const servers: Server[] = [];
    afterEach(() => {
      for (const server of servers.splice(0)) server.close();
    });
    const listen = async (server: Server): Promise<string> => {
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      return `postgres://me:hunter2@127.0.0.1:${typeof address === "object" ? address?.port : 0}/shop`;
    };
    const greetings: Readonly<Record<string, Buffer>> = {
      "an SSH server": Buffer.from("SSH-2.0-OpenSSH_9.2\r\n"),
      MySQL: Buffer.from("4a0000000a382e302e333300080000004142434445464748", "hex"),
    };
    for (const [name, greeting] of Object.entries(greetings)) {
      test(`but ${name}`, async () => {
        const url = await listen(
          createServer((socket) => {
            socket.on("error", () => {});
            socket.write(greeting);
          }),
        );
        expect(await failureOf({ DATABASE_URL: url })).toBe(
          `The server at ${serverOf(url)} is not PostgreSQL: DATABASE_URL must name a PostgreSQL server.`,
        );
      });
    }
    test("but HTTP", async () => {
      const url = await listen(
        createServer((socket) => {
          socket.on("error", () => {});
          socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
        }),
      );
      expect(await failureOf({ DATABASE_URL: url })).toBe(
        `The server at ${serverOf(url)} is not PostgreSQL: DATABASE_URL must name a PostgreSQL server.`,
      );
    });
    test("after the waiting time for a server that does not respond", async () => {
      const url = await listen(createServer((socket) => socket.on("error", () => {})));
      expect(await failureOf({ DATABASE_URL: url })).toBe(
        `The database at ${serverOf(url)} cannot be reached: it accepts connections and does not respond as PostgreSQL does.`,
      );
    });
  });

  describe("for an invalid data directory", () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "rowhouse-kept-"));
    });
    afterAll(async () => {
      await rm(folder, { recursive: true, force: true });
    });

    test("an installation's secret that is empty or truncated, before any access to a database", async () => {
      for (const text of ["", "short\n"]) {
        await writeFile(join(folder, "secret"), text);
        const sentence = await failureOf({ ROWHOUSE_DATA_DIR: folder, ROWHOUSE_SECRET: "" });
        expect(sentence).toBe(
          `The file ${join(folder, "secret")} has ${text.trim().length} characters and the installation's secret at least 32: restore it from a backup, or delete it if nothing is sealed yet.`,
        );
      }
      await expect(stat(join(folder, "postgres"))).rejects.toThrow("ENOENT");
    });

    test("an embedded database that initdb cannot create", async () => {
      await chmod(folder, 0o755);
      const directory = join(folder, "closed");
      await mkdir(join(directory, "postgres"), { recursive: true, mode: 0o755 });
      await chmod(join(directory, "postgres"), 0o500);
      const sentence = await failureOf({ ROWHOUSE_DATA_DIR: directory });
      expect(sentence).toMatch(/^The embedded database in .* cannot be used: .*\.$/);
      expect(sentence).toMatch(/permission denied/i);
      expect(sentence).not.toContain("\n");
      // The next start succeeds like a first one.
      await chmod(join(directory, "postgres"), 0o700);
      expect(
        await failureOf({ ROWHOUSE_DATA_DIR: directory, ROWHOUSE_ADMIN_PASSWORD: "short" }),
      ).toMatch(/ROWHOUSE_ADMIN_PASSWORD/);
    });

    test("an embedded database that is missing, without creating a new one", async () => {
      const directory = join(folder, "missing");
      await mkdir(directory);
      await writeFile(join(directory, "postgres-place"), "postgres");
      expect(await failureOf({ ROWHOUSE_DATA_DIR: directory })).toBe(
        `The embedded database in ${directory} cannot be used: an earlier start has created a database, and ${join(directory, "postgres/data")} is missing. Restore it from a backup, or choose another ROWHOUSE_DATA_DIR to start with an empty database.`,
      );
    });
  });
});
