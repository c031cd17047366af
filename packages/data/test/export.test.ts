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
import { createExporter, readCsv } from "./exporter.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let exporter: ReturnType<typeof createExporter>;
let user: TestUser;
let roleId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  exporter = createExporter(test.database);
  roleId = await createRole(test.database, "Readers");
  const other = await createRole(test.database, "Owners");
  user = await createUser(test.database, "reader@example.com", "Readers", "Owners");
  await test.database.query(`
    create table public.companies (id int primary key, name text);
    create table public.drivers (id int primary key, name text, secret text, company_id int references public.companies (id));
    create table public.vehicles (id int primary key, plate text, driver_id int references public.drivers (id));
    create table public.trips (id int primary key, vehicle_id int references public.vehicles (id), distance int, open boolean);
    create table public.notes (id int primary key, owner text, title text, body text);
    create table public.hidden (id int primary key);
    create table public.empty (id int primary key, "a,b" text, "=c" text);
    create type public.mood as enum ('good', '=bad');
    create type public.pair as (a int, b text);
    create table public.kinds (id int primary key, i8 bigint, n numeric, f double precision, m money, b boolean, u uuid, d date, tz timestamptz,
      ts timestamp, ti time, iv interval, by bytea, j json, jb jsonb, arr text[], nums numeric[], e public.mood, c public.pair, r int4range,
      ip inet, ch char(5), v varchar, t text, "Ünï ""q"".x" text, bt bit(3), tv tsvector, x xml);
    create view public.totals as select vehicle_id, sum(distance) as distance from public.trips group by vehicle_id;
    insert into public.companies values (1, 'Acme'), (2, 'Hidden Inc');
    insert into public.drivers values (1, 'Ann', 's1', 1), (2, 'Bob', 's2', 2), (3, 'Cy', 's3', null);
    insert into public.vehicles values (1, 'A', 1), (2, 'B', 2), (3, null, null), (4, 'D', 3);
    insert into public.trips values (1, 1, 10, true), (2, 1, 20, true), (3, 1, 30, false), (4, 2, 5, true), (5, 4, 50, false);
    insert into public.notes values (1, 'a', 't1', 'b1'), (2, 'b', 't2', 'b2'), (3, null, '=1+1', '-x'), (4, 'a', '', null);
    insert into public.kinds (id) values (2);
    insert into public.kinds values (1, 9007199254740993, -123456789012345678901234567890.5, -1.5e300, '-5.25', true,
      '00000000-0000-4000-8000-000000000001', '2024-02-29', '2024-03-31 01:30:00.123456+00', '2024-03-31 01:30:00', '01:02:03', '-1 day',
      '\\xfbff00', '{"a":${"\n"} 1.10}', '{"big": 12345678901234567890, "s": "=x"}', '{a,"b,c",null,"=d"}', '{1.10,-2}', '=bad',
      row(1, 'x'), '[1,5)', '10.0.0.1/8', 'ab', '+v', E'line1\\r\\nline2\\t"q"', 'ü', '101', 'a:1 b:2', '<a>1</a>')`);
  for (const name of [
    "companies",
    "drivers",
    "vehicles",
    "trips",
    "notes",
    "hidden",
    "empty",
    "kinds",
    "totals",
  ]) {
    await expose(test.database, "public", name, "GET", ...(name === "hidden" ? ["POST"] : []));
  }
  const allow = (name: string, input: object = {}, role = roleId) =>
    grant(test.database, client.snapshots, role, `public/${name}`, { action: "READ", ...input });
  await allow("companies", { rowFilter: { id: { _eq: 1 } } });
  await allow("drivers", { fields: ["id", "name", "company_id"], rowFilter: { id: { _neq: 3 } } });
  await allow("vehicles");
  await allow("trips", { rowFilter: { open: { _eq: true } } });
  await allow("notes", { fields: ["id", "title"] });
  await allow(
    "notes",
    { fields: ["id", "owner", "body"], rowFilter: { owner: { _eq: "a" } } },
    other,
  );
  await allow("empty");
  await allow("kinds");
  await allow("totals");
  await allow("hidden", { action: "CREATE" });
});
afterAll(() => test.drop());

/** The rows of a list, as text and as values. */
const list = async (name: string, query = ""): Promise<Record<string, unknown>[]> =>
  ((await client.list(user, `public/${name}`, query)).body as { data: Record<string, unknown>[] })
    .data;
