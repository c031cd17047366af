import type { Database } from "@rowhouse/db";
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, grant } from "./engine.ts";

let test: TestDatabase;
let user: TestUser;
let client: ReturnType<typeof createClient>;
const statements: string[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  // Records the statements of the pool and executes them unchanged.
  const database: Database = {
    ...test.database,
    get service() {
      return this;
    },
    query: (text, parameters, options) => {
      statements.push(text);
      return test.database.query(text, parameters, options);
    },
  };
  client = createClient(database);
  const roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  await test.database.query(
    "create table public.notes (id bigint generated always as identity primary key, owner uuid, body text)",
  );
  // Created while the table is empty: an index over updated rows is not used while older transactions run.
  await test.database.query("create index on public.notes (body)");
  await expose(test.database, "public", "notes", "GET", "POST", "PATCH", "DELETE");
  const own = { owner: { _eq: "$USER.id" } };
  for (const action of ["READ", "CREATE", "UPDATE", "DELETE"] as const) {
    await grant(test.database, client.snapshots, roleId, "public/notes", {
      action,
      rowFilter: own,
    });
  }
  await client.list(user, "public/notes");
});
afterAll(() => test.drop());

/** The statements of one request. */
async function statementsOf(work: () => Promise<{ status: number }>): Promise<string[]> {
  statements.length = 0;
  expect((await work()).status).toBeLessThan(300);
  return [...statements];
}

describe("one statement a request", () => {
  it("lists", async () => {
    const sent = await statementsOf(() =>
      client.list(
        user,
        "public/notes",
        "where[body][_regex]=x&order_by=-body&limit=5&offset=2&count=exact",
      ),
    );
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchSnapshot();
  });

  it("a create, read, update and delete each send one statement", async () => {
    const data = { owner: user.id, body: "one" };
    const created = await statementsOf(() => client.create(user, "public/notes", data));
    const read = await statementsOf(() => client.read(user, "public/notes", "1"));
    const updated = await statementsOf(() =>
      client.update(user, "public/notes", "1", { body: "two" }),
    );
    const deleted = await statementsOf(() => client.remove(user, "public/notes", "1"));
    for (const sent of [created, read, updated, deleted]) expect(sent).toHaveLength(1);
    expect([...created, ...read, ...updated, ...deleted]).toMatchSnapshot();
  });

  it("a filter uses an index under a row filter", async () => {
    await test.database.query(
      "insert into public.notes (owner, body) select gen_random_uuid(), g::text from generate_series(1, 5000) g",
    );
    await test.database.query("analyze public.notes");
    await client.list(user, "public/notes");
    const [text] = await statementsOf(() =>
      client.list(user, "public/notes", "where[body][_eq]=77"),
    );
    const plan = await test.database.transaction(async (transaction) => {
      await transaction.query(`prepare probe as ${text}`);
      const parameters = Array.from({ length: 5 }, () => "'1'").join();
      return transaction.query<{ "QUERY PLAN": string }>(`explain execute probe(${parameters})`);
    });
    expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain("notes_body_idx");
  });
});
