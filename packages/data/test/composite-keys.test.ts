import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Answer, createClient, grant } from "./engine.ts";
import { createImporter } from "./importer.ts";

// Keys of composite values that are no attributes of their types: PostgreSQL ignores them.

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  const roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  await run(
    "create type geo as (lat numeric, lon numeric, note jsonb)",
    "create domain place as geo",
    "create domain places as place[]",
    "create type address as (street text, zip text, geo geo, stops place[], kept places)",
    "create domain home as address",
    "create domain homes as address[]",
    "create type nothing as ()",
    `create table people (id int primary key, ad address, many address[], dom home, doms home[], list homes, none nothing,
       doc jsonb)`,
  );
  await expose(test.database, "public", "people", "GET", "POST", "PATCH", "DELETE");
  for (const action of ["READ", "CREATE", "UPDATE", "DELETE"] as const) {
    await grant(test.database, client.snapshots, roleId, "public/people", { action });
  }
});
afterAll(() => test.drop());
beforeEach(() => run("delete from people", "insert into people values (1)"));

const run = async (...statements: readonly string[]): Promise<void> => {
  for (const statement of statements) await test.database.query(statement);
};
const faultsOf = ({ status, body }: Pick<Answer, "status" | "body">) => {
  const { errors = [] } = body as { errors?: { code: string; path?: string }[] };
  return [status, ...errors.map(({ code, path }) => `${code} ${path}`)];
};
const count = async () =>
  (await test.database.query<{ n: string }>("select count(*)::text as n from people"))[0]?.n;

const wrong: readonly (readonly [field: string, value: unknown, ...keys: string[]])[] = [
  ["ad", { stret: "Main", zip: "1" }, "/stret"],
  ["ad", { Street: "Main", zip_: "1" }, "/Street", "/zip_"],
  ["ad", JSON.parse('{"__proto__": 1, "constructor": 2}'), "/__proto__", "/constructor"],
  ["ad", { "a/b~": 1 }, "/a~1b~0"],
  ["ad", { geo: { lat: 1, long: 2 } }, "/geo/long"],
  ["ad", { stops: [{ lat: 1 }, { lot: 1 }] }, "/stops/1/lot"],
  ["ad", { kept: [null, { lot: 1 }] }, "/kept/1/lot"],
  ["many", [{ street: "a" }, { stret: "b" }], "/1/stret"],
  ["many", [[{ stret: "a" }], [{ street: "b" }]], "/0/0/stret"],
  ["dom", { stret: "a" }, "/stret"],
  ["doms", [{ geo: { lot: 1 } }], "/0/geo/lot"],
  ["list", [{ stops: [{ lot: 1 }] }], "/0/stops/0/lot"],
  ["none", { any: 1 }, "/any"],
];

describe("an unknown key of a composite value", () => {
  it.each(wrong)("is an unknown field: %s %j", async (field, value, ...keys) => {
    const row = { id: 2, [String(field)]: value };
    const expected = (prefix: string) => [
      400,
      ...keys.map((key) => `FIELD_UNKNOWN ${prefix}/${field}${key}`),
    ];
    expect(faultsOf(await client.create(user, "public/people", row))).toEqual(expected("/data"));
    const list = [{ id: 3 }, row];
    expect(faultsOf(await client.create(user, "public/people", list))).toEqual(expected("/data/1"));
    const upsert = await client.create(user, "public/people", row, "on_conflict=id");
    expect(upsert.status).toBe(400);
    const change = { [String(field)]: value };
    const update = await client.update(user, "public/people", "1", change);
    expect(faultsOf(update)).toEqual(expected("/data"));
    const many = await client.updateMany(
      user,
      "public/people",
      "where[id][_eq]=1&max_affected=1",
      change,
    );
    expect(faultsOf(many)).toEqual(expected("/data"));
    const write = { method: "POST", path: "/api/public/table/people", data: row };
    expect((await client.batch(user, [write])).status).toBe(400);
    const importer = createImporter(test.database);
    const lines = await importer.ndjson(user, "public/people", JSON.stringify(row));
    expect(faultsOf(lines)).toEqual(expected("/0"));
    const cell = JSON.stringify(value).replaceAll('"', '""');
    const csv = await importer.csv(user, "public/people", `id,${field}\n2,"${cell}"\n`);
    expect(faultsOf(csv)).toEqual(expected("/0"));
    expect(await count()).toBe("1");
  });
});

describe("a composite value", () => {
  it("may have any keys in its documents, and leave attributes out", async () => {
    const geo = { note: { any: [{ key: 1 }] } };
    const row = { id: 2, ad: { zip: "1", geo, stops: [geo, null], kept: [] }, doc: { any: 1 } };
    const answer = await client.create(user, "public/people", { ...row, none: {} });
    expect(answer).toMatchObject({ status: 201, body: { data: { ad: { zip: "1" } } } });
    expect(faultsOf(await client.create(user, "public/people", { id: 3, ad: "(a,b)" }))).toEqual([
      400,
      "VALUE_INVALID /data/ad",
    ]);
  });

  it("has the attributes that its type has now", async () => {
    const write = () => client.update(user, "public/people", "1", { ad: { geo: { alt: 1 } } });
    expect(faultsOf(await write())).toEqual([400, "FIELD_UNKNOWN /data/ad/geo/alt"]);
    await run("alter type geo add attribute alt int");
    expect((await write()).status).toBe(200);
    await run("alter type geo rename attribute alt to height");
    expect(faultsOf(await write())).toEqual([400, "FIELD_UNKNOWN /data/ad/geo/alt"]);
    await run("alter type geo drop attribute height");
    expect((await write()).status).toBe(400);
  });

  it("of fifty thousand items reports twenty of its unknown keys", async () => {
    const item = { street: "a", geo: { lat: 1 }, stops: [{ lat: 1 }] };
    const large = Array.from({ length: 50_000 }, () => item);
    const many = [...large, { stret: "b" }];
    const first = await client.update(user, "public/people", "1", { many });
    expect(faultsOf(first)).toEqual([400, "FIELD_UNKNOWN /data/many/50000/stret"]);
    const each = large.map(() => ({ stret: "b" }));
    const all = await client.update(user, "public/people", "1", { many: each });
    expect(faultsOf(all)).toHaveLength(21);
  });
});