const ndjson = async (name: string, query = ""): Promise<unknown> => {
  const text = await exporter.ndjson(user, `public/${name}`, query);
  if (typeof text !== "string") return text;
  expect(text === "" || text.endsWith("\n")).toBe(true);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
};
const csv = async (name: string, query = ""): Promise<unknown> => {
  const text = await exporter.csv(user, `public/${name}`, query);
  return typeof text === "string" ? readCsv(text) : text;
};

describe("an export", () => {
  it("NDJSON has the rows of the list and omits absent fields", async () => {
    for (const [name, query] of [
      ["notes", ""],
      ["notes", "fields=id,body&order_by=-id&where[id][_gt]=1"],
      ["vehicles", "fields=id,plate,driver.name,driver.company.name,trips.distance"],
      ["vehicles", "fields=*,trips&deep[trips][limit]=1&deep[trips][order_by]=-distance"],
      ["vehicles", "where[driver.name][_eq]=Bob"],
      ["vehicles", "search=b&order_by=plate:nulls_first&offset=0&limit=2"],
      ["trips", "aggregate=count,sum(distance)&group_by=vehicle_id&having[sum_distance][_gt]=5"],
      ["kinds", "order_by=id"],
      ["empty", ""],
    ] as const) {
      expect(await ndjson(name, query)).toEqual(await list(name, query));
    }
    expect(await ndjson("totals/view", "where[vehicle_id][_eq]=1")).toEqual([
      { vehicle_id: 1, distance: "60" },
    ]);
    expect(await ndjson("notes")).toEqual([
      { id: 1, owner: "a", title: "t1", body: "b1" },
      { id: 2, title: "t2" },
      { id: 3, title: "=1+1" },
      { id: 4, owner: "a", title: "", body: null },
    ]);
  });

  it("NDJSON has the exact digits of the list", async () => {
    const body = await client.raw(user, "public/kinds", "order_by=id&limit=1");
    const row = body?.slice('{"data":['.length, body.indexOf('],"meta"')).replaceAll("\n", "");
    expect(await exporter.ndjson(user, "public/kinds", "order_by=id&limit=1")).toBe(`${row}\n`);
    expect(row).toContain("12345678901234567890");
  });

  it("CSV has the values of the list, and an empty cell for a hidden field", async () => {
    expect(await csv("notes", "fields=id,owner,title,body")).toEqual([
      ["id", "owner", "title", "body"],
      ["1", "a", "t1", "b1"],
      ["2", null, "t2", null],
      ["3", null, "'=1+1", null],
      ["4", "a", "", null],
    ]);
    expect(await csv("empty")).toEqual([["id", "a,b", "'=c"]]);
    expect(await csv("totals/view", "order_by=-distance&limit=1")).toEqual([
      ["vehicle_id", "distance"],
      ["1", "60"],
    ]);
  });

  it("CSV has every type of value as the list has it", async () => {
    const [row, bare] = await list("kinds", "order_by=id");
    const [head, cells, empty] = (await csv("kinds", "order_by=id")) as (string | null)[][];
    expect(head).toEqual(Object.keys(row ?? {}));
    expect(empty).toEqual(head?.map((name) => (name === "id" ? String(bare?.[name]) : null)));
    const table = Object.fromEntries((head ?? []).map((name, index) => [name, cells?.[index]]));
    for (const [name, value] of Object.entries(row ?? {})) {
      const cell = table[name] ?? "";
      if (typeof value === "object") expect(JSON.parse(cell)).toEqual(value);
      else expect([String(value), `'${value}`]).toContain(cell);
    }
    expect(table).toMatchObject({
      i8: "9007199254740993",
      n: "-123456789012345678901234567890.5",
      m: "-5.25",
      tz: "2024-03-31T01:30:00.123456+00:00",
      jb: '{"s": "=x", "big": 12345678901234567890}',
      nums: '["1.10","-2"]',
      e: "'=bad",
      by: "'+/8A",
      v: "'+v",
      ch: "ab   ",
      t: 'line1\r\nline2\t"q"',
    });
  });

  it("CSV has a column for each field of a to-one relation, and JSON for a to-many relation", async () => {
    const query = "fields=trips.distance,driver.name,plate,driver.company.name,id&order_by=id";
    expect(await csv("vehicles", query)).toEqual([
      ["trips", "driver.name", "plate", "driver.company.name", "id"],
      ['[{"distance":10},  {"distance":20}]', "Ann", "A", "Acme", "1"],
      ['[{"distance":5}]', "Bob", "B", null, "2"],
      ["[]", null, null, null, "3"],
      ["[]", null, "D", null, "4"],
    ]);
    const all = (await csv("vehicles", "fields=driver,id&limit=1")) as string[][];
    expect(all[0]).toEqual(["driver.id", "driver.name", "driver.company_id", "id"]);
    const deep = "fields=id,trips.id&deep[trips][order_by]=-distance&deep[trips][limit]=1&limit=1";
    expect(await csv("vehicles", deep)).toEqual([
      ["id", "trips"],
      ["1", '[{"id":2}]'],
    ]);
  });

  it("CSV has groups and aggregates", async () => {
    const query = "aggregate=count,sum(distance)&group_by=vehicle_id&order_by=-sum_distance";
    expect(await csv("trips", query)).toEqual([
      ["vehicle_id", "count", "sum_distance"],
      ["1", "2", "30"],
      ["2", "1", "5"],
    ]);
    expect(await csv("trips", "aggregate=count&where[id][_eq]=99")).toEqual([["count"], ["0"]]);
  });
});

