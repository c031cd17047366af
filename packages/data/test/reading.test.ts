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
let roleId: string;
const table = "public/vehicles";

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  roleId = await createRole(test.database, "Readers");
  user = await createUser(test.database, "reader@example.com", "Readers");
  await test.database.query(`
    create type public.mood as enum ('sad', 'ok', 'happy');
    create domain public.plate_number as text check (value ~ '^[A-Z]');
  `);
  await test.database.query(`
    create table public.vehicles (
      id bigint generated always as identity primary key,
      plate public.plate_number, seats smallint, mileage numeric, weight double precision,
      active boolean, mood public.mood, bought date, seen timestamptz, wait interval, raw bytea,
      tags text[], numbers bigint[], details jsonb, "odd.name ""x"" ü" text, code char(4), token uuid)`);
  await test.database.query(`
    insert into public.vehicles (plate, seats, mileage, weight, active, mood, bought, seen, wait, raw, tags, numbers, details, "odd.name ""x"" ü", code, token) values
    ('Alpha', 4, 10.50, 1.5, true, 'happy', '2024-02-29', '2026-01-02 03:04:05.678901+02', '1 day 2 hours', '\\x00ff10', '{a,"b,c"}', '{9007199254740993}', '{"n": 12345678901234567890.10}', 'odd', 'ab', '11111111-1111-1111-1111-111111111111'),
    ('Beta_', 2, 99999999999999999999.000000001, 'NaN', false, 'sad', null, null, null, null, null, null, null, null, null, null),
    ('Gamma%', null, null, null, null, null, null, null, null, null, null, null, null, null, null, null)`);
  await expose(test.database, "public", "vehicles", "GET");
  await grant(test.database, client.snapshots, roleId, table, { action: "READ" });
});
afterAll(() => test.drop());

const ids = async (query: string): Promise<unknown> => {
  const answer = await client.list(user, table, query);
  return answer.status === 200
    ? (answer.body as { data: { id: string }[] }).data.map((row) => row.id).join()
    : answer.body;
};

describe("types", () => {
  it("the digits of jsonb are preserved", async () => {
    const [raw] = await test.database.query<{ details: string }>(
      "select details::text as details from public.vehicles where id = 1",
    );
    expect(raw?.details).toBe('{"n": 12345678901234567890.10}');
    expect(await client.raw(user, table, "fields=details&where[id][_eq]=1")).toBe(
      `{"data":[{"details":${raw?.details}}]}`,
    );
  });

  it("each type has its JSON form: exact numbers as strings, timestamps in UTC, bytes in base64", async () => {
    const answer = await client.read(user, table, "1");
    expect(answer.body).toEqual({
      data: {
        id: "1",
        plate: "Alpha",
        seats: 4,
        mileage: "10.50",
        weight: 1.5,
        active: true,
        mood: "happy",
        bought: "2024-02-29",
        seen: "2026-01-02T01:04:05.678901+00:00",
        wait: "P1DT2H",
        raw: "AP8Q",
        tags: ["a", "b,c"],
        numbers: ["9007199254740993"],
        details: { n: Number("12345678901234567890.10") },
        'odd.name "x" ü': "odd",
        code: "ab  ",
        token: "11111111-1111-1111-1111-111111111111",
      },
    });
  });
});

