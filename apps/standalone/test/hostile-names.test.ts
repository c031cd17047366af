// Tier: long. Creates thousands of operators and functions, and starts the service several times.
import { readFile } from "node:fs/promises";
import type { Database } from "@rowhouse/db";
import { createTestDatabase, expose, signIn } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EventEnvironment, startEventEnvironment } from "./event-environment.ts";
import { downloadFile, uploadFile } from "./files.ts";

/** Creates all extensions that the server has, in the schema of the users' tables. */
async function addExtensions(database: Database): Promise<void> {
  const found = await database.query<{ name: string }>(
    "select name from pg_available_extensions where installed_version is null order by name",
  );
  const failed: string[] = [];
  for (const { name } of found) {
    const made = database.transaction(async (transaction) => {
      // The test's event trigger would give the types to the service's login.
      await transaction.query("set local session_replication_role = replica");
      await transaction.query(`create extension if not exists "${name}" schema public cascade`);
    });
    await made.catch(() => failed.push(name));
  }
  // These need a library that the machine may lack.
  expect(failed.filter((name) => !/pl(perl|python|tcl)/.test(name))).toEqual([]);
}

const places = [
  [
    "with every extension of the server",
    async () => {
      const test = await createTestDatabase({ login: "service" });
      await addExtensions(test.database);
      return test;
    },
  ],
  [
    "with operators, functions and types of PostgreSQL's names behind pg_catalog",
    () => createTestDatabase({ login: "service", names: "LAST" }),
  ],
  [
    "with a search path that names pg_catalog last",
    () => createTestDatabase({ login: "service", names: "FIRST" }),
  ],
] as const;

/** Routes without a parameter in their path. */
async function plainRoutes(): Promise<string[]> {
  const found = new Set<string>();
  for (const api of ["admin", "api", "app"]) {
    const file = `../../../packages/client/src/api/${api}-operations.generated.ts`;
    const text = await readFile(new URL(file, import.meta.url), "utf8");
    for (const [, path = ""] of text.matchAll(/"GET (\/[a-z/-]+)"/g)) found.add(path);
  }
  return [...found].sort();
}

