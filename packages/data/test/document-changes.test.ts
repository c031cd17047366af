import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { parseExactJson } from "@rowhouse/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, grant } from "./engine.ts";

const digits = "123456789012345678901234567890123456789012345678901234567890.5";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let writer: TestUser;
let clerk: TestUser;
let blind: TestUser;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  const roles = new Map<string, string>();
  for (const name of ["Writers", "Clerks", "Blind"]) {
    roles.set(name, await createRole(test.database, name));
  }
  writer = await createUser(test.database, "writer@example.com", "Writers");
  clerk = await createUser(test.database, "clerk@example.com", "Clerks");
  blind = await createUser(test.database, "blind@example.com", "Blind");
  await test.database.query(`
    create domain public.facts as jsonb;
    create table public.cars (id int primary key, spec jsonb, old json, facts public.facts, note text, ready boolean not null default true)`);
  await expose(test.database, "public", "cars", "GET", "POST", "PATCH", "DELETE");
  const allow = (role: string, input: Omit<Parameters<typeof grant>[4], never>) =>
    grant(test.database, client.snapshots, roles.get(role) ?? "", "public/cars", input);
  for (const action of ["READ", "CREATE", "UPDATE"] as const) await allow("Writers", { action });
  await allow("Clerks", { action: "READ", rowFilter: { ready: { _eq: true } } });
  await allow("Clerks", {
    action: "UPDATE",
    fields: ["spec"],
    check: { spec: { _path: { seats: { _lt: 10 } } } },
  });
  await allow("Blind", { action: "UPDATE" });
});
afterAll(() => test.drop());

let last = 0;
/** Creates a row with this document, as SQL. */
async function car(spec: string, more = "null, null, null, true"): Promise<string> {
  last += 1;
  await test.database.query(`insert into public.cars values (${last}, ${spec}, ${more})`);
  return String(last);
}
const put = (id: string, data: object, user = writer, options = {}) =>
  client.update(user, "public/cars", id, data, options);
const text = async (id: string, column = "spec"): Promise<string | undefined> => {
  const [row] = await test.database.query<{ v: string }>(
    `select ${column}::text as v from public.cars where id = $1::int`,
    [id],
  );
  return row?.v;
};
const error = ({ body, status }: { status: number; body: unknown }): string => {
  const [fault] = (body as { errors: { code: string; path: string }[] }).errors;
  return `${status} ${fault?.code} ${fault?.path}`;
};