describe("filters", () => {
  it.each([
    ["where[id][_eq]=2", "2"],
    ["where[id][_neq]=2", "1,3"],
    ["where[seats][_lt]=4", "2"],
    ["where[seats][_lte]=4", "1,2"],
    ["where[mileage][_gt]=99999999999999999999", "2"],
    ["where[mileage][_gte]=10.5", "1,2"],
    ["where[id][_in]=1,3", "1,3"],
    ["where[id][_in][0]=1&where[id][_in][1]=2", "1,2"],
    ["where[id][_in][]=3&where[id][_in][]=2", "2,3"],
    ["where[id][_nin]=1,3", "2"],
    ["where[id][_between]=2,3", "2,3"],
    ["where[id][_nbetween]=2,3", "1"],
    ["where[seats][_null]=true", "3"],
    ["where[seats][_null]=false", "1,2"],
    ["where[seats][_nnull]=true", "1,2"],
    ["where[plate][_like]=%25a%25", "1,2,3"],
    ["where[plate][_nlike]=A%25", "2,3"],
    ["where[plate][_ilike]=aLPHA", "1"],
    ["where[plate][_nilike]=aLPHA", "2,3"],
    ["where[plate][_contains]=_", "2"],
    ["where[plate][_ncontains]=%25", "1,2"],
    ["where[plate][_icontains]=MM", "3"],
    ["where[plate][_nicontains]=MM", "1,2"],
    ["where[plate][_starts_with]=Be", "2"],
    ["where[plate][_istarts_with]=be", "2"],
    ["where[plate][_ends_with]=%25", "3"],
    ["where[plate][_iends_with]=HA", "1"],
    ["where[plate][_regex]=^[AB]", "1,2"],
    ["where[plate][_iregex]=^[ab]", "1,2"],
    [`where[plate][_regex]=^(${"Alpha|".repeat(160)}Alpha)$`, "1"],
    ["where[mood][_eq]=happy", "1"],
    ["where[mood][_gt]=sad", "1"],
    ["where[mood][_contains]=app", "1"],
    ["where[active][_eq]=false", "2"],
    ["where[bought][_lt]=2024-03-01", "1"],
    ["where[token][_eq]=11111111-1111-1111-1111-111111111111", "1"],
    ['where[tags][_eq]={a,"b,c"}', "1"],
    ['where={"odd.name \\"x\\" ü":{"_eq":"odd"}}', "1"],
    ["where[_or][0][id][_eq]=1&where[_or][1][id][_eq]=3", "1,3"],
    ["where[_not][id][_eq]=1", "2,3"],
    ["where[_and][0][id][_gt]=1&where[_and][1][id][_lt]=3", "2"],
    ['where={"_or":[{"id":{"_eq":1}},{"seats":{"_eq":2}}]}', "1,2"],
    ['where={"mileage":{"_eq":99999999999999999999.000000001}}', "2"],
    ["where[id][_gt]=1&where[id][_lt]=3", "2"],
    ["where[tags][_has]=a", "1"],
    ["where[tags][_has]=b,c", "1"],
    ["where[tags][_has_all]=a", "1"],
    ["where[tags][_has_all][]=a&where[tags][_has_all][]=nope", ""],
    ["where[tags][_has_any]=a,nope", "1"],
    ["where[numbers][_has]=9007199254740993", "1"],
    ['where[details][_json_contains]={"n":12345678901234567890.10}', "1"],
    ['where={"details":{"_json_contains":{"n":12345678901234567890.1}}}', "1"],
    ["where[details][_has_key]=n", "1"],
    ["where[details][_has_key]=$USER.id", ""],
    ["where[details][_path][n][_gt]=5", "1"],
    ["where[details][_path][n][_lt]=5", ""],
    ["where[details][_path][n][_eq]=12345678901234567890.10", "1"],
    ["where[details][_path][a.b][_null]=true", "1,2,3"],
    ["where[details][_path][n][_starts_with]=123", "1"],
    ["where[plate][_search]=alpha", "1"],
    ["where[plate][_search]=nothing -alpha", ""],
    ["where[_or]", "A filter is an object"],
  ])("%s", async (query, expected) => {
    const encoded = query.replace(/[{}"\\ ü^]/g, encodeURIComponent);
    const answer = await ids(encoded);
    if (expected === "A filter is an object")
      expect(JSON.stringify(answer)).toContain("QUERY_INVALID");
    else expect(answer).toBe(expected);
  });

  it.each([
    ["where[id][_eq]=x", "VALUE_INVALID", "where[id][_eq]"],
    ["where[id][_eq]=9223372036854775808", "VALUE_INVALID", "where[id][_eq]"],
    ["where[bought][_eq]=2023-02-29", "VALUE_INVALID", "where[bought][_eq]"],
    ["where[mood][_eq]=angry", "VALUE_INVALID", "where[mood][_eq]"],
    ["where[id][_nope]=1", "QUERY_INVALID", "where[id][_nope]"],
    ["where[id][constructor]=1", "QUERY_INVALID", "where[id][constructor]"],
    [`where[plate][_regex]=${"(a*)*".repeat(200)}b`, "QUERY_INVALID", "where[plate][_regex]"],
    [`where[plate][_iregex]=${"(a*)*".repeat(200)}b`, "QUERY_INVALID", "where[plate][_iregex]"],
    ["where[__proto__][_eq]=1", "FIELD_UNKNOWN", "where[__proto__]"],
    ["where[id][_like]=1", "QUERY_INVALID", "where[id][_like]"],
    ["where[plate][_like]=a\\", "QUERY_INVALID", "where[plate][_like]"],
    ["where[id][_between]=1", "QUERY_INVALID", "where[id][_between]"],
    ["where[seats][_null]=maybe", "QUERY_INVALID", "where[seats][_null]"],
    ["where[id][_eq]=1&where[id][_eq]=2", "QUERY_INVALID", "where[id][_eq]"],
    ["where={", "QUERY_INVALID", "where"],
    ["where[id][_eq]=$USER.password_hash", "QUERY_INVALID", undefined],
    ["where[plate][_eq]=$PERIOD.today", "QUERY_INVALID", "where[plate][_eq]"],
    ["where[bought][_eq]=$PERIOD.someday", "QUERY_INVALID", "where[bought][_eq]"],
    ["where[bought][_in][]=$PERIOD.today", "QUERY_INVALID", "where[bought][_in]"],
    ["where[plate][_eq]=%00", "QUERY_INVALID", "where[plate][_eq]"],
    ["where[plate][_has]=a", "QUERY_INVALID", "where[plate][_has]"],
    ["where[plate][_has_key]=a", "QUERY_INVALID", "where[plate][_has_key]"],
    ["where[plate][_path][a][_eq]=1", "QUERY_INVALID", "where[plate][_path][a][_eq]"],
    ["where[details][_path][a..b][_eq]=1", "QUERY_INVALID", undefined],
    ["where[details][_path][a][_has_key]=1", "QUERY_INVALID", undefined],
    ["where[details][_json_contains]={", "VALUE_INVALID", undefined],
    ['where[details][_json_contains]="%5Cu0000"', "VALUE_INVALID", undefined],
    ["where[numbers][_has]=x", "VALUE_INVALID", "where[numbers][_has]"],
    ["where[id][_search]=1", "QUERY_INVALID", "where[id][_search]"],
    ["limit=1001", "QUERY_INVALID", "limit"],
    ["limit=1e9", "QUERY_INVALID", "limit"],
    ["limit=-1", "QUERY_INVALID", "limit"],
    ["offset=x", "QUERY_INVALID", "offset"],
    ["count=all", "QUERY_INVALID", "count"],
    ["nope=1", "QUERY_INVALID", "nope"],
    ["limit=1&limit=2", "QUERY_INVALID", "limit"],
    ["fields=", "QUERY_INVALID", "fields"],
    ["fields=nope", "FIELD_UNKNOWN", "fields"],
    ["fields=id;drop%20table%20x", "FIELD_UNKNOWN", "fields"],
    ["order_by=nope", "FIELD_UNKNOWN", "order_by"],
    ["order_by=id,id", "QUERY_INVALID", "order_by"],
    ['where={"id\\") or (1=1":{"_eq":1}}', "FIELD_UNKNOWN", undefined],
  ])("refuses %s", async (query, code, path) => {
    const answer = await client.list(user, table, query.replace(/[{}"\\ ()]/g, encodeURIComponent));
    const errors = (answer.body as { errors: { code: string; path?: string }[] }).errors;
    expect(answer.status).toBe(400);
    expect(errors[0]?.code).toBe(code);
    if (path !== undefined) expect(errors[0]?.path).toBe(path);
  });

  it("a filter that exceeds a limit is rejected", async () => {
    const many = Array.from({ length: 1001 }, (_, index) => index).join();
    expect(await ids(`where[id][_in]=${many}`)).toMatchObject({
      errors: [{ code: "QUERY_INVALID" }],
    });
    const deep = `${'{"_not":'.repeat(50)}{"id":{"_eq":1}}${"}".repeat(50)}`;
    expect(await ids(`where=${encodeURIComponent(deep)}`)).toMatchObject({
      errors: [{ code: "QUERY_INVALID" }],
    });
    const deeper = "[".repeat(50_000);
    expect(await ids(`where=${deeper}`)).toMatchObject({ errors: [{ code: "QUERY_INVALID" }] });
    const wide = { _or: Array.from({ length: 300 }, (_, index) => ({ id: { _eq: index } })) };
    expect(await ids(`where=${encodeURIComponent(JSON.stringify(wide))}`)).toMatchObject({
      errors: [{ code: "QUERY_INVALID" }],
    });
  });

  it("a stored text that looks like a variable can be searched for", async () => {
    expect(await ids("where[code][_eq]=$$USER.id")).toBe("");
    expect(await ids("where[code][_neq]=$5")).toBe("1");
  });
});

describe("lists", () => {
  it("lists are ordered, paged and counted", async () => {
    expect(await ids("order_by=-seats")).toBe("3,1,2");
    expect(await ids("order_by=-seats:nulls_last")).toBe("1,2,3");
    expect(await ids("order_by=seats:nulls_first,id")).toBe("3,2,1");
    expect(await ids("limit=1&offset=1")).toBe("2");
    expect(await ids("limit=0")).toBe("");
    const answer = await client.list(user, table, "fields=id&limit=1&count=exact&where[id][_gt]=1");
    expect(answer.body).toMatchObject({ data: [{ id: "2" }], meta: { count: 2 } });
  });

  it("views are readable under their own grants only", async () => {
    await test.database.query(
      "create view public.plates as select id, plate, owner from public.vehicles, lateral (select 'x'::text as owner) o",
    );
    await test.database.query(
      "create materialized view public.stored as select id, plate from public.vehicles",
    );
    await expose(test.database, "public", "plates", "GET");
    await expose(test.database, "public", "stored", "GET");
    expect((await client.list(user, "public/plates/view")).status).toBe(404);
    await grant(test.database, client.snapshots, roleId, "public/plates", {
      action: "READ",
      fields: ["plate"],
      rowFilter: { id: { _lt: 3 } },
    });
    expect((await client.list(user, "public/plates/view", "order_by=-plate")).body).toEqual({
      data: [{ plate: "Beta_" }, { plate: "Alpha" }],
    });
    expect((await client.list(user, "public/plates/view", "where[owner][_eq]=x")).status).toBe(400);
    expect((await client.list(user, "public/plates")).status).toBe(404);
    expect((await client.list(user, "public/vehicles/view")).status).toBe(404);
    await grant(test.database, client.snapshots, roleId, "public/stored", { action: "READ" });
    expect((await client.list(user, "public/stored/view", "where[plate][_eq]=Alpha")).body).toEqual(
      {
        data: [{ id: "1", plate: "Alpha" }],
      },
    );
  });

  it("a row with a composite key is addressed by its values, each encoded separately", async () => {
    await test.database.query(
      `create table public."odd.table" (a text, b int, primary key (b, a))`,
    );
    await test.database.query(`insert into public."odd.table" values ('x,y/z', 1), ('x', 2)`);
    await expose(test.database, "public", "odd.table", "GET", "PATCH", "DELETE");
    await grant(test.database, client.snapshots, roleId, "public/odd.table", { action: "READ" });
    await grant(test.database, client.snapshots, roleId, "public/odd.table", { action: "UPDATE" });
    const id = `1,${encodeURIComponent("x,y/z")}`;
    expect((await client.read(user, "public/odd.table", id)).body).toEqual({
      data: { a: "x,y/z", b: 1 },
    });
    expect((await client.update(user, "public/odd.table", "2,x", { a: "new" })).body).toEqual({
      data: { a: "new", b: 2 },
    });
    expect((await client.read(user, "public/odd.table", "1")).status).toBe(404);
  });
});
