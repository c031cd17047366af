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
  const app = await startApp("standalone", { ...administrator, ...environment });
  apps.push(app);
  return app;
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
  for (const database of ["rowhouse", "rowhouse_before"])
    await asSuperuser("postgres", `drop database if exists ${database} with (force)`);
  for (const role of ["rowhouse_owner", "rowhouse_service", "rowhouse_before"])
    await asSuperuser("postgres", `drop role if exists ${role}`);
  await server.drop();
});

describe("with a login for migrations and a service's login", () => {
  test("an empty database becomes the service's, which administers its tables, with and without event triggers", async () => {
    const app = await start({
      DATABASE_URL: placeOf("rowhouse", "rowhouse_service"),
      MIGRATIONS_DATABASE_URL: placeOf("rowhouse", "rowhouse_owner"),
    });
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
      { schema: "rowhouse_queue", owner: "rowhouse_service" },
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
        DATABASE_URL: placeOf("rowhouse", "rowhouse_service"),
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
    const two = await start({
      DATABASE_URL: placeOf("rowhouse_before", "rowhouse_service"),
      MIGRATIONS_DATABASE_URL: placeOf("rowhouse_before", "rowhouse_owner"),
    });
    const again = await signIn(two);
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
    await two.stop();
  });
});