describe("a change of parts of a document", () => {
  it("sets values by paths, creates objects on the way, and removes keys", async () => {
    const id = await car(
      `'{"seats": 2, "color": "red", "engine": {"kw": 90}, "tags": [1, 2, 3], "x": {"y": 1, "z": 2}}'`,
    );
    const answer = await put(id, {
      spec: {
        $set: { seats: 5, "engine.fuel": "gas", "a.b.c": [1], 'k."x.y"': null, '""': {} },
        $unset: ["color", "x.y", "nothing.at.all", "tags.0"],
      },
    });
    expect(answer).toMatchObject({ status: 200 });
    expect((answer.body as { data: { spec: unknown } }).data.spec).toEqual({
      seats: 5,
      engine: { kw: 90, fuel: "gas" },
      a: { b: { c: [1] } },
      k: { "x.y": null },
      "": {},
      x: { z: 2 },
      tags: [2, 3],
    });
  });

  it("keeps the digits of numbers", async () => {
    const id = await car(`'{"a": ${digits}}'`);
    await put(id, parseExactJson(`{"spec": {"$set": {"b": ${digits}}}}`) as object);
    expect(await text(id)).toBe(`{"a": ${digits}, "b": ${digits}}`);
  });

  it("begins with an object where there is null, and $unset leaves null", async () => {
    const id = await car("null");
    expect(await put(id, { spec: { $unset: ["a"] } })).toMatchObject({ status: 200 });
    expect(await text(id)).toBeNull();
    await put(id, {
      spec: { $set: { "a.b": 1 } },
      old: { $set: { c: 1 } },
      facts: { $set: { d: true } },
    });
    expect([await text(id), await text(id, "old"), await text(id, "facts")]).toEqual([
      '{"a": {"b": 1}}',
      '{"c": 1}',
      '{"d": true}',
    ]);
  });

  it("a document of this form is stored with $value, and by POST as it is", async () => {
    const id = await car("'{}'");
    const odd = { $set: { a: 1 }, $unset: ["b"] };
    await put(id, { spec: { $value: odd }, old: { $value: { $value: 1 } } });
    expect(await text(id)).toBe('{"$set": {"a": 1}, "$unset": ["b"]}');
    expect(await text(id, "old")).toBe('{"$value":1}');
    await put(id, { spec: { $value: null } });
    expect(await text(id)).toBe("null");
    // With another key beside, it is a document.
    await put(id, { spec: { $set: { a: 1 }, other: 1 } });
    expect(await text(id)).toBe('{"$set": {"a": 1}, "other": 1}');
    last += 1;
    await client.create(writer, "public/cars", { id: last, spec: odd });
    expect(await text(String(last))).toBe('{"$set": {"a": 1}, "$unset": ["b"]}');
    // A text takes no such object.
    expect(error(await put(id, { note: { $set: { a: 1 } } }))).toBe("400 VALUE_INVALID /data/note");
  });

  it.each([
    ["'[1]'", { $set: { a: 1 } }],
    ["'5'", { $set: { a: 1 } }],
    [`'{"a": 5}'`, { $set: { "a.b": 1 } }],
    [`'{"a": [1]}'`, { $set: { "a.0": 1 } }],
    ["'[1]'", { $unset: ["0"], $set: { b: 1 } }],
  ])("%s does not take %o", async (spec, change) => {
    const id = await car(spec);
    const before = await text(id);
    expect(error(await put(id, { note: "x", spec: change }))).toBe("409 CONFLICT /data/spec");
    expect([await text(id), await text(id, "note")]).toEqual([before, null]);
  });

  it.each([
    [{ $set: 5 }, "400 BODY_INVALID /data/spec"],
    [{ $unset: "a" }, "400 BODY_INVALID /data/spec"],
    [{ $unset: [5] }, "400 BODY_INVALID /data/spec"],
    [{ $set: { a: 1 }, $value: 1 }, "400 BODY_INVALID /data/spec"],
    [{ $set: { "a..b": 1 } }, "400 BODY_INVALID /data/spec"],
    [{ $set: { a: 1, "a.b": 2 } }, "400 BODY_INVALID /data/spec"],
    [{ $set: { a: 1 }, $unset: ["a"] }, "400 BODY_INVALID /data/spec"],
    [{ $set: { [`a${".b".repeat(20)}`]: 1 } }, "400 BODY_INVALID /data/spec"],
    [{ $set: { a: "\0" } }, "400 VALUE_INVALID /data/spec/$set/a"],
    [{ $value: "\ud800" }, "400 VALUE_INVALID /data/spec/$value"],
  ])("%o is refused", async (spec, message) => {
    expect(error(await put(await car("'{}'"), { spec }))).toBe(message);
  });

  it("a number that PostgreSQL rejects is named by its path", async () => {
    const data = parseExactJson('{"spec": {"$set": {"a": 1, "b": 1e999999}}}') as object;
    expect(error(await put(await car("'{}'"), data))).toBe("400 VALUE_INVALID /data/spec/$set/b");
  });

  it("many values and __proto__ are no problem", async () => {
    const id = await car("'{}'");
    const set = Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`k${at}`, at]));
    const whole = JSON.parse(JSON.stringify(set).replace("{", '{"__proto__":1,')) as object;
    expect(await put(id, { spec: { $set: whole } })).toMatchObject({ status: 200 });
    expect(Object.keys(JSON.parse((await text(id)) ?? "{}") as object)).toHaveLength(100);
  });
});

describe("writers of parts", () => {
  it("a change waits for another transaction and keeps its part", async () => {
    const id = await car(`'{"seats": 2}'`);
    let answer: ReturnType<typeof put> | undefined;
    await test.database.transaction(async (other) => {
      await other.query(
        `update public.cars set spec = spec || '{"color": "red"}' where id = $1::int`,
        [id],
      );
      answer = put(id, { spec: { $set: { seats: 5 } } });
      answer.catch(() => {});
      let waits = 0;
      for (let tries = 0; waits === 0 && tries < 2000; tries += 1) {
        const [row] = await test.database.query<{ waits: string }>(
          "select count(*)::text as waits from pg_stat_activity where wait_event_type = 'Lock' and query like '%\"cars\"%'",
        );
        waits = Number(row?.waits);
      }
      expect(waits).toBe(1);
    });
    expect(await answer).toMatchObject({
      status: 200,
      body: { data: { spec: { seats: 5, color: "red" } } },
    });
  });

  it("twenty writers of twenty parts lose nothing", async () => {
    const id = await car("null");
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => put(id, { spec: { $set: { [`a.k${at}`]: at } } })),
    );
    const { a } = JSON.parse((await text(id)) ?? "{}") as { a: object };
    expect(Object.keys(a)).toHaveLength(20);
  });
});

