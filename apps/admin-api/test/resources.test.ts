// Tiers: usual, topologies.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
const ids: Record<string, string> = {};
beforeAll(async () => {
  api = await openTestEnvironment();
  await api.test.database.query("create schema fleet");
  await api.test.database.query(
    `create table fleet."odd. ""name" (id int primary key, "a.b" text not null default 'x')`,
  );
  await api.test.database.query("create view fleet.seen as select 1 as one");
  await api.test.database.query("create table public.plain (id int)");
  for (const resource of (await api.ask("GET", "/resources")).body.data) {
    ids[resource.name] = resource.id;
  }
});
afterAll(() => api.test.drop());

const patch = (name: string, exposedMethods: unknown) =>
  api.ask("PATCH", `/resources/${ids[name]}`, { exposedMethods });

describe("GET /admin/api/resources", () => {
  it("lists resources by schema and name, with search, filters and pages", async () => {
    const all = (await api.ask("GET", "/resources")).body;
    expect(all.meta).toEqual({ nextCursor: null });
    const names = all.data.map(
      (item: { schema: string; name: string }) => `${item.schema}.${item.name}`,
    );
    expect(names).toEqual([...names].sort());
    expect(names).toContain('fleet.odd. "name');
    const found: string[] = [];
    for (let cursor = ""; ; ) {
      const page = (await api.ask("GET", `/resources?limit=2${cursor}`)).body;
      expect(page.data.length).toBeLessThanOrEqual(2);
      found.push(
        ...page.data.map((item: { schema: string; name: string }) => `${item.schema}.${item.name}`),
      );
      if (page.meta.nextCursor === null) break;
      cursor = `&cursor=${page.meta.nextCursor}`;
    }
    expect(found).toEqual(names);
    expect((await api.ask("GET", "/resources?schema=fleet")).body.data).toHaveLength(2);
    expect((await api.ask("GET", "/resources?search=ODD")).body.data).toHaveLength(1);
    expect((await api.ask("GET", "/resources?schema=nope")).body.data).toEqual([]);
  });

  it("returns a resource with its columns, except secret ones", async () => {
    const odd = (await api.ask("GET", `/resources/${ids['odd. "name']}`)).body.data;
    expect(odd).toMatchObject({ kind: "TABLE", primaryKey: ["id"], exposedMethods: [] });
    expect(odd.columns[1]).toEqual({
      name: "a.b",
      dataType: "text",
      nullable: false,
      hasDefault: true,
      identity: null,
      generated: false,
    });
    const users = await api.ask("GET", `/resources/${ids.users}`);
    expect(JSON.stringify(users.body)).not.toContain("password_hash");
  });
});

