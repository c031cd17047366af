import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultsOfReading } from "../src/reading/faults-of-reading.ts";
import type { Reading } from "../src/reading/reading.ts";
import { createClient, grant } from "./engine.ts";
import { createExporter } from "./exporter.ts";

const digits = "123456789012345678901234567890123456789012345678901234567890.5";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database, { copies: 2 });
  const roleId = await createRole(test.database, "Readers");
  const partners = await createRole(test.database, "Partners");
  user = await createUser(test.database, "reader@example.com", "Readers", "Partners");
  await test.database.query(`
    create table public.drivers (id int primary key, facts jsonb);
    create table public.cars (id int primary key, driver_id int references public.drivers (id), spec jsonb, old json,
      part jsonb, secret jsonb, "a.b" jsonb, plate text, "__proto__" jsonb);
    create table public.spec (id int primary key, car_id int references public.cars (id), seats int, info jsonb);
    insert into public.drivers values (1, '{"rank": 2}'), (2, '{"rank": 10}');
    insert into public.cars values
      (1, 1, '{"seats": 5, "color": "red", "engine": {"kw": 90, "fuel": "gas"}, "tags": ["a", "b"]}', '{"n": 1.50}', '{"x": 1}', '{"x": 1}', '{"c": 1}', 'A'),
      (2, 1, '{"seats": 10, "color": "red", "a.b": 7, "": 8, "*": 9, "__proto__": 6, "\\"": 4}', '{"n": "x"}', '{"x": 2}', '{"x": 9}', null, 'B'),
      (3, 2, '{"seats": "7", "color": "blue"}', '{"n": 2, "bad": "\\u0000"}', '{"x": 3}', '{"x": 5}', null, 'C'),
      (4, null, '{"seats": null, "color": {"h": 1}}', null, '{"x": 4}', null, null, 'D'),
      (5, 2, null, '[]', '{"x": 5}', '{"x": 7}', null, 'E'),
      (6, 2, '{"seats": ${digits}, "color": 1.5}', '{"n": 3}', '{"x": 6}', null, null, 'F'),
      (7, null, '{"seats": ${digits}0, "color": 1.50}', '{"n": 4}', '{"x": 7}', null, null, 'G');
    insert into public.spec values (1, 1, 4, '{"km": 5}'), (2, 1, 6, '{"km": "far"}'), (3, 2, 1, '{"km": 2.5}')`);
  for (const name of ["drivers", "cars", "spec"])
    await expose(test.database, "public", name, "GET");
  const allow = (name: string, input: object = {}, role = roleId) =>
    grant(test.database, client.snapshots, role, `public/${name}`, { action: "READ", ...input });
  await allow("drivers");
  await allow("cars", {
    fields: ["id", "driver_id", "spec", "old", "a.b", "plate", "__proto__"],
    rowFilter: { id: { _neq: 3 } },
  });
  await allow("cars", { fields: ["id", "part"], rowFilter: { id: { _lt: 3 } } }, partners);
  await allow("spec");
});
afterAll(() => test.drop());

const ask = async (query: string, name = "cars"): Promise<unknown> => {
  const { status, body } = await client.list(user, `public/${name}`, query);
  if (status === 200) return (body as { data: unknown }).data;
  const [fault] = (body as { errors: { code: string; path: string; message: string }[] }).errors;
  return `${status} ${fault?.code} ${fault?.path}: ${fault?.message}`;
};
const text = (name: string, query: string) => client.raw(user, `public/${name}`, query);
const ids = async (query: string): Promise<unknown> =>
  ((await ask(`fields=id&${query}`)) as { id: number }[]).map(({ id }) => id).join();