describe("the rights of a change", () => {
  it("the check of a grant sees the new document, and If-Match the old row", async () => {
    const id = await car(`'{"seats": 2, "color": "red"}'`);
    expect(error(await put(id, { spec: { $set: { seats: 11 } } }, clerk))).toContain("403");
    expect(await put(id, { spec: { $set: { seats: 9 } } }, clerk)).toMatchObject({ status: 200 });
    expect(error(await put(id, { spec: { $unset: ["seats"] } }, clerk))).toContain("403");
    const read = await client.read(writer, "public/cars", id);
    const ifMatch = [read.headers?.ETag?.slice(1, -1) ?? ""];
    expect(await put(id, { spec: { $set: { a: 1 } } }, writer, { ifMatch })).toMatchObject({
      status: 200,
    });
    expect(error(await put(id, { spec: { $set: { a: 2 } } }, writer, { ifMatch }))).toContain(
      "412",
    );
    expect(await text(id)).toBe('{"a": 1, "color": "red", "seats": 9}');
  });

  it("requires READ on the field, in the row", async () => {
    const id = await car(`'{"seats": 2}'`);
    expect(error(await put(id, { spec: { $set: { seats: 3 } } }, blind))).toBe(
      "400 FIELD_UNKNOWN /data/spec",
    );
    expect(await put(id, { spec: { $value: { $set: {} } } }, blind)).toMatchObject({ status: 200 });
    const hidden = await car("'[1]'", "null, null, null, false");
    const open = await car("'[1]'");
    const answers = [hidden, open].map((one) => put(one, { spec: { $set: { seats: 3 } } }, clerk));
    const [one, two] = await Promise.all(answers);
    expect(one).toEqual(two);
    expect(one).toMatchObject({ status: 409 });
    const object = await car("'{}'", "null, null, null, false");
    expect(await put(object, { spec: { $set: { seats: 3 } } }, clerk)).toEqual(two);
  });

  it("many rows change or none", async () => {
    await test.database.query("delete from public.cars");
    await Promise.all([car("'{}'"), car(`'{"a": 1}'`), car("null")]);
    const many = (data: object) =>
      client.updateMany(writer, "public/cars", "where[ready][_eq]=true&max_affected=5", data);
    const { body, status } = await many({ spec: { $set: { "b.c": 1 } } });
    expect(status).toBe(200);
    const { data } = body as { data: { spec: unknown }[] };
    expect(data.map(({ spec }) => JSON.stringify(spec)).sort()).toEqual([
      '{"a":1,"b":{"c":1}}',
      '{"b":{"c":1}}',
      '{"b":{"c":1}}',
    ]);
    const id = await car("'[]'");
    expect(error(await many({ spec: { $set: { d: 1 } } }))).toBe("409 CONFLICT /data/spec");
    expect(await text(String(Number(id) - 1))).toBe('{"b": {"c": 1}}');
  });

  it("a batch has changes; a reference to a document of this form is a value", async () => {
    const id = await car("'{}'");
    const path = "/api/public/table/cars";
    const answer = await client.batch(writer, [
      { method: "PATCH", path: `${path}/${id}`, data: { spec: { $set: { a: 1 } } } },
      { method: "PATCH", path: `${path}/${id}`, data: { spec: { $set: { b: 2 } } } },
      { method: "POST", path, data: { id: 900, spec: { $set: { c: 3 } } } },
      { method: "PATCH", path: `${path}/${id}`, data: { old: { $ref: "2.spec" } } },
    ]);
    expect(answer).toMatchObject({ status: 200 });
    expect([await text(id), await text(id, "old")]).toEqual([
      '{"a": 1, "b": 2}',
      '{"$set":{"c":3}}',
    ]);
  });
});
