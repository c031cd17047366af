// Tiers: usual, topologies.
import { createAnswerCheck, documentFaults, expose } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// `/api/openapi`: a caller with a credential gets a document of the available operations.

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment();
});
afterAll(() => environment.stop());

const documentOf = async (as: string, query = "?exports=true") =>
  (await environment.ask("GET", `/api/openapi${query}`, { as })).body;
const operationsOf = (paths: Record<string, object>) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );

/** The media types of the bodies that a document describes. */
function mediaTypesOf(document: object): string[] {
  const found = new Set<string>();
  const seek = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      // A property of a schema may have the name too.
      if (name === "content") for (const type of Object.keys(inner)) found.add(type);
      seek(inner);
    }
  };
  const { paths, components } = document as Record<"paths" | "components", Record<string, object>>;
  seek([paths, components.responses]);
  return [...found].filter((type) => type.includes("/")).sort();
}

describe("a caller's own document", () => {
  it("has no findings of public validators", async () => {
    for (const { secret } of [environment.admin, environment.member]) {
      expect(await documentFaults(await documentOf(secret))).toEqual([]);
    }
  });

  it("has exactly the mounted routes of sign-in and of workflows", async () => {
    const { paths } = await documentOf(environment.member.secret);
    const mounted = (await environment.services())
      .flatMap((service) => service.routes)
      .filter(({ path }) => path.startsWith("/api/") && !path.startsWith("/api/:schema"))
      // The protocol of uploads: OPTIONS describes it, and the route of GET serves HEAD.
      .filter(
        ({ method, path }) =>
          method !== "OPTIONS" && !(method === "GET" && path.startsWith("/api/files/uploads/")),
      )
      // Middleware is listed under ALL; the webhook accepts every method, and serves the two that can be configured.
      .flatMap(({ method, path }) =>
        method !== "ALL"
          ? [{ method, path }]
          : path.endsWith("/webhook")
            ? [
                { method: "GET", path },
                { method: "POST", path },
              ]
            : [],
      )
      .map(
        ({ method, path }) =>
          `${method} ${path.replaceAll(/:(\w+)(?:\{(?:[^{}]|\{[^{}]*\})*\})?/g, "{$1}")}`,
      );
    const documented = operationsOf(paths).filter((operation) => !operation.includes("/table/"));
    expect(documented.sort()).toEqual([...new Set(mounted)].sort());
  });

  it("has the rows that its reader can access by all roles together", async () => {
    const rowsOf = async (as: string) =>
      operationsOf((await documentOf(as)).paths).filter((operation) =>
        operation.includes("/table/"),
      );
    expect(await rowsOf(environment.member.secret)).toEqual([
      "GET /api/public/table/things",
      "POST /api/public/table/things/query",
      "GET /api/public/table/things/{id}",
    ]);
    expect(await rowsOf(environment.admin.secret)).toHaveLength(8);
  });

  it("states which routes are public, and which reject a token", async () => {
    const { paths } = await documentOf(environment.member.secret);
    expect(paths["/api/auth/login"].post.security).toEqual([]);
    expect(paths["/api/auth/tokens"].get.security).toEqual([{ session: [] }]);
    expect(paths["/api/auth/me"].get.security).toBe(undefined);
  });

  it("has JSON alone unless it is requested with exports, whose operations it leaves out", async () => {
    const { secret } = environment.admin;
    const plain = await documentOf(secret, "");
    expect(plain).toEqual(await documentOf(secret, "?exports=false"));
    expect(mediaTypesOf(plain)).toEqual(["application/json"]);
    const files = await documentOf(secret);
    expect(mediaTypesOf(files)).toEqual([
      "*/*",
      "application/json",
      "application/octet-stream",
      "application/offset+octet-stream",
      "application/x-ndjson",
      "multipart/form-data",
      "text/csv",
    ]);
    expect(await documentFaults(plain)).toEqual([]);
    const kept = operationsOf(plain.paths);
    const left = operationsOf(files.paths).filter((operation) => !kept.includes(operation));
    expect(left.sort()).toEqual([
      "DELETE /api/files/uploads/{id}",
      "GET /api/files/{id}",
      "GET /api/files/{id}/{name}",
      "PATCH /api/files/uploads/{id}",
      "POST /api/files",
      "POST /api/files/uploads",
      "PUT /api/files/{id}/content",
    ]);
    for (const path of ["/admin/api/openapi", "/app/api/openapi"]) {
      const { body } = await environment.ask("GET", path, { as: secret });
      expect(mediaTypesOf(body), path).toEqual(["application/json"]);
      expect(await documentFaults(body), path).toEqual([]);
      const more = await environment.ask("GET", `${path}?exports=true`, { as: secret });
      expect(mediaTypesOf(more.body), path).toContain("text/csv");
      expect(await documentFaults(more.body), path).toEqual([]);
    }
    for (const path of ["/api/openapi", "/admin/api/openapi", "/app/api/openapi"]) {
      const { status, faults } = await environment.ask("GET", `${path}?exports=yes`, {
        as: secret,
      });
      expect([status, ...faults]).toEqual([400, "QUERY_INVALID exports"]);
    }
  });

  // `ask` compares each response with the document of its caller.
  describe("describes the responses to every construct of the query language:", () => {
    beforeAll(async () => {
      const { database } = environment.test;
      const run = (sql: string) => database.query(sql);
      await run(`create type public.mood as enum ('calm', 'cross')`);
      await run(`create table public.cars (id bigint primary key, plate text not null, price numeric not null, mood mood,
        facts jsonb, stay tstzrange, tags text[], "a.b" int, count int)`);
      await run(
        "create table public.legs (id int primary key, car_id bigint not null references cars, km numeric not null, at timestamptz not null, note text)",
      );
      await run(
        "create table public.stops (id int primary key, leg_id int not null references legs, name text)",
      );
      await run(
        "create table public.papers (car_id bigint primary key references cars, valid date not null)",
      );
      await run("create table public.drivers (id int primary key, name text not null)");
      await run(
        "create table public.car_drivers (car_id bigint references cars, driver_id int references drivers, primary key (car_id, driver_id))",
      );
      await run(`insert into cars values
        (1, 'A', 10.50, 'calm', '{"seats": 4, "engine": {"kw": 90}}', '[2024-01-01,2024-02-01)', '{a,b}', 7, 1), (2, 'B', 8, null, null, null, null, null, null)`);
      await run(
        `insert into legs values (1, 1, 12.5, '2024-01-01T05:00Z', 'to the old town'), (2, 1, 7, '2024-02-03T06:00Z', null), (3, 1, 1, '2024-02-04T07:00Z', 'old')`,
      );
      await run("insert into stops values (1, 1, 'x'), (2, 1, 'y')");
      await run("insert into papers values (1, '2030-01-01')");
      await run(
        "insert into drivers values (1, 'Ada'), (2, 'Ben'); insert into car_drivers values (1, 1), (1, 2)",
      );
      for (const name of ["cars", "legs", "stops", "papers", "drivers", "car_drivers"]) {
        await expose(database, "public", name, "GET", "POST", "PATCH", "DELETE");
      }
      const call = async (method: string, path: string, data?: unknown) => {
        const options = data === undefined ? {} : { body: { data } };
        const as = environment.admin.secret;
        return (await environment.ask(method, `/admin/api${path}`, { as, ...options })).body.data;
      };
      const [{ id: roleId }] = await call("GET", "/roles?search=Members");
      for (const { id, name } of await call("GET", "/resources?schema=public&limit=100")) {
        if (name === "things" || name === "stops") continue;
        const rowFilter = name === "legs" ? { km: { _gt: 2 } } : null;
        await call("POST", "/grants", { roleId, resourceId: id, action: "READ", rowFilter });
      }
    });

    const cars = "/api/public/table/cars?order_by=id&";
    const legs = "/api/public/table/legs?order_by=id&";
    it.each([
      [`${cars}fields=*,legs,papers,drivers`, 2],
      [`${cars}fields=plate,legs.count,legs.sum(km),legs.avg(km),legs.max(at),legs.min(note)`, 2],
      [`${cars}fields=plate,legs.sum(km*2):twice,legs.count_distinct(note)`, 2],
      [`${cars}fields=plate,legs.stops.count,drivers.count`, 2],
      [`${cars}where[legs][_count][_gte]=2&where[legs][_count][_where][km][_gt]=1`, 1],
      [
        `${cars}fields=legs.count,legs.sum(km)&deep[legs][group_by]=note,date_trunc(month,at),date_part(weekday,at)&deep[legs][having][count][_gte]=1`,
        2,
      ],
      [`${cars}fields=legs.count&deep[legs][group_by]=car.plate&deep[legs][limit]=1`, 2],
      [
        `${cars}fields=plate,legs.id,legs.stops.name&deep[legs][cursor]=true&deep[legs][limit]=1&where[id][_eq]=1`,
        1,
      ],
      ["/api/public/table/cars/1?fields=legs.id&deep[legs][cursor]=true&deep[legs][limit]=1", 1],
      [
        "/api/public/table/cars/1?fields=n:plate,boss:papers.d:valid,long:legs.km,short:legs.k:km,all:legs.count,d:drivers.n:name",
        1,
      ],
      [
        `${cars}fields=n:plate,long:legs.km,short:legs.id&deep[long][where][km][_gt]=8&deep[short][limit]=1&deep[short][offset]=1`,
        2,
      ],
      [`${cars}fields=plate,page:legs.k:km&deep[page][cursor]=true`, 2],
      [`${legs}fields=id,car.plate,car.p:papers.valid,car.other:legs.id`, 3],
      ["/api/public/table/cars?fields=facts.seats,facts.engine.kw&order_by=-facts.seats", 2],
      [
        "/api/public/table/cars?aggregate=count(*),sum(facts.seats),max(facts.seats)&group_by=facts.seats,mood",
        2,
      ],
      [
        "/api/public/table/legs?aggregate=sum(km*car.price/2):cost,avg(km),min(at)&group_by=car.plate,date_part(weekday,at)",
        3,
      ],
      [`${cars}where[stay][_contains_value]=2024-01-05&where[tags][_in]={a,b},{}`, 1],
      [`${legs}where[at][_part][weekday][_in]=1,6&where[km][_lt]=$FIELD.car.price`, 1],
      [
        "/api/public/table/legs?order_by=-_rank&where[note][_search][text]=old&where[note][_search][mode]=prefix",
        2,
      ],
    ])("%s", async (path, rows) => {
      for (const { secret } of [environment.admin, environment.member]) {
        const { status, body } = await environment.ask("GET", path, { as: secret });
        const isAdmin = secret === environment.admin.secret;
        // The member may not read stops.
        expect(status, JSON.stringify(body)).toBe(isAdmin || !path.includes("stops") ? 200 : 400);
        if (isAdmin) expect([body.data].flat()).toHaveLength(rows);
      }
    });

    it("a query with a body, a change of a part of a document, and a deletion that returns its row", async () => {
      const { secret } = environment.admin;
      const data = { fields: ["n:plate", "legs.count"], deep: { legs: { group_by: ["note"] } } };
      const list = await environment.ask("POST", "/api/public/table/cars/query", {
        as: secret,
        body: { data },
      });
      expect(list.body.data[0].legs).toHaveLength(3);
      const change = { facts: { $set: { "engine.kw": 95 } } };
      const changed = await environment.ask("PATCH", "/api/public/table/cars/1", {
        as: secret,
        body: { data: change },
      });
      expect(changed.body.data.facts.engine.kw).toBe(95);
      for (const path of ["drivers/2", "car_drivers/1,2"].reverse()) {
        const headers = { Prefer: "return=representation" };
        const gone = await environment.ask("DELETE", `/api/public/table/${path}`, {
          as: secret,
          headers,
        });
        expect(gone.status).toBe(200);
      }
    });

    it("exactly: another type, or an unknown member of a page or a related row, does not match", async () => {
      const document = await documentOf(environment.admin.secret);
      const { check } = createAnswerCheck(document, { formats: false });
      const differs = (legs: unknown, query = "") => {
        const text = JSON.stringify({ data: [{ legs }] });
        const path = `/api/public/table/cars${query}`;
        return () =>
          check({ method: "GET", path, status: 200, contentType: "application/json", text });
      };
      const row = { id: 1, km: "1", car: { plate: "A", legs: { count: 1 } } };
      for (const fits of [
        [row],
        { data: [row] },
        { data: [], nextCursor: "x" },
        { count: 3 },
        { sum_km: "1" },
      ]) {
        differs(fits)();
      }
      for (const fault of [
        ...[
          7,
          null,
          [1],
          { count: "3" },
          [{ ...row, km: 1 }],
          [{ ...row, more: 1 }],
          { data: [{ km: 1 }] },
        ],
        { data: [row], cursor: "x" },
      ]) {
        expect(differs(fault), JSON.stringify(fault)).toThrow("does not match its schema");
      }
      differs([{ own: 1 }], "?fields=legs.own:km")();
      expect(differs([{ km: 1 }], "?fields=legs.own:km")).toThrow("does not match its schema");
    });
  });
});