describe("the parameters of an export", () => {
  const code = async (name: string, query: string): Promise<unknown> => {
    const answer = await csv(name, query);
    if (Array.isArray(answer)) return answer.length - 1;
    const { status, errors } = answer as {
      status: number;
      errors: { code: string; path?: string }[];
    };
    return [status, ...errors.map((fault) => [fault.code, fault.path].join(" ").trim())].join(", ");
  };

  it("limit accepts any number of rows, and an export without it has all rows", async () => {
    expect(await code("trips", "limit=0")).toBe(0);
    expect(await code("trips", "limit=2")).toBe(2);
    expect(await code("trips", "limit=9007199254740991&offset=1")).toBe(2);
    expect(await code("trips", "%6cimit=1")).toBe(1);
    for (const limit of ["-1", "1.5", "x", "", "9007199254740992", "99999999999999999"]) {
      expect(await code("trips", `limit=${limit}`)).toBe("400, QUERY_INVALID limit");
    }
  });

  it("parameters whose result a file cannot contain are rejected", async () => {
    expect(await code("trips", "count=exact")).toBe("400, QUERY_INVALID count");
    expect(await code("trips", "cursor=abc")).toBe("400, QUERY_INVALID cursor");
  });

  it("invalid parameters give the same errors as in a list", async () => {
    expect(await code("trips", "nope=1&limit=x")).toBe(
      "400, QUERY_INVALID limit, QUERY_INVALID nope",
    );
    expect(await code("trips", "limit=1&limit=2")).toBe("400, QUERY_INVALID limit");
    expect(await code("trips", "where[id][_eq]=x")).toBe("400, VALUE_INVALID where[id][_eq]");
    expect(await code("trips", "where[id][_eq]=99999999999")).toBe(
      "400, VALUE_INVALID where[id][_eq]",
    );
    expect(await code("trips", "where[id][_regex]=(")).toMatch(
      /^400, QUERY_INVALID|^400, VALUE_INVALID/,
    );
    expect(await code("trips", "fields=nope,id,nor")).toBe(
      "400, FIELD_UNKNOWN fields, FIELD_UNKNOWN fields",
    );
    expect(await code("drivers", "fields=secret")).toBe("400, FIELD_UNKNOWN fields");
    expect(await code("drivers", "where[secret][_starts_with]=s")).toMatch(
      /^400, FIELD_UNKNOWN .*secret/,
    );
    expect(await code("drivers", "order_by=secret")).toBe("400, FIELD_UNKNOWN order_by");
    expect(await code("totals/view", "fields=vehicle.plate")).toBe("400, FIELD_UNKNOWN fields");
    expect(await code("hidden", "")).toBe("403, ACTION_DENIED");
    expect(await code("nothing", "")).toBe("404, NOT_FOUND");
    for (const query of ["where[secret][_eq]=s1", "fields=secret", "order_by=-secret"]) {
      const unknown = await exporter.csv(user, "public/drivers", query.replace("secret", "nopeno"));
      const hidden = await exporter.csv(user, "public/drivers", query);
      expect(JSON.stringify(hidden).replaceAll("secret", "nopeno")).toBe(JSON.stringify(unknown));
    }
  });
});

