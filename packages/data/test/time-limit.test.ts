// Tier: all. Waits for time limits.
import { setTimeout as sleep } from "node:timers/promises";
import type { Database, QueryOptions } from "@rowhouse/db";
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient, grant } from "./engine.ts";
import { createExporter } from "./exporter.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let exporter: ReturnType<typeof createExporter>;
let user: TestUser;
/** How often a statement that takes long was begun. */
let begun = 0;
/** How many of them the catalogue changes for. */
let changesMax = 8;

beforeAll(async () => {
  test = await createTestDatabase();
  const database = changing(test.database);
  client = createClient(database);
  exporter = createExporter(database, client.snapshots);
  const roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  await test.database.query(`
    create view public.failing as select 1 as id, 1 / length(pg_sleep(0.7)::text) as quotient;
    create view public.endless as select 1 as id, pg_sleep(60)::text as waited;
    create table public.notes (id int primary key);
    create function public.wait() returns trigger language plpgsql as $$ begin perform pg_sleep(0.7); raise 'refused'; end $$`);
  await test.database.query(
    "create trigger wait before insert on public.notes for each row execute function public.wait()",
  );
  for (const name of ["failing", "endless"]) {
    await expose(test.database, "public", name, "GET");
    await grant(test.database, client.snapshots, roleId, `public/${name}`, { action: "READ" });
  }
  await expose(test.database, "public", "notes", "POST");
  await grant(test.database, client.snapshots, roleId, "public/notes", { action: "CREATE" });
  await test.database.query(
    `insert into system.settings (key, value) values ('data.statement_timeout_ms', '1000'), ('data.export_timeout_ms', '1000')`,
  );
});
afterAll(() => test.drop());
beforeEach(() => {
  begun = 0;
  changesMax = 8;
});

/** The same database, whose catalogue another client changes during each statement that takes long. */
function changing(database: Database): Database {
  const during = async <Result>(text: string, run: () => Promise<Result>): Promise<Result> => {
    if (!/"(?:failing|endless|notes)"/.test(text)) return run();
    begun += 1;
    if (begun > changesMax) return run();
    const [result] = await Promise.allSettled([
      run(),
      // Before the statement fails, and after it has begun.
      sleep(200).then(() =>
        database.query(
          `create table public.staging_${begun} (id int); drop table public.staging_${begun}`,
        ),
      ),
    ]);
    await database.query("select system.bump_epoch()");
    if (result.status === "rejected") throw result.reason;
    return result.value;
  };
  const watched = (queryable: Pick<Database, "query">): Pick<Database, "query"> => ({
    query: (text: string, parameters?: readonly (string | null)[], options?: QueryOptions) =>
      during(text, () => queryable.query(text, parameters, options)),
  });
  return {
    ...database,
    get service() {
      return this;
    },
    ...(watched(database) as Pick<Database, "query">),
    transaction: (work, options) =>
      database.transaction((inner) => work({ ...inner, ...watched(inner) }), options),
    stream: (text, parameters, options) => {
      const rows = database.stream(text, parameters, options);
      return {
        ...rows,
        [Symbol.asyncIterator]: () => rows,
        next: () => during(text, () => rows.next()),
        return: () => rows.return?.() ?? Promise.reject(new Error("no return")),
      };
    },
  };
}

describe("the time limit of a request", () => {
  const timedOut = { status: 504, body: { errors: [{ code: "QUERY_TIMEOUT" }] } };

  it.each([
    ["a list", () => client.list(user, "public/failing/view")],
    ["a create", () => client.create(user, "public/notes", { id: 1 })],
    [
      "a batch",
      () =>
        client.batch(user, [{ method: "POST", path: "/api/public/table/notes", data: { id: 1 } }]),
    ],
  ])("is that of all its repetitions: %s", async (_, request) => {
    expect(await request()).toMatchObject(timedOut);
    // The second of them has 0.3 of its 0.7 seconds left, or none on a busy machine.
    expect(begun).toBeLessThanOrEqual(2);
    const [row] = await test.database.query<{ rows: string }>(
      "select count(*)::text as rows from public.notes",
    );
    expect(row?.rows).toBe("0");
  });

  it("is reached by the first statement, however the catalogue changes", async () => {
    expect(await client.list(user, "public/endless/view")).toMatchObject(timedOut);
    expect(begun).toBe(1);
  });

  it("holds for exports", async () => {
    expect(await exporter.csv(user, "public/failing/view")).toMatchObject({ status: 504 });
    expect(begun).toBeLessThanOrEqual(2);
  });

  it("ends no request that is repeated in time", async () => {
    await test.database.query(
      "update system.settings set value = '30000' where key = 'data.statement_timeout_ms'",
    );
    changesMax = 1;
    expect(await client.list(user, "public/failing/view")).toMatchObject({ status: 400 });
    expect(begun).toBe(2);
  });
});