describe("fields inside documents", () => {
  it("several paths share one object; a missing value is null", async () => {
    expect(
      await ask("fields=id,spec.seats,spec.engine.kw,spec.tags.0&order_by=id&limit=2"),
    ).toEqual([
      { id: 1, spec: { seats: 5, engine: { kw: 90 }, tags: { "0": "a" } } },
      { id: 2, spec: { seats: 10, engine: { kw: null }, tags: { "0": null } } },
    ]);
    expect(await ask("fields=spec.seats&where[id][_eq]=5")).toEqual([{ spec: { seats: null } }]);
    const { body } = await client.read(user, "public/cars", "1", "fields=spec.color");
    expect(body).toEqual({ data: { spec: { color: "red" } } });
  });

  it("digits are exact, also of json", async () => {
    expect(await text("cars", "fields=spec.seats&where[id][_eq]=6")).toContain(
      `{"seats":${digits}}`,
    );
    expect(await text("cars", "fields=old.n&where[id][_eq]=1")).toContain('{"old":{"n":1.50}}');
  });

  it("a key may contain any character in quotes", async () => {
    const fields = 'id,spec."a.b",spec."",spec."*",spec.__proto__,spec.""""';
    expect(await text("cars", `fields=${encodeURIComponent(fields)}&where[id][_eq]=2`)).toContain(
      '{"id":2,"spec":{"a.b":7,"":8,"*":9,"__proto__":6,"\\"":4}}',
    );
    // Without quotes the dot separates keys; a column whose name contains dots takes precedence.
    expect(await ask("fields=spec.a.b,a.b.c&where[id][_eq]=1")).toEqual([
      { spec: { a: { b: null } }, "a.b": { c: 1 } },
    ]);
    expect(await ask('fields="a.b".c,"a.b".d&where[id][_eq]=1')).toEqual([
      { "a.b": { c: 1, d: null } },
    ]);
    expect(await ask('fields="a.b"&where[id][_eq]=1')).toEqual([{ "a.b": { c: 1 } }]);
    expect(await ask("fields=__proto__.x&limit=1")).toEqual(
      JSON.parse('[{"__proto__":{"x":null}}]'),
    );
  });

  it("through relations, in lists, and in numbers of related rows", async () => {
    expect(await ask("fields=id,driver.facts.rank&where[id][_in]=1,4&order_by=id")).toEqual([
      { id: 1, driver: { facts: { rank: 2 } } },
      { id: 4, driver: null },
    ]);
    expect(
      await ask(
        "fields=cars.spec.seats&where[id][_eq]=1&deep[cars][order_by]=-spec.seats",
        "drivers",
      ),
    ).toEqual([{ cars: [{ spec: { seats: 10 } }, { spec: { seats: 5 } }] }]);
    expect(
      await ask(
        "fields=cars.sum(spec.seats),cars.max(spec.seats),cars.count(spec.seats)&order_by=id&limit=1",
        "drivers",
      ),
    ).toEqual([{ cars: { "sum_spec.seats": "15", "max_spec.seats": 10, "count_spec.seats": 2 } }]);
    expect(await ask("order_by=-cars.sum(spec.seats)&fields=id", "drivers")).toEqual([
      { id: 2 },
      { id: 1 },
    ]);
  });

  it("a table of the document's name is a relation under its longer name", async () => {
    expect(await ask("fields=spec.seats,spec_by_car.id&where[id][_eq]=2")).toEqual([
      { spec: { seats: 10 }, spec_by_car: [{ id: 3 }] },
    ]);
    expect(await ask("fields=spec.count&where[id][_eq]=2")).toEqual([{ spec: { count: null } }]);
    expect(
      await ask("fields=spec_by_car.sum(info.km)&order_by=-spec_by_car.sum(info.km)&limit=2"),
    ).toEqual([{ spec_by_car: { "sum_info.km": null } }, { spec_by_car: { "sum_info.km": null } }]);
    expect(
      await ask(
        "fields=id,spec_by_car.sum(info.km)&order_by=-spec_by_car.sum(info.km):nulls_last&limit=2",
      ),
    ).toEqual([
      { id: 1, spec_by_car: { "sum_info.km": "5" } },
      { id: 2, spec_by_car: { "sum_info.km": "2.5" } },
    ]);
  });

  it.each([
    ["spec,spec.seats", "QUERY_INVALID fields: spec is named as a whole"],
    ["spec.engine,spec.engine.kw", "QUERY_INVALID fields: spec.engine.kw is named as a whole"],
    ["spec.engine.kw,spec.engine", "QUERY_INVALID fields: spec.engine is named as a whole"],
    ["old.*", "FIELD_UNKNOWN fields: Unknown field old.*"],
    ["old.", "FIELD_UNKNOWN fields: Unknown field old."],
    ["old..x", "FIELD_UNKNOWN fields: Unknown field old..x"],
    ["plate.x", "FIELD_UNKNOWN fields: Unknown field plate.x"],
    ["secret.x", "FIELD_UNKNOWN fields: Unknown field secret.x"],
    [`spec${".x".repeat(21)}`, "QUERY_INVALID fields: A path into a document has at most 20 keys"],
  ])("fields=%s is refused", async (fields, message) => {
    expect(await ask(`fields=${fields}`)).toContain(`400 ${message}`);
  });

  it("takes 100 values, also with long names, and no more", async () => {
    const many = Array.from({ length: 101 }, (_, at) => `spec.k${at}`).join();
    expect(await ask(`fields=${many}`)).toBe(
      "400 QUERY_INVALID fields: This takes at most 100 values inside documents",
    );
    const paths = Array.from({ length: 99 }, (_, at) => `spec.k${at}${"x".repeat(at)}`);
    const [row] = (await ask(`fields=${paths.join()},spec.seats&where[id][_eq]=1`)) as [
      { spec: object },
    ];
    expect(Object.keys(row.spec)).toHaveLength(100);
    expect(row.spec).toMatchObject({ seats: 5, k1x: null });
  });

  it("an alias renames the document", async () => {
    expect(
      await ask(
        "fields=one:spec.seats,two:spec.color,one:spec.tags.0,car:driver.facts.rank&where[id][_eq]=1",
      ),
    ).toEqual([
      { one: { seats: 5, tags: { "0": "a" } }, two: { color: "red" }, car: { facts: { rank: 2 } } },
    ]);
    expect(await ask("fields=id:spec.seats,id")).toContain("id names two members of one object");
    expect(await ask("fields=x:spec.seats,x:old.n")).toContain("x names two members of one object");
  });

  it("beside * the parts replace the document", async () => {
    const [row] = (await ask("fields=*,spec.seats&where[id][_eq]=1")) as [object];
    expect(row).toMatchObject({ plate: "A", spec: { seats: 5 } });
  });

  it("a field that is hidden in a row has no parts there", async () => {
    expect(await ask("fields=id,part.x&order_by=id&where[id][_lt]=5")).toEqual([
      { id: 1, part: { x: 1 } },
      { id: 2, part: { x: 2 } },
      { id: 4 },
    ]);
    expect(await ids("order_by=-part.x:nulls_last")).toBe("2,1,4,5,6,7");
    expect(await ask("aggregate=sum(part.x),count(part.x),max(part.x)")).toEqual([
      { "sum_part.x": "3", "count_part.x": 2, "max_part.x": 2 },
    ]);
  });
});