describe("an export uses the current state of schema and grants", () => {
  const change = (text: string) => test.database.query(text);
  const start = async (query = "") => {
    const answer = await exporter.csv(user, "public/fresh", query);
    return typeof answer === "string" ? answer : answer.status;
  };

  beforeAll(async () => {
    await change("create table public.fresh (id int primary key, a text, b text)");
    await change("insert into public.fresh values (1, 'a1', 'b1'), (2, 'a2', 'b2')");
    await expose(test.database, "public", "fresh", "GET");
    await grant(test.database, client.snapshots, roleId, "public/fresh", { action: "READ" });
  });

  it("an export is correct after a column was renamed, swapped with another, added or dropped", async () => {
    expect(await start("limit=1")).toBe("id,a,b\r\n1,a1,b1\r\n");
    await change("alter table public.fresh rename column a to c");
    await change("alter table public.fresh rename column b to a");
    await change("alter table public.fresh rename column c to b");
    expect(await start("limit=1")).toBe("id,b,a\r\n1,a1,b1\r\n");
    await change("alter table public.fresh add column d int default 7");
    await change("alter table public.fresh drop column b");
    expect(await start("limit=1")).toBe("id,a,d\r\n1,b1,7\r\n");
    expect(await start("fields=b")).toBe(400);
  });

  it("an export is correct after a grant received a row filter or was removed", async () => {
    expect((await start("fields=id")).toString()).toBe("id\r\n1\r\n2\r\n");
    await change(
      "update system.grants set row_filter = '{\"id\": {\"_eq\": 2}}' where resource_id = (select id from system.resources where relation_name = 'fresh')",
    );
    await change(
      "insert into system.grant_columns (grant_id, usage, attribute_number, mention, column_name) select g.id, 'FILTER', 1, 'id', 'id' from system.grants g join system.resources r on r.id = g.resource_id where r.relation_name = 'fresh'",
    );
    expect((await start("fields=id")).toString()).toBe("id\r\n2\r\n");
    await change(
      "delete from system.grants where resource_id = (select id from system.resources where relation_name = 'fresh')",
    );
    expect(await start()).toBe(404);
  });

  it("an export is correct if the schema or a grant changed just before its statement", async () => {
    await grant(test.database, client.snapshots, roleId, "public/fresh", { action: "READ" });
    let before: string | undefined;
    // The same database, changed by another session just before the statement.
    const racing = createExporter({
      ...test.database,
      get service() {
        return this;
      },
      stream: (...statement) => {
        let rows: ReturnType<typeof test.database.stream> | undefined;
        return {
          [Symbol.asyncIterator]() {
            return this;
          },
          next: async () => {
            if (before !== undefined) await change(before);
            before = undefined;
            rows ??= test.database.stream(...statement);
            return rows.next();
          },
          return: async () =>
            rows?.return?.() ?? Promise.resolve({ done: true, value: undefined } as const),
        };
      },
    });
    const race = async (text: string, by = user) => {
      before = text;
      const answer = await racing.csv(by, "public/fresh", "limit=1");
      return typeof answer === "string" ? answer : answer.status;
    };
    expect(await race("alter table public.fresh rename column a to e")).toBe(
      "id,e,d\r\n1,b1,7\r\n",
    );
    expect(await race("alter table public.fresh drop column e")).toBe("id,d\r\n1,7\r\n");
    expect(await race("alter table public.fresh rename to fresher")).toBe(404);
    await change("alter table public.fresher rename to fresh");
    expect(await race("update public.fresh set d = 8")).toBe("id,d\r\n1,8\r\n");
    const gone = await createUser(test.database, "racer@example.com", "Readers");
    expect(await race(`delete from system.sessions where user_id = '${gone.id}'`, gone)).toBe(401);
    expect(
      await race(
        "delete from system.grants where resource_id = (select id from system.resources where relation_name = 'fresh')",
      ),
    ).toBe(404);
  });

  it("an export is rejected after the session ended", async () => {
    const gone = await createUser(test.database, "gone@example.com", "Readers");
    expect(await exporter.csv(gone, "public/trips", "limit=0")).toBe(
      "id,vehicle_id,distance,open\r\n",
    );
    await change(`delete from system.sessions where user_id = '${gone.id}'`);
    expect(await exporter.csv(gone, "public/trips")).toMatchObject({ status: 401 });
  });
});