describe("the description of a resource", () => {
  it("contains the kind, keys, relations, estimates and sizes", async () => {
    const run = (text: string) => api.test.database.query(text);
    await run("create schema shop");
    await run("create table shop.makers (id int primary key, name text unique)");
    await run(
      `create table shop.cars (id int primary key, maker_id int references shop.makers, plate text, built int,
         unique (plate, built))`,
    );
    await run("create table shop.logs (at date not null) partition by range (at)");
    await run(
      "create table shop.logs_1 partition of shop.logs for values from ('2020-01-01') to ('2030-01-01')",
    );
    await run("create materialized view shop.counted as select count(*) from shop.cars");
    await run("insert into shop.cars select i, null, i::text, 2000 from generate_series(1, 500) i");
    await run("analyze shop.cars");
    const { body } = await api.ask("GET", "/resources?schema=shop");
    const found = Object.fromEntries(body.data.map((item: { name: string }) => [item.name, item]));
    expect(found).toMatchObject({
      cars: { relationKind: "TABLE", rowEstimate: 500, label: null },
      counted: { relationKind: "MATERIALIZED_VIEW", kind: "VIEW" },
      logs: { relationKind: "PARTITIONED_TABLE", rowEstimate: null },
      makers: { rowEstimate: null },
    });
    const cars = (await api.ask("GET", `/resources/${found.cars.id}`)).body.data;
    expect(cars).toMatchObject({
      primaryKey: ["id"],
      uniqueKeys: [["id"], ["plate", "built"]],
      inherited: false,
      rowSecurity: null,
      relations: [
        {
          name: "maker",
          kind: "ONE",
          target: { id: found.makers.id, schema: "shop", name: "makers" },
          columns: [{ own: "maker_id", target: "id" }],
        },
      ],
    });
    expect(cars.tableBytes).toBeGreaterThan(20_000);
    expect(cars.indexBytes).toBeGreaterThan(20_000);
    const makers = (await api.ask("GET", `/resources/${found.makers.id}`)).body.data;
    expect(makers.relations).toMatchObject([{ name: "cars", kind: "MANY" }]);
    await run("insert into shop.logs values ('2025-01-01')");
    const logs = (await api.ask("GET", `/resources/${found.logs.id}`)).body.data;
    expect(logs.tableBytes).toBeGreaterThan(0);

    // A lock of another transaction does not delay the response.
    await api.test.database.transaction(async (transaction) => {
      await transaction.query("lock table shop.cars in access exclusive mode");
      const locked = await api.ask("GET", `/resources/${found.cars.id}`);
      expect([locked.status, locked.body.data.tableBytes]).toEqual([200, null]);
    });
  });

  it("a resource states that tables inherit from it, and that its row level security has no effect", async () => {
    const run = (text: string) => api.test.database.query(text);
    await run("create table shop.base (id int primary key, code text)");
    await run("create unique index on shop.base (code)");
    await run("create unique index on shop.base (id, code) where code <> ''");
    await run("create table shop.derived () inherits (shop.base)");
    await run("alter table shop.base enable row level security");
    const { body } = await api.ask("GET", "/resources?schema=shop&search=base");
    expect((await api.ask("GET", `/resources/${body.data[0].id}`)).body.data).toMatchObject({
      primaryKey: [],
      uniqueKeys: [["id"], ["code"]],
      inherited: true,
      rowSecurity: "IGNORED",
    });
    const refused = await api.ask("PATCH", `/resources/${body.data[0].id}`, { history: true });
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].message).toMatch(/^Other tables inherit from this one/);
    await run("drop table shop.base cascade");
  });

  it("a table with exactly two foreign keys can be marked as a junction", async () => {
    const run = (text: string) => api.test.database.query(text);
    await run("create table shop.tags (id int primary key, word text)");
    await run(
      `create table shop.car_tags (id int primary key, car_id int references shop.cars, tag_id int references shop.tags)`,
    );
    const { data } = (await api.ask("GET", "/resources?schema=shop")).body;
    const found = Object.fromEntries(data.map((item: { name: string }) => [item.name, item]));
    expect(found.car_tags).toMatchObject({ junction: false });
    const relationsOf = async (name: string) =>
      (await api.ask("GET", `/resources/${found[name].id}`)).body.data.relations;
    const mark = (name: string, junction: unknown) =>
      api.ask("PATCH", `/resources/${found[name].id}`, { junction });
    expect(await relationsOf("tags")).toMatchObject([{ name: "car_tags", foreignKey: "TARGET" }]);
    expect((await mark("car_tags", true)).body.data).toMatchObject({ junction: true });
    expect(await relationsOf("tags")).toMatchObject([
      { name: "car_tags", kind: "MANY", foreignKey: "TARGET", junction: null },
      {
        ...{ name: "cars", kind: "MANY", foreignKey: "JUNCTION", columns: [] },
        target: { id: found.cars.id, schema: "shop", name: "cars" },
        junction: { id: found.car_tags.id, schema: "shop", name: "car_tags" },
      },
    ]);
    for (const [name, message] of [
      ["cars", "A junction has exactly two foreign keys; this table has 1"],
      ["tags", "A junction has exactly two foreign keys; this table has 0"],
      ["counted", "A view has no foreign keys, and so is no junction"],
    ] as const) {
      const refused = await mark(name, true);
      expect([refused.status, refused.body.errors]).toEqual([
        400,
        [{ code: "BODY_INVALID", path: "/data/junction", message }],
      ]);
      expect((await mark(name, false)).status).toBe(200);
    }
    expect((await mark("car_tags", "yes")).status).toBe(400);
    const several = [
      { id: found.car_tags.id, junction: false },
      { id: found.cars.id, junction: true },
    ];
    expect((await api.ask("PATCH", "/resources", several)).body.errors).toMatchObject([
      { path: "/data/1/junction" },
    ]);
    expect(await relationsOf("tags")).toHaveLength(2);
    await api.ask("PATCH", "/resources", several.slice(0, 1));
    expect(await relationsOf("tags")).toHaveLength(1);
    await run("drop table shop.car_tags, shop.tags");
  });

  it("can be filtered by kind and exposure, and searched by label", async () => {
    const names = async (query: string) =>
      (await api.ask("GET", `/resources?schema=shop&${query}`)).body.data.map(
        (item: { name: string }) => item.name,
      );
    expect(await names("kind=VIEW")).toEqual(["counted"]);
    expect(await names("kind=TABLE&search=S_1")).toEqual(["logs_1"]);
    expect(await names("exposed=true")).toEqual([]);
    const [makers] = (await api.ask("GET", "/resources?schema=shop&search=makers")).body.data;
    const changed = await api.ask("PATCH", `/resources/${makers.id}`, {
      exposedMethods: ["GET"],
      label: "Brands",
      description: "Who builds cars",
    });
    expect(changed.body.data).toMatchObject({ label: "Brands", description: "Who builds cars" });
    expect(await names("exposed=true")).toEqual(["makers"]);
    expect(await names("exposed=false&kind=TABLE")).toEqual(["cars", "logs", "logs_1"]);
    expect(await names("search=brands")).toEqual(["makers"]);
    const relabelled = await api.ask("PATCH", `/resources/${makers.id}`, { label: null });
    expect(relabelled.body.data).toMatchObject({
      label: null,
      description: "Who builds cars",
      exposedMethods: ["GET"],
    });
    const log = await api.ask("GET", `/audit-log?targetId=${makers.id}`);
    expect(log.body.data.map((entry: { changedFields: string[] }) => entry.changedFields)).toEqual([
      ["label"],
      ["exposedMethods", "label", "description"],
    ]);
    for (const query of ["kind=OTHER", "exposed=maybe", "kind=VIEW&kind=TABLE"]) {
      expect((await api.ask("GET", `/resources?${query}`)).status).toBe(400);
    }
  });
});