describe("order by values inside documents", () => {
  it("compares as JSON does: numbers as numbers, kinds apart, nulls last", async () => {
    expect(await ids("order_by=spec.color")).toBe("1,2,6,7,4,5");
    expect(await ids("order_by=-spec.seats,-id")).toBe("5,4,7,6,2,1");
    expect(await ids("order_by=spec.seats:nulls_first,id")).toBe("4,5,1,2,6,7");
    expect(await ids("order_by=-driver.facts.rank:nulls_last,id")).toBe("5,6,1,2,4,7");
  });

  it.each(["-spec.seats", "spec.seats:nulls_first", "spec.color", "old.n", "-driver.facts.rank"])(
    "pages by cursor of order_by=%s have each row once",
    async (order) => {
      const whole = await ids(`order_by=${order}`);
      const seen: number[] = [];
      let cursor = "";
      do {
        const { status, body } = await client.list(
          user,
          "public/cars",
          `fields=id&limit=1&order_by=${order}${cursor}`,
        );
        expect(status).toBe(200);
        const { data, meta } = body as { data: { id: number }[]; meta?: { nextCursor?: string } };
        seen.push(...data.map(({ id }) => id));
        cursor = meta?.nextCursor === undefined ? "" : `&cursor=${meta.nextCursor}`;
      } while (cursor !== "");
      expect(seen.join()).toBe(whole);
    },
  );

  it("refuses documents of many rows and what is hidden", async () => {
    for (const [order, message] of [
      ["cars.spec.seats", "400 QUERY_INVALID order_by: Rows cannot be ordered by cars.spec.seats"],
      ["facts", "200"],
      ["nothing.x", "400 FIELD_UNKNOWN order_by: Unknown field nothing.x"],
    ] as const) {
      const answer = await ask(`order_by=${order}`, "drivers");
      expect(typeof answer === "string" ? answer : "200").toBe(message);
    }
    for (const name of ["secret", "nothing"]) {
      expect(await ask(`order_by=${name}.x`)).toBe(
        `400 FIELD_UNKNOWN order_by: Unknown field ${name}.x`,
      );
      expect(await ask(`aggregate=sum(${name}.x)`)).toBe(
        `400 FIELD_UNKNOWN aggregate: Unknown field ${name}.x`,
      );
      expect(await ask(`group_by=${name}.x`)).toBe(
        `400 FIELD_UNKNOWN group_by: Unknown field ${name}.x`,
      );
    }
  });
});