describe.each(places)("a database %s", (_, prepare) => {
  let environment: EventEnvironment;

  beforeAll(async () => {
    const test = await prepare();
    await test.database.query(`
        create type mood as enum ('sad', 'fine');
        create domain short as varchar(5);
        create table owners (id int primary key, name text not null);
        create table kinds (id int primary key, owner_id int references owners (id), t text, v varchar(20), c char(3), m mood,
          s short, n numeric(10,2), b boolean, u uuid, d date, at timestamptz, i interval, j jsonb, texts text[], ints int[],
          moods mood[], r int4range, doc tsvector generated always as (to_tsvector('pg_catalog.english', coalesce(t, ''))) stored,
          net inet, bytes bytea);
        create index on kinds using gin (doc);
        create view shown as select id, name from owners;
        insert into owners values (1, 'Ada'), (2, 'Bo');
        insert into kinds (id, owner_id, t, v, c, m, s, n, b, u, d, at, i, j, texts, ints, moods, r, net, bytes)
        select g, g % 2 + 1, 'text ' || g::text, 'v' || g::text, 'c', 'fine', 's', g, true, gen_random_uuid(), '2020-01-01', now(), 'P1D',
          '{"a": {"b": 1}}', '{a,b}', '{1,2}', '{fine}', '[1,5)', '10.0.0.1', '\\x00'
        from generate_series(1, 20) g`);
    for (const name of ["owners", "kinds"]) {
      await expose(test.database, "public", name, "GET", "POST", "PATCH", "DELETE");
    }
    await expose(test.database, "public", "shown", "GET");
    await expose(test.database, "system", "files", "GET", "POST");
    environment = await startEventEnvironment(test);
  });
  afterAll(() => environment.stop());

  const kinds = "/public/table/kinds";
  const where = (filter: unknown) => `where=${encodeURIComponent(JSON.stringify(filter))}`;
  const read = async (query: string) => {
    const answer = await environment.data("GET", `${kinds}?${query}`);
    expect([query, answer.status, answer.body.errors]).toEqual([query, 200, undefined]);
    return answer.body;
  };

  it("is ready", async () => {
    expect((await fetch(`${environment.url()}/readyz`)).status).toBe(200);
  });

  it("filters by every operator", async () => {
    const scalars = {
      ...{
        t: "text 1",
        v: "v1",
        c: "c",
        m: "fine",
        s: "s",
        n: "1",
        b: "true",
        d: "2020-01-01",
        i: "P1D",
      },
      ...{
        at: "2020-01-01T00:00:00Z",
        net: "10.0.0.1",
        bytes: "\\x00",
        r: "[1,5)",
        texts: "{a,b}",
      },
      ...{
        ints: "{1,2}",
        moods: "{fine}",
        u: "3ad9d1d5-2e2a-4a5c-9ad5-0d8e4a3f3f3f",
        j: '{"a": {"b": 1}}',
      },
    };
    for (const [field, value] of Object.entries(scalars)) {
      for (const operator of ["_eq", "_neq", "_lt", "_lte", "_gt", "_gte"]) {
        await read(where({ [field]: { [operator]: value } }));
      }
      await read(where({ [field]: { _in: [value] } }));
      await read(where({ [field]: { _nin: [value] } }));
      await read(where({ [field]: { _between: [value, value] } }));
      await read(where({ [field]: { _null: true } }));
      await read(`order_by=${field},-id&limit=2`);
      await read(`aggregate=count,count_distinct(${field})&group_by=${field}`);
    }
    for (const field of ["t", "v", "c", "m", "s"]) {
      for (const operator of [
        "_like",
        "_ilike",
        "_contains",
        "_icontains",
        "_starts_with",
        "_regex",
        "_iregex",
      ]) {
        await read(where({ [field]: { [operator]: "a" } }));
      }
    }
    for (const filter of [
      { texts: { _has: "a" } },
      { texts: { _has_any: ["a"] } },
      { ints: { _has_all: ["1"] } },
      { ints: { _has_only: ["1", "2"] } },
      { moods: { _has_any: ["fine"] } },
      { r: { _contains_value: "2" } },
      { r: { _overlaps: "[2,3)" } },
      { r: { _contained_by: "[0,9)" } },
      { r: { _adjacent: "[5,9)" } },
      { j: { _json_contains: '{"a": {}}' } },
      { j: { _has_key: "a" } },
      { j: { _path: { a: { _neq: "1" } } } },
      { t: { _search: "text" } },
      { doc: { _search: "text" } },
      { t: { _eq: "$FIELD.v" } },
      { at: { _part: { weekday: { _in: ["6", "7"] } } } },

      { at: { _eq: "$PERIOD.this_month" } },
      { at: { _lt: "$NOW" } },
      { "owner.name": { _eq: "Ada" } },
    ]) {
      await read(where(filter));
    }
  });

  it("reads pages, relations, documents, counts, aggregates and exports", async () => {
    let cursor = "";
    for (let page = 0; page < 3; page += 1) {
      const { meta } = await read(`order_by=t,v&limit=8${cursor}`);
      if (meta?.nextCursor === undefined) break;
      cursor = `&cursor=${meta.nextCursor}`;
    }
    await read(
      "fields=id,owner.name,owner.kinds.t&deep[owner.kinds][limit]=2&count=exact&offset=1",
    );
    await read("search=text");
    await read(
      "aggregate=count,min(t),max(v),sum(n),avg(n),min(at),max(m)&group_by=owner.name&order_by=-count",
    );
    await read(`aggregate=count&group_by=date_trunc(month,at),date_part(weekday,d)`);
    await read(`aggregate=max(n)&group_by=b&having=${encodeURIComponent('{"max_n":{"_gt":"1"}}')}`);
    const answer = await environment.data("GET", "/public/table/owners/1?fields=name,kinds.id");
    expect(answer).toMatchObject({ status: 200, body: { data: { name: "Ada" } } });
    expect((await environment.data("GET", "/public/view/shown")).status).toBe(200);
  });

  it("writes rows one by one, in lists, by filters and over keys", async () => {
    const row = {
      id: 100,
      t: "x",
      v: "y",
      m: "sad",
      n: "1.5",
      texts: ["a"],
      ints: [1],
      j: { a: 1 },
      bytes: "AA==",
    };
    expect((await environment.data("POST", kinds, row)).status).toBe(201);
    expect((await environment.data("POST", kinds, [{ ...row, id: 101 }, { id: 102 }])).status).toBe(
      201,
    );
    const upsert = `${kinds}?on_conflict=id&resolution=merge`;
    expect((await environment.data("POST", upsert, [{ id: 102, t: "merged" }])).status).toBe(201);
    const changed = { moods: ["fine"], j: { $set: { a: 2 } }, r: "[1,2)" };
    expect((await environment.data("PATCH", `${kinds}/100`, changed)).status).toBe(200);
    const many = `${kinds}?where[id][_gte]=100&max_affected=5`;
    expect((await environment.data("PATCH", many, { v: "z" })).status).toBe(200);
    expect((await environment.data("DELETE", `${kinds}/101`)).status).toBe(204);
    expect((await environment.data("DELETE", many)).status).toBe(204);
    expect((await environment.data("POST", kinds, { id: "x" })).status).toBe(400);
    expect((await environment.data("POST", kinds, { id: 1 })).status).toBe(409);
  });

  it("runs workflows that watch a table", async () => {
    const watch = { table: "owners", on: ["insert", "update", "delete"] };
    const workflow = await environment.watch(watch);
    expect(
      (await environment.data("POST", "/public/table/owners", { id: 7, name: "C" })).status,
    ).toBe(201);
    expect(await environment.inputs(workflow, 1)).toMatchObject([{ new: { id: 7 } }]);
    await environment.settled();
  });

  it("stores files", async () => {
    const login = await fetch(`${environment.url()}/api/auth/login`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(signIn),
    });
    const { data } = (await login.json()) as { data: { token: string } };
    const id = await uploadFile({ url: environment.url() }, data.token, "a.txt", "text");
    expect(await downloadFile({ url: environment.url() }, data.token, id)).toEqual([200, "text"]);
  });

  it("answers every route of the pages", async () => {
    const failed: unknown[] = [];
    for (const path of await plainRoutes()) {
      const [, api = ""] = /^\/(admin\/api|app\/api|api)\//.exec(path) ?? [];
      const answer = await environment.data("GET", api === "api" ? path.slice(4) : `/..${path}`);
      if (answer.status >= 500) failed.push([path, answer.status, answer.body]);
    }
    expect(failed).toEqual([]);
  });
});
