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

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  await test.database.query(`
    create type floats as range (subtype = float8);
    create domain stay as daterange;
    create table rentals (id int primary key, during tstzrange, stay stay, seats int4range, weeks datemultirange,
      own floats, ranges int4range[], asked int, on_day date, at timestamptz, tags text[]);
    insert into rentals values
      (1, '[2024-01-01T00:00Z,2024-02-01T00:00Z)', '[2024-01-01,2024-02-01)', '[1,5)', '{[2024-01-01,2024-01-08)}', '[1,2]',
        '{"[1,2)"}', 4, '2024-01-31', '2024-02-01T00:00Z', '{a,b}'),
      (2, '[2024-02-01T00:00Z,)', '[2024-02-01,)', '[5,9)', '{[2024-01-01,2024-01-08),[2024-02-01,2024-02-08)}', '[3,4]',
        '{}', 4, '2024-01-31', '2024-02-01T00:00Z', '{a}'),
      (3, 'empty', 'empty', 'empty', '{}', 'empty', null, 1, '2024-01-01', null, '{}'),
      (4, null, null, null, null, null, null, null, null, null, null)`);
  await expose(test.database, "public", "rentals", "GET", "POST");
  const role = await createRole(test.database, "Members");
  await grant(test.database, client.snapshots, role, "public/rentals", { action: "READ" });
  member = await createUser(test.database, "member@example.com", "Members");
});
afterAll(() => test.drop());

const list = (where: unknown, user = member) =>
  client.list(
    user,
    "public/rentals",
    `fields=id&order_by=id&where=${encodeURIComponent(JSON.stringify(where))}`,
  );
const ids = async (...args: Parameters<typeof list>) => {
  const { status, body } = await list(...args);
  if (status !== 200) return body;
  return (body as { data: { id: number }[] }).data.map(({ id }) => id).join();
};

describe("a condition on a range", () => {
  it.each([
    [{ during: { _contains_value: "2024-01-15T12:00Z" } }, "1"],
    [{ during: { _contains_value: "$NOW" } }, "2"],
    [{ during: { _contains_value: "$FIELD.at" } }, "2"],
    [{ stay: { _contains_value: "$FIELD.on_day" } }, "1"],
    [{ _not: { seats: { _contains_value: 4 } } }, "2,3"],
    [{ seats: { _contains_value: "$FIELD.asked" } }, "1"],
    [{ weeks: { _contains_value: "2024-02-02" } }, "2"],
    [{ seats: { _contains_range: "[2,3]" } }, "1"],
    [{ seats: { _contains_range: "empty" } }, "1,2,3"],
    [{ stay: { _contained_by: "[2024-01-01,2024-12-31]" } }, "1,3"],
    [{ stay: { _overlaps: "[2024-01-31,2024-02-01]" } }, "1,2"],
    [{ seats: { _adjacent: "[5,6)" } }, "1"],
    [{ weeks: { _overlaps: "{[2024-02-05,2024-02-06)}" } }, "2"],
    [{ weeks: { _adjacent: "{[2024-01-08,2024-01-09)}" } }, "1"],
    [{ own: { _overlaps: "[2,3]" } }, "1,2"],
    [{ during: { _lower: { _gte: "2024-02-01" } } }, "2"],
    [{ during: { _upper: { _null: true } } }, "2,3,4"],
    [{ seats: { _upper: { _eq: "$FIELD.asked" } } }, ""],
    [{ seats: { _lower: { _lte: "$FIELD.asked" }, _upper: { _in: [5, 9] } } }, "1"],
    [{ stay: { _lower: { _eq: "$FIELD.on_day" } } }, ""],
    [{ weeks: { _upper: { _gt: "2024-02-01" } } }, "2"],
    [{ tags: { _has_only: ["a", "c"] } }, "2,3"],
    [{ _not: { tags: { _has_only: ["a", "c"] } } }, "1"],
  ])("%j", async (where, expected) => {
    expect(await ids(where)).toBe(expected);
  });

  it("can be written in brackets", async () => {
    const answer = await client.list(
      member,
      "public/rentals",
      "fields=id&where[seats][_overlaps]=[4,4]&where[seats][_lower][_eq]=1&where[tags][_has_only]=a,b",
    );
    expect(answer.body).toEqual({ data: [{ id: 1 }] });
  });

  it.each([
    [{ asked: { _overlaps: "[1,2]" } }, "QUERY_INVALID"],
    [{ ranges: { _overlaps: "[1,2]" } }, "QUERY_INVALID"],
    [{ ranges: { _lower: { _eq: 1 } } }, "QUERY_INVALID"],
    [{ asked: { _lower: { _eq: 1 } } }, "QUERY_INVALID"],
    [{ own: { _contains_value: 1 } }, "QUERY_INVALID"],
    [{ own: { _lower: { _eq: 1 } } }, "QUERY_INVALID"],
    [{ during: { _contains_value: "$PERIOD.today" } }, "QUERY_INVALID"],
    [{ seats: { _contains_value: "$NOW" } }, "QUERY_INVALID"],
    [{ seats: { _contains_value: "$FIELD.on_day" } }, "QUERY_INVALID"],
    [{ seats: { _lower: 1 } }, "QUERY_INVALID"],
    [{ tags: { _has_only: "a" } }, "QUERY_INVALID"],
    [{ seats: { _contains_value: "x" } }, "VALUE_INVALID"],
    [{ seats: { _overlaps: "1,2" } }, "VALUE_INVALID"],
    [{ seats: { _overlaps: "[5,1]" } }, "VALUE_INVALID"],
    [{ weeks: { _contained_by: "[2024-01-01,2024-02-01)" } }, "VALUE_INVALID"],
  ])("%j is refused", async (where, code) => {
    expect(await list(where)).toMatchObject({ status: 400, body: { errors: [{ code }] } });
  });

  it("in a grant restricts the rows", async () => {
    const role = await createRole(test.database, "Guests");
    await grant(test.database, client.snapshots, role, "public/rentals", {
      action: "READ",
      rowFilter: { during: { _contains_value: "$NOW" }, seats: { _lower: { _gt: 1 } } },
    });
    const guest = await createUser(test.database, "guest@example.com", "Guests");
    expect(await ids({}, guest)).toBe("2");
    await expect(
      grant(test.database, client.snapshots, role, "public/rentals", {
        action: "READ",
        rowFilter: { seats: { _overlaps: "[5,1]" } },
      }),
    ).rejects.toMatchObject({ faults: [{ code: "VALUE_INVALID" }] });
  });
});
