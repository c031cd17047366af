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
let member: TestUser;
let number = 0;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  await test.database.query(`
    create table orders (id int primary key, day date, at timestamptz, local timestamp, built int, note text, raw jsonb);
    insert into orders values
      (1, '2024-12-30', '2024-12-29T23:30:00Z', '2024-12-29 23:30', 2024, 'a', '{"day": "2024-12-30"}'),
      (2, '2024-06-15', '2024-06-15T10:00:00Z', '2024-06-15 10:00', 2025, 'b', '1'),
      (3, 'infinity', '-infinity', 'infinity', null, 'c', null),
      (4, null, null, null, 2024, 'd', null)`);
  await expose(test.database, "public", "orders", "GET", "POST", "PATCH");
  member = await person({});
});
afterAll(() => test.drop());

async function person(input: Partial<Parameters<typeof grant>[4]>): Promise<TestUser> {
  number += 1;
  const role = await createRole(test.database, `Role ${number}`);
  await grant(test.database, client.snapshots, role, "public/orders", { action: "READ", ...input });
  return createUser(test.database, `user-${number}@example.com`, `Role ${number}`);
}

const list = (user: TestUser, where: unknown, zone?: string) =>
  client.list(
    user,
    "public/orders",
    `fields=id&order_by=id&where=${encodeURIComponent(JSON.stringify(where))}`,
    zone,
  );
const ids = async (...args: Parameters<typeof list>) => {
  const { status, body } = await list(...args);
  if (status !== 200) return body;
  return (body as { data: { id: number }[] }).data.map(({ id }) => id).join();
};

describe("a condition on a part of a date", () => {
  it.each([
    [{ day: { _part: { weekday: { _eq: 1 } } } }, "1"],
    [{ day: { _part: { week: { _eq: 1 } } } }, "1"],
    [{ day: { _part: { year: { _eq: 2024 }, quarter: { _in: [1, 2] } } } }, "2"],
    [{ day: { _part: { month: { _between: [6, 11] } } } }, "2"],
    [{ day: { _part: { day: { _neq: 15 } } } }, "1"],
    [{ day: { _part: { hour: { _eq: 0 } } } }, "1,2"],
    [{ local: { _part: { hour: { _gte: 20 } } } }, "1"],
    [{ at: { _part: { weekday: { _nin: [6] } } } }, "1"],
    [{ _not: { at: { _part: { weekday: { _eq: 6 } } } } }, "1"],
    [{ at: { _part: { year: { _null: true } } } }, "3,4"],
    [{ at: { _part: { year: { _eq: "$FIELD.built" } } } }, "1"],
    [{ built: { _gt: 2000 }, day: { _gt: "2024-07-01", _part: { year: { _eq: 2024 } } } }, "1"],
  ])("%j", async (where, expected) => {
    expect(await ids(member, where)).toBe(expected);
  });

  it("has the values of the caller's time zone", async () => {
    const onMonday = { at: { _part: { weekday: { _eq: 1 } } } };
    const late = { at: { _part: { hour: { _eq: 23 } } } };
    expect(await ids(member, onMonday, "UTC")).toBe("");
    expect(await ids(member, onMonday, "Europe/Oslo")).toBe("1");
    expect(await ids(member, late, "UTC")).toBe("1");
    expect(await ids(member, late, "Europe/Oslo")).toBe("");
  });

  it("can be written in brackets", async () => {
    const query = "fields=id&where[day][_part][weekday][_in]=1,2";
    expect(await client.list(member, "public/orders", query)).toMatchObject({
      body: { data: [{ id: 1 }] },
    });
  });

  it.each([
    [{ day: { _part: { decade: { _eq: 1 } } } }, "QUERY_INVALID", "where[day][_part][decade]"],
    [{ day: { _part: { weekday: 1 } } }, "QUERY_INVALID", "where[day][_part][weekday]"],
    [{ day: { _part: [] } }, "QUERY_INVALID", "where[day][_part]"],
    [
      { day: { _part: { weekday: { _near: 1 } } } },
      "QUERY_INVALID",
      "where[day][_part][weekday][_near]",
    ],
    [
      { day: { _part: { weekday: { _like: "1" } } } },
      "QUERY_INVALID",
      "where[day][_part][weekday][_like]",
    ],
    [
      { day: { _part: { weekday: { _eq: "$NOW" } } } },
      "QUERY_INVALID",
      "where[day][_part][weekday][_eq]",
    ],
    [{ day: { _part: { year: { _eq: "x" } } } }, "VALUE_INVALID", "where[day][_part][year][_eq]"],
    [{ note: { _part: { year: { _eq: 1 } } } }, "QUERY_INVALID", "where[note][_part][year][_eq]"],
    [{ raw: { _part: { year: { _eq: 1 } } } }, "QUERY_INVALID", "where[raw][_part][year][_eq]"],
    [{ secret: { _part: { year: { _eq: 1 } } } }, "FIELD_UNKNOWN", "where[secret]"],
  ])("%j is refused", async (where, code, path) => {
    expect(await list(member, where)).toMatchObject({
      status: 400,
      body: { errors: [{ code, path }] },
    });
  });

  it("in a grant restricts the rows, and the new values", async () => {
    const user = await person({ rowFilter: { day: { _part: { weekday: { _eq: 6 } } } } });
    expect(await ids(user, {})).toBe("2");
    await grant(test.database, client.snapshots, await roleOf(user), "public/orders", {
      action: "CREATE",
      check: { day: { _part: { weekday: { _in: [6, 7] } } } },
    });
    const create = (day: string) => client.create(user, "public/orders", { id: 9, day });
    expect(await create("2024-06-17")).toMatchObject({ status: 403 });
    expect(await create("2024-06-16")).toMatchObject({ status: 201 });
    await test.database.query("delete from orders where id = 9");
  });

  it("evaluates no row that the reader may not see", async () => {
    await test.database.query(
      "insert into orders values (10, null, '294276-12-31T23:59:59Z', null, null, 'far', null)",
    );
    const user = await person({ rowFilter: { id: { _lt: 10 } } });
    const where = { at: { _part: { year: { _gt: 2000 } } } };
    expect(await ids(user, where, "Etc/GMT-14")).toBe("1,2");
    expect(await ids(user, { local: { _lte: "$FIELD.at" } }, "Etc/GMT-14")).toBe("1,2");
    await test.database.query("delete from orders where id = 10");
  });
});

async function roleOf({ id }: TestUser): Promise<string> {
  const [row] = await test.database.query<{ id: string }>(
    `select r.id from system.roles r join system.grants g on g.role_id = r.id
     join system.role_members m on m.role_id = r.id where m.user_id = $1::text::uuid limit 1`,
    [id],
  );
  return row?.id ?? "";
}