describe("aggregates of values inside documents", () => {
  it("groups compare as JSON does", async () => {
    expect(
      await ask("aggregate=count,sum(spec.seats)&group_by=spec.color&order_by=-count,spec.color"),
    ).toEqual([
      { "spec.color": "red", count: 2, "sum_spec.seats": "15" },
      { "spec.color": 1.5, count: 2, "sum_spec.seats": expect.stringMatching(/^2469135/) },
      { "spec.color": { h: 1 }, count: 1, "sum_spec.seats": null },
      { "spec.color": null, count: 1, "sum_spec.seats": null },
    ]);
  });

  it("sum and avg ignore what is no number; the least and the greatest value are those of the order", async () => {
    const of =
      "sum(spec.seats),avg(spec.seats),min(spec.seats),max(spec.seats),count(spec.seats),count_distinct(spec.seats)";
    expect(await ask(`aggregate=${of}&where[id][_lt]=6`)).toEqual([
      {
        "sum_spec.seats": "15",
        "avg_spec.seats": "7.5000000000000000",
        "min_spec.seats": 5,
        "max_spec.seats": 10,
        "count_spec.seats": 2,
        "count_distinct_spec.seats": 2,
      },
    ]);
    expect(await text("cars", "aggregate=max(spec.seats),count_distinct(spec.seats)")).toContain(
      `{"max_spec.seats":${digits}`,
    );
    expect(await ask("aggregate=sum(spec.engine.kw*2):twice,sum(driver.facts.rank):rank")).toEqual([
      { twice: "180", rank: "24" },
    ]);
    expect(
      await ask('aggregate=sum(spec."a.b"),min(spec.nothing)&having[sum_spec.a.b][_eq]=7'),
    ).toEqual([{ "sum_spec.a.b": "7", "min_spec.nothing": null }]);
  });

  it("a json document that PostgreSQL cannot convert is not read in a hidden row", async () => {
    expect(await ask("aggregate=sum(old.n),max(old.n)&where[id][_neq]=2")).toEqual([
      { "sum_old.n": "8.50", "max_old.n": 4 },
    ]);
  });

  it("functions that do not apply are refused", async () => {
    expect(await ask("group_by=date_trunc(day,spec.color)")).toContain("does not apply");
    expect(await ask("aggregate=sum(spec)")).toContain("sum_spec does not apply to this field");
    expect(await ask("aggregate=max(spec):most")).toContain(
      "The expression of most can only have fields with numbers",
    );
    expect(await ask("group_by=cars.spec.seats", "drivers")).toContain("crosses a to-many");
  });
});

