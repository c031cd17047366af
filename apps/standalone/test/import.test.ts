// Tiers: usual, all, topologies. The other tiers also run it on several processes.
import {
  createTestDatabase,
  signIn,
  startTestEnvironment,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// An existing database: 600 tables and 50 views in ten schemas that other clients created.
const schemas = Array.from({ length: 10 }, (_, index) => `area ${index}`);
const tablesOfEach = 60;
const viewsOfEach = 5;

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  await test.database.query("drop schema system cascade");
  await buildForeignDatabase();
});
afterAll(() => test.drop());

async function buildForeignDatabase(): Promise<void> {
  const statements = schemas.flatMap((schema, area) => {
    const table = (number: number) => `"${schema}".table_${String(number).padStart(2, "0")}`;
    return [
      `create schema "${schema}"`,
      `create type "${schema}".state as enum ('OPEN', 'DONE')`,
      ...Array.from({ length: tablesOfEach }, (_, number) => [
        `create table ${table(number)} (
           id bigint generated always as identity primary key, name text not null unique, state "${schema}".state,
           amount numeric(12, 2) check (amount >= 0), at timestamptz default now(), doc jsonb, tags text[],
           parent_id bigint ${number === 0 ? "" : `references ${table(number - 1)}`},
           other_id bigint ${area === 0 ? "" : `references "${schemas[area - 1]}".table_00`})`,
        `create index on ${table(number)} (at)`,
        `comment on table ${table(number)} is 'Table ${number} of ${schema}'`,
      ]).flat(),
      ...Array.from(
        { length: viewsOfEach },
        (_, number) =>
          `create view "${schema}".view_${number} as
           select t.id, t.name, p.name as parent, t.amount * 2 as twice
           from ${table(number + 1)} t left join ${table(number)} p on p.id = t.parent_id`,
      ),
    ];
  });
  await test.database.transaction(async (transaction) => {
    await transaction.query("set local statement_timeout = 0");
    for (const statement of statements) await transaction.query(statement);
  });
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

/** Starts the service on the database, and returns a function that sends requests as its administrator. */
async function open(databaseUrl: string) {
  // The database stays when the service stops.
  const app = await startTestEnvironment({
    test: { ...test, url: databaseUrl, drop: async () => {} },
  });
  const send = async (method: string, path: string, body?: unknown, token?: string) => {
    const response = await fetch(`${app.url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() } as Answer;
  };
  const signedIn = await send("POST", "/api/auth/login", signIn);
  const { token } = signedIn.body.data;
  const ask = (method: string, path: string, data?: unknown) =>
    send(method, path, data === undefined ? undefined : { data }, token);
  return { app, ask };
}

async function expectImported(
  ask: (method: string, path: string, data?: unknown) => Promise<Answer>,
) {
  const all = await ask("GET", "/admin/api/resources?limit=1000");
  const own = all.body.data.filter((item: { schema: string }) => item.schema !== "system");
  expect(own).toHaveLength(schemas.length * (tablesOfEach + viewsOfEach));
  expect(new Set(own.map((item: { schema: string }) => item.schema))).toEqual(new Set(schemas));
  expect(own.every((item: { exposedMethods: string[] }) => item.exposedMethods.length === 0)).toBe(
    true,
  );

  const found = await ask("GET", "/admin/api/resources?schema=area%203&search=table_07");
  const [{ id }] = found.body.data;
  const table = await ask("GET", `/admin/api/resources/${id}`);
  expect(table.body.data).toMatchObject({
    schema: "area 3",
    primaryKey: ["id"],
    comment: "Table 7 of area 3",
    uniqueKeys: [["id"], ["name"]],
  });
  const names = table.body.data.relations.map((item: { name: string }) => item.name);
  expect(names).toEqual(expect.arrayContaining(["parent", "other", "table_08"]));
  const [view] = (await ask("GET", "/admin/api/resources?schema=area%203&search=view_2")).body.data;
  const columns = await ask("GET", `/admin/api/resources/${view.id}/columns`);
  expect(
    columns.body.data.map((column: { source: { column: string } | null }) => column.source?.column),
  ).toEqual(["id", "name", "name", undefined]);

  // It is used with its types, without further definitions.
  await ask("PATCH", `/admin/api/resources/${id}`, { exposedMethods: ["GET", "POST"] });
  const made = await ask("POST", "/api/area%203/table/table_07", { name: "first", state: "OPEN" });
  expect(made.status).toBe(201);
  const read = await ask("GET", "/api/area%203/table/table_07?fields=name,state,parent_id");
  expect(read.body.data).toEqual([{ name: "first", state: "OPEN", parent_id: null }]);
}

describe("a database with 600 tables in ten schemas", () => {
  it("is imported by DATABASE_URL alone, completely hidden, and usable at once", async () => {
    const { app, ask } = await open(test.url);
    try {
      await expectImported(ask);
      // Objects that another client creates are present on the next request.
      await test.database.query('create table "area 9".late (id int primary key)');
      const late = await ask("GET", "/admin/api/resources?search=9.late");
      expect(late.body.data).toHaveLength(1);
    } finally {
      await app.stop();
    }
  });

  it("is imported under a login without the privilege for event triggers as well", async () => {
    const url = new URL(test.url);
    const run = (text: string) => test.database.query(text);
    const login = `importer_${url.pathname.slice(1)}`;
    await run("drop schema system cascade");
    await run("drop schema if exists rowhouse_queue cascade");
    await run(`create role ${login} login password 'importer'`);
    try {
      await run(`grant create on database ${url.pathname.slice(1)} to ${login}`);
      await run('drop table if exists "area 9".late');
      await run('truncate "area 3".table_07 cascade');
      for (const schema of schemas) {
        await run(`grant all on schema "${schema}" to ${login}`);
        await run(`grant all on all tables in schema "${schema}" to ${login}`);
        await run(`grant all on all sequences in schema "${schema}" to ${login}`);
      }
      url.username = login;
      url.password = "importer";
      const { app, ask } = await open(url.href);
      try {
        await expectImported(ask);
        await run('create table "area 9".late (id int primary key)');
        const late = await ask("GET", "/admin/api/resources?search=9.late");
        expect(late.body.data).toHaveLength(1);
      } finally {
        await app.stop();
      }
    } finally {
      await run(`drop owned by ${login} cascade`);
      await run(`drop role ${login}`);
    }
  });
});
