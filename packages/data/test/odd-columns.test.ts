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
  const roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  for (const statement of [
    "create extension hstore",
    "create collation folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
    "create domain label as text collate folded",
    `create table people (id int primary key, name text collate folded, label label, kind regtype, tags hstore, n int,
       at timestamptz, "when" text)`,
    "insert into people values (1, 'Anna', 'Anna', 'integer', 'a=>1', 1, '2020-01-01', 'x')",
    "insert into people (id, name, label) values (2, 'ANNA', 'ANNA'), (3, 'Otto', 'Otto')",
    'create table codes (code text collate "C" primary key, title text)',
    "create table items (id int primary key, code text references codes)",
    "insert into codes values ('a', 'A'), ('b', 'B')",
    "insert into items values (1, 'a'), (2, 'b'), (3, null)",
  ]) {
    await test.database.query(statement);
  }
  for (const name of ["people", "codes", "items"]) {
    await expose(test.database, "public", name, "GET");
    await grant(test.database, client.snapshots, roleId, `public/${name}`, { action: "READ" });
  }
});
afterAll(() => test.drop());

const idsOf = async (name: string, query: string) => {
  const answer = await client.list(user, `public/${name}`, query);
  expect(answer).toMatchObject({ status: 200 });
  return (answer.body as { data: { id: number }[] }).data.map(({ id }) => id);
};

describe("texts with a nondeterministic collation", () => {
  it.each([
    ["_eq", "aNNa", [1, 2]],
    ["_neq", "aNNa", [3]],
    ["_in", "otto,x", [3]],
    ["_like", "An%25", [1]],
    ["_nlike", "An%25", [2, 3]],
    ["_ilike", "An%25", [1, 2]],
    ["_contains", "nn", [1]],
    ["_icontains", "nn", [1, 2]],
    ["_ncontains", "nn", [2, 3]],
    ["_starts_with", "AN", [2]],
    ["_iends_with", "to", [3]],
    ["_regex", "^An", [1]],
    ["_iregex", "^An", [1, 2]],
    ["_search", "anna", [1, 2]],
  ])(
    "equality follows the collation, and patterns match character by character: %s %s",
    async (operator, value, ids) => {
      for (const field of ["name", "label"]) {
        const query = `fields=id&order_by=id&where[${field}][${operator}]=${value}`;
        expect(await idsOf("people", query)).toEqual(ids);
      }
    },
  );

  it("texts with the collation can be searched and paged through", async () => {
    expect(await idsOf("people", "search=NN&order_by=id")).toEqual([1, 2]);
    const first = await client.list(user, "public/people", "fields=id&order_by=-name,-id&limit=2");
    const { data, meta } = first.body as { data: unknown; meta: { nextCursor: string } };
    const next = `fields=id&order_by=-name,-id&limit=2&cursor=${meta.nextCursor}`;
    expect([data, await idsOf("people", next)]).toEqual([[{ id: 3 }, { id: 2 }], [1]]);
  });

  it("texts with the collation join with texts of another collation", async () => {
    expect(await idsOf("items", "where[code.title][_eq]=B")).toEqual([2]);
    expect(await idsOf("items", "order_by=-code.title:nulls_last&limit=2")).toEqual([2, 1]);
  });
});

describe("a variable whose type does not fit", () => {
  it.each([
    ["n", "$NOW", "QUERY_INVALID"],
    ["tags", "$NOW", "QUERY_INVALID"],
    ["kind", "$NOW", "QUERY_INVALID"],
    ["n", "$USER.id", "VALUE_INVALID"],
    ["kind", "$USER.email", "VALUE_INVALID"],
    ["tags", "$USER.id", "VALUE_INVALID"],
  ])("a variable of an unsuitable type is rejected: %s with %s", async (field, variable, code) => {
    const answer = await client.list(user, "public/people", `where[${field}][_eq]=${variable}`);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ code }] } });
  });

  it("a variable of a suitable type is accepted", async () => {
    expect(await idsOf("people", "where[at][_lt]=$NOW")).toEqual([1]);
    expect(await idsOf("people", "where[when][_neq]=$NOW")).toEqual([1]);
  });
});
