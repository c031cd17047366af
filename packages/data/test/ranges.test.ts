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
    create type mood as enum ('glad', 'sad', 'NULL');
    create domain numbers as int[] check (cardinality(value) < 3);
    create table rentals (id int primary key, during tstzrange, stay stay, seats int4range, weeks datemultirange,
      own floats, ranges int4range[], asked int, on_day date, at timestamptz, tags text[],
      moods mood[], bytes bytea[], grid int[], sizes numbers, words text[]);
    insert into rentals values
      (1, '[2024-01-01T00:00Z,2024-02-01T00:00Z)', '[2024-01-01,2024-02-01)', '[1,5)', '{[2024-01-01,2024-01-08)}', '[1,2]',
        '{"[1,2)"}', 4, '2024-01-31', '2024-02-01T00:00Z', '{a,b}',
        '{sad,glad}', '{"\\\\x0102"}', '{{1,2},{3,4}}', '{1,2}', array['a,b', '"', '\\', '$NOW', 'NULL']),
      (2, '[2024-02-01T00:00Z,)', '[2024-02-01,)', '[5,9)', '{[2024-01-01,2024-01-08),[2024-02-01,2024-02-08)}', '[3,4]',
        '{}', 4, '2024-01-31', '2024-02-01T00:00Z', '{a}',
        null, '{}', null, '{3}', null),
      (3, 'empty', 'empty', 'empty', '{}', 'empty', null, 1, '2024-01-01', null, '{}', null, null, null, null, null),
      (4, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null)`);
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

describe("a condition on an array", () => {
  it.each([
    [{ tags: { _in: [["a", "b"], []] } }, "1,3"],
    [{ tags: { _in: ["{a,b}", '{"a"}'] } }, "1,2"],
    [
      {
        tags: {
          _nin: [
            ["a", "b"],
            ["b", "a"],
          ],
        },
      },
      "2,3",
    ],
    [{ tags: { _in: [] } }, ""],
    [{ tags: { _nin: [] } }, "1,2,3,4"],
    [{ tags: { _in: [["a", null]] } }, ""],
    [{ _not: { tags: { _in: [["a"]] } } }, "1,3"],
    [{ _or: [{ tags: { _in: [["a"]] } }, { id: { _eq: 4 } }] }, "2,4"],
    [{ tags: { _eq: ["a", "b"] } }, "1"],
    [{ tags: { _neq: ["a", "b"] } }, "2,3"],
    [{ tags: { _gt: ["a"] } }, "1"],
    [{ tags: { _between: [[], ["a"]] } }, "2,3"],
    [{ ranges: { _in: [["[1,2)"], ["[3,4)"]] } }, "1"],
    [{ moods: { _in: [["sad", "glad"], ["NULL"]] } }, "1"],
    [{ bytes: { _in: [["AQI="], []] } }, "1,2"],
    [
      {
        grid: {
          _in: [
            [
              ["1", "2"],
              ["3", "4"],
            ],
          ],
        },
      },
      "1",
    ],
    [{ sizes: { _in: [[1, 2], [3]] } }, "1,2"],
    [{ words: { _in: [["a,b", '"', "\\", "$NOW", "NULL"]] } }, "1"],
  ])("%j", async (where, expected) => {
    expect(await ids(where)).toBe(expected);
  });

  it.each([
    ["where[tags][_in]={a,b},{}", "1,3"],
    ["where[tags][_in][0]={a,b}&where[tags][_in][1]={}", "1,3"],
    ["where[tags][_nin]={a,b}", "2,3"],
    ["where[tags][_in]=", "invalid"],
    ["where[tags][_in]={a,b", "invalid"],
    ["where[tags][_in]=a,b", "invalid"],
    [`where[words][_in]=${encodeURIComponent('{"a,b","\\"","\\\\","$NOW","NULL"},{}')}`, "1"],
  ])("%s", async (query, expected) => {
    const answer = await client.list(member, "public/rentals", `fields=id&order_by=id&${query}`);
    const body = answer.body as { data?: { id: number }[]; errors?: { code: string }[] };
    expect(body.data?.map(({ id }) => id).join() ?? "invalid").toBe(expected);
    if (body.errors !== undefined) {
      expect(body.errors).toMatchObject([{ code: "VALUE_INVALID", path: "where[tags][_in]" }]);
    }
  });

  it.each([
    [{ tags: { _in: "{a}" } }, "QUERY_INVALID"],
    [{ tags: { _in: [null] } }, "QUERY_INVALID"],
    [{ tags: { _in: [[{}]] } }, "QUERY_INVALID"],
    [{ tags: { _in: [["\0"]] } }, "QUERY_INVALID"],
    [{ tags: { _in: [[["a"], "b"]] } }, "QUERY_INVALID"],
    [{ tags: { _in: [[[[[[[["a"]]]]]]]] } }, "QUERY_INVALID"],
    [{ tags: { _in: ["a"] } }, "VALUE_INVALID"],
    [{ tags: { _in: ["{a"] } }, "VALUE_INVALID"],
    [{ tags: { _has: ["a"] } }, "QUERY_INVALID"],
    [{ asked: { _in: [[1]] } }, "QUERY_INVALID"],
    [{ asked: { _eq: [1] } }, "QUERY_INVALID"],
    [{ asked: { _between: [[1], 2] } }, "QUERY_INVALID"],
    [{ seats: { _contains_value: [1] } }, "QUERY_INVALID"],
    [{ seats: { _overlaps: ["[1,2]"] } }, "QUERY_INVALID"],
    [{ on_day: { _part: { year: { _in: [[1]] } } } }, "QUERY_INVALID"],
    [{ sizes: { _in: [[1], ["x"]] } }, "VALUE_INVALID"],
    [{ sizes: { _in: [[1], [[1, 2], [3]]] } }, "VALUE_INVALID"],
    [{ moods: { _in: [["angry"]] } }, "VALUE_INVALID"],
    [{ bytes: { _in: [["?"]] } }, "VALUE_INVALID"],
  ])("%j is refused", async (where, code) => {
    expect(await list(where)).toMatchObject({
      status: 400,
      body: { errors: [{ code, path: expect.stringMatching(/^where\[/) }] },
    });
  });

  it("in a grant restricts the rows and what is written", async () => {
    const role = await createRole(test.database, "Tagged");
    const target = "public/rentals";
    await grant(test.database, client.snapshots, role, target, {
      action: "READ",
      rowFilter: { tags: { _in: [["a"], ["a", "b"]] } },
    });
    await grant(test.database, client.snapshots, role, target, {
      action: "CREATE",
      check: { tags: { _nin: [["x"], ["y", "z"]] } },
    });
    const guest = await createUser(test.database, "tagged@example.com", "Tagged");
    expect(await ids({}, guest)).toBe("1,2");
    expect(await ids({ tags: { _nin: [["a"]] } }, guest)).toBe("1");
    const create = (tags: unknown) =>
      client.create(guest, target, { id: 90, tags }).then(({ status }) => status);
    expect(await create(["y", "z"])).toBe(403);
    expect(await create(["a"])).toBe(201);
    await test.database.query("delete from rentals where id = 90");
    await expect(
      grant(test.database, client.snapshots, role, target, {
        action: "READ",
        rowFilter: { sizes: { _in: [[1], ["x"]] } },
      }),
    ).rejects.toMatchObject({
      faults: [{ code: "VALUE_INVALID", path: expect.stringContaining("sizes") }],
    });
  });

  it("answers alike for an impossible value, whether the hidden rows exist or not", async () => {
    const role = await createRole(test.database, "Blind");
    await grant(test.database, client.snapshots, role, "public/rentals", {
      action: "READ",
      rowFilter: { id: { _lt: 0 } },
    });
    const blind = await createUser(test.database, "blind@example.com", "Blind");
    const where = { sizes: { _in: [[1], ["x"]] } };
    const before = await list(where, blind);
    expect(before).toMatchObject({ status: 400, body: { errors: [{ code: "VALUE_INVALID" }] } });
    await test.database.query("create table saved as table rentals; truncate rentals");
    expect(await list(where, blind)).toEqual(before);
    await test.database.query("insert into rentals select * from saved; drop table saved");
  });
});
