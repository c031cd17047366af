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
let client: ReturnType<typeof createClient>;
let user: TestUser;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  const roleId = await createRole(test.database, "Readers");
  user = await createUser(test.database, "reader@example.com", "Readers");
  await test.database.query(
    "create table public.events (id int primary key, at timestamptz, on_day date)",
  );
  await expose(test.database, "public", "events", "GET");
  await grant(test.database, client.snapshots, roleId, "public/events", { action: "READ" });
});
afterAll(() => test.drop());

const ids = async (query: string, timeZone?: string): Promise<string> => {
  const answer = await client.list(user, "public/events", `${query}&fields=id`, timeZone);
  expect(answer.status).toBe(200);
  return (answer.body as { data: { id: number }[] }).data.map((row) => row.id).join();
};

/**
 * Inserts rows at the limits of today in a time zone: just before its start, at its start, just before its end, at its
 * end.
 */
async function placeEdges(timeZone: string): Promise<void> {
  await test.database.query("truncate public.events");
  await test.database.query(
    `insert into public.events (id, at)
     select n, (date_trunc('day', now() at time zone $1::text) + shift) at time zone $1::text
     from (values (1, interval '-1 microsecond'), (2, interval '0'), (3, interval '1 day' - interval '1 microsecond'), (4, interval '1 day')) v (n, shift)`,
    [timeZone],
  );
}

describe("a period", () => {
  it("a period is half-open, and each operator compares with the whole interval", async () => {
    await placeEdges("UTC");
    expect(await ids("where[at][_eq]=$PERIOD.today")).toBe("2,3");
    expect(await ids("where[at][_neq]=$PERIOD.today")).toBe("1,4");
    expect(await ids("where[at][_lt]=$PERIOD.today")).toBe("1");
    expect(await ids("where[at][_lte]=$PERIOD.today")).toBe("1,2,3");
    expect(await ids("where[at][_gt]=$PERIOD.today")).toBe("4");
    expect(await ids("where[at][_gte]=$PERIOD.today")).toBe("2,3,4");
    expect(await ids("where[at][_eq]=$PERIOD.yesterday")).toBe("1");
    expect(await ids("where[at][_eq]=$PERIOD.tomorrow")).toBe("4");
    expect(await ids("where[at][_lte]=$NOW")).toContain("1,2");
  });

  it("a period uses the user's time zone, else that of the instance, else that of the request", async () => {
    await placeEdges("Pacific/Auckland");
    expect(await ids("where[at][_eq]=$PERIOD.today", "Pacific/Auckland")).toBe("2,3");
    expect(await ids("where[at][_eq]=$PERIOD.today")).not.toBe("2,3");
    await test.database.query(
      `insert into system.settings (key, value) values ('system.timezone', '"Pacific/Auckland"')`,
    );
    expect(await ids("where[at][_eq]=$PERIOD.today", "America/New_York")).toBe("2,3");
    await placeEdges("America/New_York");
    await test.database.query(
      `update system.users set time_zone = 'America/New_York' where id = '${user.id}'`,
    );
    expect(await ids("where[at][_eq]=$PERIOD.today", "Asia/Tokyo")).toBe("2,3");
    await test.database.query("update system.users set time_zone = null");
    await test.database.query("delete from system.settings");
  });

  it("a period applies to dates without a conversion", async () => {
    await test.database.query("truncate public.events");
    await test.database.query(
      `insert into public.events (id, on_day) select 1 + d, (now() at time zone 'UTC')::date - d from generate_series(0, 10) d`,
    );
    expect(await ids("where[on_day][_eq]=$PERIOD.last_7_days")).toBe("1,2,3,4,5,6,7");
    expect(await ids("where[on_day][_eq]=$PERIOD.today")).toBe("1");
  });
});
