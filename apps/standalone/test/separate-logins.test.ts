// Tier: long. Starts processes.
import { readFile } from "node:fs/promises";
import { openDatabase } from "@rowhouse/db";
import {
  type AppProcess,
  createTestDatabase,
  startApp,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "./client.ts";

// Executes the commands that docs/operations/database.md shows to a database administrator.
const root = new URL("../../../", import.meta.url);
const script = (path: string) => readFile(new URL(path, root), "utf8");
const credentials = { email: "admin@example.com", password: "correct horse battery staple" };
const administrator = {
  ROWHOUSE_ADMIN_EMAIL: credentials.email,
  ROWHOUSE_ADMIN_PASSWORD: credentials.password,
};
let server: TestDatabase;
const apps: AppProcess[] = [];
const roles = [
  ...["rowhouse_owner", "rowhouse_service", "rowhouse_system", "rowhouse_service_recorder"],
  "rowhouse_before",
];

const placeOf = (database: string, user?: string) => {
  const url = new URL(server.ownerUrl);
  url.pathname = `/${database}`;
  if (user !== undefined) [url.username, url.password] = [user, "change-me"];
  return url.href;
};
const asSuperuser = async (database: string, text: string) => {
  const pool = openDatabase({ url: placeOf(database), applicationName: "dba", connectionsMax: 1 });
  try {
    for (const statement of statementsOf(text)) await pool.query(statement);
  } finally {
    await pool.close();
  }
};
/** PostgreSQL creates a database only outside of a transaction, and therefore not in a text of several statements. */
const statementsOf = (text: string) =>
  text.includes("create database")
    ? text.split(/;\n/).filter((part) => /^[a-z]/m.test(part))
    : [text];
const start = async (environment: Record<string, string>) => {
  const app = await startApp("standalone", {
    ...administrator,
    LOG_LEVEL: "info",
    ...environment,
  });
  apps.push(app);
  return app;
};
const two = (database: string) => ({
  DATABASE_URL: placeOf(database, "rowhouse_service"),
  MIGRATIONS_DATABASE_URL: placeOf(database, "rowhouse_owner"),
});
const three = (database: string) => ({
  ...two(database),
  SYSTEM_DATABASE_URL: placeOf(database, "rowhouse_system"),
});
const dropAll = async () => {
  for (const database of ["rowhouse", "rowhouse_before"])
    await asSuperuser("postgres", `drop database if exists ${database} with (force)`);
  for (const role of roles) await asSuperuser("postgres", `drop role if exists ${role}`);
};
const signIn = async (app: AppProcess) => {
  const client = createClient(app);
  const answer = await client.ask("POST", "/api/auth/login", { body: credentials });
  expect(answer.status).toBe(200);
  return (...[method, path, data]: [string, string, unknown?]): ReturnType<Client["ask"]> =>
    client.ask(method, path, {
      as: answer.body.data.token,
      ...(data === undefined ? {} : { body: { data } }),
    });
};

beforeAll(async () => {
  server = await createTestDatabase({ login: "owner" });
  await asSuperuser("postgres", await script("infra/postgres/logins.sql"));
});
afterAll(async () => {
  for (const app of apps) await app.stop();
  await dropAll();
  await server.drop();
});

describe("with the logins of logins.sql", () => {
  test("an empty database becomes the service's, which administers its tables, with and without event triggers", async () => {
    const app = await start(three("rowhouse"));
    expect(app.output()).not.toContain("can act as an administrator");
    const ask = await signIn(app);
    const columns = [
      { name: "id", dataType: "bigint", identity: "ALWAYS", primaryKey: true },
      { name: "name", dataType: "text" },
    ];
    const create = async (name: string) => {
      const made = await ask("POST", "/admin/api/schema/public/tables", { name, columns });
      expect([name, made.status]).toEqual([name, 201]);
      await ask("PATCH", `/admin/api/resources/${made.body.data.resourceId}`, {
        exposedMethods: ["GET", "POST"],
      });
      const row = await ask("POST", `/api/public/table/${name}`, { name: "one" });
      expect([name, row.status]).toEqual([name, 201]);
    };
    await create("before");
    await asSuperuser("rowhouse", await script("infra/postgres/event-triggers.sql"));
    await create("after");
    const owners = openDatabase({ url: placeOf("rowhouse"), applicationName: "dba" });
    const rows = await owners.query(
      `select distinct relnamespace::regnamespace::text as schema, relowner::regrole::text as owner from pg_class
       where relnamespace in ('public'::regnamespace, 'system'::regnamespace, to_regnamespace('rowhouse_queue')) order by 1`,
    );
    await owners.close();
    expect(rows).toEqual([
      { schema: "public", owner: "rowhouse_service" },
      { schema: "rowhouse_queue", owner: "rowhouse_system" },
      { schema: "system", owner: "rowhouse_owner" },
    ]);

    // A missing privilege of the service's login is reported as such, and has no other effect.
    await asSuperuser("rowhouse", "create table public.foreign_to_it (id int primary key)");
    const tables = await ask("GET", "/admin/api/resources?limit=200");
    const { id } = tables.body.data.find(
      (found: { name: string }) => found.name === "foreign_to_it",
    );
    await ask("PATCH", `/admin/api/resources/${id}`, { exposedMethods: ["GET"] });
    const unreadable = await ask("GET", "/api/public/table/foreign_to_it");
    expect([unreadable.status, unreadable.body.errors[0].message]).toEqual([
      403,
      "The database does not let the service do this",
    ]);
    const console = await ask("POST", "/admin/api/sql", { sql: "select 1" });
    expect(console.status).toBe(503);
    expect(console.body.errors[0].message).toContain("SQL_CONSOLE_URL");
    await app.stop();
  });

  test("a service without the privilege to migrate reports it and exits", async () => {
    await expect(
      start({
        ...three("rowhouse"),
        MIGRATIONS_DATABASE_URL: placeOf("rowhouse", "rowhouse_service"),
      }),
    ).rejects.toThrow("The login of MIGRATIONS_DATABASE_URL does not own the schema system");
  });

  test.each([
    ["a login without further privileges", "nosuperuser"],
    // As the only login of compose.yaml.
    ["a superuser", "superuser"],
  ])("a database whose objects %s created is handed over and stays usable", async (_, rights) => {
    await asSuperuser(
      "postgres",
      `drop database if exists rowhouse_before with (force);
drop role if exists rowhouse_before;
create role rowhouse_before login ${rights} password 'change-me';
create database rowhouse_before owner rowhouse_before;
`,
    );
    const one = await start({ DATABASE_URL: placeOf("rowhouse_before", "rowhouse_before") });
    const ask = await signIn(one);
    const columns = [
      { name: "id", dataType: "bigint", identity: "ALWAYS", primaryKey: true },
      { name: "name", dataType: "text" },
    ];
    const made = await ask("POST", "/admin/api/schema/public/tables", { name: "kept", columns });
    const { resourceId } = made.body.data;
    const exposedMethods = ["GET", "POST"];
    await ask("PATCH", `/admin/api/resources/${resourceId}`, { exposedMethods });
    expect((await ask("POST", "/api/public/table/kept", { name: "one" })).status).toBe(201);
    await one.stop();

    await asSuperuser("rowhouse_before", await script("packages/db/operations/hand-over.sql"));
    await expect(start(two("rowhouse_before"))).rejects.toThrow("SYSTEM_DATABASE_URL is missing");
    const handed = await start(three("rowhouse_before"));
    const again = await signIn(handed);
    expect((await again("GET", "/api/public/table/kept")).body.data).toEqual([
      { id: "1", name: "one" },
    ]);
    const altered = await again("PATCH", `/admin/api/schema/public/tables/kept`, {
      changes: [{ kind: "addColumn", name: "note", dataType: "text" }],
    });
    expect(altered.status).toBe(200);
    const triggers = openDatabase({
      url: placeOf("rowhouse_before"),
      applicationName: "test",
      connectionsMax: 1,
    });
    const enabled = await triggers.query(
      "select evtenabled::text as enabled from pg_event_trigger where evtname like 'rowhouse_after_%'",
    );
    expect(enabled).toEqual(rights === "superuser" ? [{ enabled: "A" }, { enabled: "A" }] : []);
    // Later changes of another client are detected.
    await triggers.query("create table public.made_later (id int primary key)");
    await triggers.close();
    const found = await again("GET", "/admin/api/resources?search=made_later");
    expect(found.body.data).toHaveLength(1);
    await handed.stop();
  });

  test("two logins become three while a process serves, and two again", async () => {
    await dropAll();
    await asSuperuser(
      "postgres",
      `create role rowhouse_owner login password 'change-me';
create role rowhouse_service login password 'change-me';
create database rowhouse owner rowhouse_owner;
`,
    );
    const before = await start(two("rowhouse"));
    const ask = await signIn(before);
    const columns = [{ name: "id", dataType: "bigint", identity: "ALWAYS", primaryKey: true }];
    const made = await ask("POST", "/admin/api/schema/public/tables", { name: "kept", columns });
    expect(made.status).toBe(201);
    await ask("PATCH", `/admin/api/resources/${made.body.data.resourceId}`, {
      exposedMethods: ["GET", "POST"],
    });

    await asSuperuser("rowhouse", await script("infra/postgres/system-login.sql"));
    const after = await start(three("rowhouse"));
    expect(after.output()).toContain("can act as an administrator");
    const askAfter = await signIn(after);
    for (const each of [ask, askAfter]) {
      expect((await each("POST", "/api/public/table/kept", {})).status).toBe(201);
    }
    const close = async () =>
      asSuperuser("rowhouse", await script("infra/postgres/close-service.sql"));
    await expect(close()).rejects.toThrow(
      "These processes have no SYSTEM_DATABASE_URL: standalone",
    );
    await before.stop();
    await close();
    expect((await askAfter("POST", "/api/public/table/kept", {})).status).toBe(201);
    const altered = await askAfter("PATCH", "/admin/api/schema/public/tables/kept", {
      changes: [{ kind: "addColumn", name: "note", dataType: "text" }],
    });
    expect(altered.status).toBe(200);
    await after.stop();
    const closed = await start(three("rowhouse"));
    expect(closed.output()).not.toContain("can act as an administrator");
    const askClosed = await signIn(closed);
    const facts = await askClosed("GET", "/admin/api/database-server");
    expect(facts.body.data.codeMayAdminister).toBe(false);
    expect((await askClosed("POST", "/api/public/table/kept", { note: "x" })).status).toBe(201);
    await expect(start(two("rowhouse"))).rejects.toThrow("SYSTEM_DATABASE_URL is missing");

    await asSuperuser("rowhouse", await script("infra/postgres/open-service.sql"));
    const opened = await start(two("rowhouse"));
    const askOpened = await signIn(opened);
    for (const each of [askClosed, askOpened]) {
      expect((await each("POST", "/api/public/table/kept", { note: "y" })).status).toBe(201);
    }
    const openFacts = await askOpened("GET", "/admin/api/database-server");
    expect(openFacts.body.data.codeMayAdminister).toBe(true);
    await closed.stop();
    await opened.stop();
  });
});