describe("other readers", () => {
  it("an export has a column for each value", async () => {
    const exporter = createExporter(test.database);
    const query = 'fields=spec.seats,id,spec."a.b",driver.facts.rank&order_by=id';
    const csv = await exporter.csv(user, "public/cars", query);
    expect(String(csv).split("\r\n").slice(0, 5)).toEqual([
      "spec.seats,id,spec.a.b,driver.facts.rank",
      "5,1,,2",
      "10,2,7,2",
      ",4,,",
      ",5,,10",
    ]);
    expect(await exporter.csv(user, "public/cars", "fields=spec.color&where[id][_eq]=1")).toBe(
      'spec.color\r\n"""red"""\r\n',
    );
    expect(
      await exporter.ndjson(
        user,
        "public/cars",
        "fields=spec.seats&order_by=-spec.color&limit=2&where[id][_lt]=3",
      ),
    ).toContain('{"spec":{"seats":5}}');
  });

  it("a stored reading refuses them", async () => {
    const snapshot = await client.snapshots.current();
    const cars = snapshot.catalogue.relationByName("public", "cars");
    if (cars === undefined) throw new Error("no cars");
    const list: Reading = { kind: "LIST", fields: null, where: null, orderBy: [], limit: null };
    for (const [reading, path] of [
      [{ ...list, fields: ["id", "spec.seats"] }, "/data/fields"],
      [{ ...list, orderBy: ["spec.seats"] }, "/data/orderBy"],
    ] as const) {
      expect(faultsOfReading(reading, cars, snapshot, "/data")).toMatchObject([
        { code: "BODY_INVALID", path },
      ]);
    }
  });
});

describe("_path in a filter", () => {
  const where = (path: string, operand: unknown) =>
    `fields=id&where=${encodeURIComponent(JSON.stringify({ spec: { _path: { [path]: { _eq: operand } } } }))}`;

  it("reads paths as fields and order_by do", async () => {
    expect(await ask(where('"a.b"', 7))).toEqual([{ id: 2 }]);
    expect(await ask(where('"*"', 9))).toEqual([{ id: 2 }]);
    expect(await ask(where('""', 8))).toEqual([{ id: 2 }]);
    expect(await ask(where('""""', 4))).toEqual([{ id: 2 }]);
    expect(await ask(where('engine."kw"', 90))).toEqual([{ id: 1 }]);
    expect(await ask('fields=id&where[spec][_path]["a.b"][_eq]=7')).toEqual([{ id: 2 }]);
    expect(await ask(where("a.b", 7))).toEqual([]);
    for (const path of ["*", "a..b", ""]) {
      expect(await ask(where(path, 7))).toMatch(
        /^400 QUERY_INVALID .*A path must have 1 to 20 keys/,
      );
    }
  });

  it("reads them in the filter of a grant too", async () => {
    const rowFilter = { spec: { _path: { '"a.b"': { _eq: 7 } } } };
    const roleId = await createRole(test.database, "Quoted");
    const quoted = await createUser(test.database, "quoted@example.com", "Quoted");
    await grant(test.database, client.snapshots, roleId, "public/cars", {
      action: "READ",
      rowFilter,
    });
    const { body } = await client.list(quoted, "public/cars", "fields=id");
    expect(body).toEqual({ data: [{ id: 2 }] });
  });
});