describe("PATCH /admin/api/resources/{id}", () => {
  it("exposes methods in a fixed order and hides them again, with an audit entry for each change", async () => {
    const answer = await patch("plain", ["DELETE", "GET"]);
    expect([answer.status, answer.body.data.exposedMethods]).toEqual([200, ["GET", "DELETE"]]);
    expect((await patch("plain", [])).body.data.exposedMethods).toEqual([]);
    const log = await api.ask("GET", `/audit-log?targetId=${ids.plain}`);
    expect(log.body.data).toHaveLength(2);
    expect(log.body.data[0]).toMatchObject({
      action: "resource.update",
      targetKind: "resource",
      changedFields: ["exposedMethods"],
    });
  });

  it("refuses a method that the resource cannot have, without a change", async () => {
    const before = await api.traces();
    const at = (index: number) => `BODY_INVALID /data/exposedMethods/${index}`;
    expect((await patch("seen", ["GET", "POST", "DELETE"])).faults).toEqual([at(1), at(2)]);
    expect((await patch("plain", ["GET", "GET"])).faults).toEqual([at(1)]);
    expect((await patch("plain", ["PUT", 1])).faults).toEqual([at(0), at(1)]);
    expect((await patch("plain", "GET")).faults).toEqual(["BODY_INVALID /data/exposedMethods"]);
    const unknown = await api.ask("PATCH", `/resources/${ids.plain}`, {
      exposedMethods: [],
      kind: 1,
    });
    expect(unknown.faults).toEqual(["BODY_INVALID /data/kind"]);
    const texts = await api.ask("PATCH", `/resources/${ids.plain}`, { label: "", description: 1 });
    expect(texts.faults).toEqual(["BODY_INVALID /data/label", "BODY_INVALID /data/description"]);
    expect((await api.ask("PATCH", `/resources/${ids.plain}`, {})).status).toBe(200);
    expect(await api.traces()).toBe(before);
  });

  it("exposes a view and a table of the system schema for reading", async () => {
    expect((await patch("seen", ["GET"])).status).toBe(200);
    expect((await patch("users", ["GET"])).status).toBe(200);
  });
});

describe("a method that a rule of the table prevents", () => {
  it("cannot be exposed, and is not exposed while the rule exists", async () => {
    const run = (text: string) => api.test.database.query(text);
    expect((await patch("plain", ["GET", "POST", "DELETE"])).status).toBe(200);
    await run("create rule kept as on delete to public.plain do instead nothing");
    await expect
      .poll(async () => (await api.ask("GET", `/resources/${ids.plain}`)).body.data.exposedMethods)
      .toEqual(["GET", "POST"]);
    const refused = await patch("plain", ["GET", "DELETE"]);
    expect([refused.status, refused.body.errors[0]]).toEqual([
      400,
      expect.objectContaining({
        code: "BODY_INVALID",
        path: "/data/exposedMethods/1",
        message: expect.stringContaining("A rule of the table (create rule) prevents DELETE"),
      }),
    ]);
    await run("drop rule kept on public.plain");
    expect((await patch("plain", [])).status).toBe(200);
  });
});
