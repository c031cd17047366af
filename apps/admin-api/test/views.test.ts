// Tiers: usual, topologies.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
beforeAll(async () => {
  api = await openTestEnvironment();
  const run = (text: string) => api.test.database.query(text);
  await run("create schema fleet");
  await run("create schema geo");
  await run("create type fleet.mood as enum ('happy', 'sad')");
  await run("create table fleet.drivers (id int primary key, name text not null, mood fleet.mood)");
  await run(
    `create table fleet.trips (id int primary key, driver_id int references fleet.drivers,
       km numeric(9,1), "odd ""name" text, started timestamptz)`,
  );
  await run("insert into fleet.drivers values (1, 'Ada', 'happy'), (2, 'Ben', null)");
  await run("insert into fleet.trips values (1, 1, 10.5), (2, 1, 2), (3, 2, 7)");
  await run(
    "create function geo.twice(x int) returns int immutable language sql as 'select x * 2'",
  );
  await run("create function geo.waits(x int) returns int volatile language sql as 'select x'");
  await run("create function geo.looks(x int) returns int stable language sql as 'select x'");
  await run("create operator geo.%%% (leftarg = int, rightarg = int, function = int4mul)");
  await run("create function geo.bad(a int, b int) returns int language sql as 'select a'");
  await run("create operator geo.### (leftarg = int, rightarg = int, function = geo.bad)");
  await run("create aggregate geo.worst (int) (sfunc = geo.bad, stype = int)");
});
afterAll(() => api.test.drop());

const at = "/schema/fleet/views";
const create = (name: string, definition: string, more: object = {}) =>
  api.ask("POST", at, { name, definition, ...more });
const replace = (name: string, definition: string, more: object = {}) =>
  api.ask("PUT", `${at}/${name}`, { definition, ...more });
const read = async (name: string) => (await api.ask("GET", `${at}/${name}`)).body.data;
const resource = async (id: string) => (await api.ask("GET", `/resources/${id}`)).body.data;
const rows = (name: string) => api.test.database.query(`select * from fleet.${name}`);
const messages = (answer: Answer) =>
  answer.body.errors.map((fault: { message: string }) => fault.message);
/** Runs SQL like another client. */
const run = (text: string) => api.test.database.query(text);
const preview = async (answer: Promise<Answer>): Promise<string> =>
  (await answer).body.data.sql.join(";\n");

describe("POST /admin/api/schema/{schema}/views", () => {
  it("creates a hidden view as previewed, with an audit entry", async () => {
    const body = {
      name: "busy",
      definition:
        "select d.name, count(*) as trips from trips t join drivers d on d.id = t.driver_id group by d.name",
      comment: "Who drives",
    };
    expect(await preview(api.ask("POST", `${at}/preview`, body))).toBe(
      `create view "fleet"."busy" as
SELECT d.name, pg_catalog.count(*) AS trips FROM fleet.trips AS t JOIN fleet.drivers AS d ON d.id = t.driver_id GROUP BY d.name;
comment on view "fleet"."busy" is 'Who drives'`,
    );
    expect((await api.ask("GET", `${at}/busy`)).status).toBe(404);
    const answer = await api.ask("POST", at, body);
    expect([answer.status, answer.body.data]).toEqual([
      201,
      { resourceId: expect.any(String), schema: "fleet", name: "busy" },
    ]);
    expect(await resource(answer.body.data.resourceId)).toMatchObject({
      kind: "VIEW",
      exposedMethods: [],
      comment: "Who drives",
    });
    expect(await rows("busy")).toHaveLength(2);
    const log = await api.ask("GET", `/audit-log?targetId=${answer.body.data.resourceId}`);
    expect(log.body.data.map((entry: { action: string }) => entry.action)).toEqual(["view.create"]);
  });

  it("refuses a name in use and a schema that is not a user schema", async () => {
    expect((await create("trips", "select 1 as a")).faults).toEqual(["CONFLICT /data/name"]);
    for (const schema of ["nope", "system", "pg_catalog", "information_schema", "rowhouse_queue"]) {
      const answer = await api.ask("POST", `/schema/${schema}/views`, {
        name: "v",
        definition: "select 1 as a",
      });
      expect(answer.faults).toEqual(["NOT_FOUND"]);
    }
  });

  it("reports faults of form with their paths", async () => {
    const answer = await api.ask("POST", at, {
      name: "",
      definition: 1,
      extra: 1,
      indexes: [{ columns: [] }],
    });
    expect(answer.faults.sort()).toEqual([
      "BODY_INVALID /data/definition",
      "BODY_INVALID /data/extra",
      "BODY_INVALID /data/indexes/0/columns",
      "BODY_INVALID /data/name",
    ]);
    expect((await create("v".repeat(64), "select 1 as a")).faults).toEqual([
      "BODY_INVALID /data/name",
    ]);
  });

  it.each([
    ["select nope from trips", "This column does not exist, near nope"],
    ['select t."no pe" from trips t', 'This column does not exist, near t."no pe"'],
    ["select 1 from missing", "The table or view fleet.missing does not exist"],
    ["select 1 from public.trips", "The table or view public.trips does not exist"],
    [
      "select id from trips, drivers",
      "Several columns have this name; qualify it with the table's name, near id",
    ],
    ["select id, id from trips", "Two columns of the view have the same name"],
    [
      "select name, count(*) from drivers",
      "A column must appear in GROUP BY or in an aggregate, near name",
    ],
    ["select 1 as a from drivers where 'x'::int = 1", "A constant does not fit its type, near 'x'"],
    [
      "select km + name from trips, drivers",
      "No function or operator accepts values of these types, near +",
    ],
    ["select 1 as a union select 1, 2", "The definition is inconsistent"],
    ["select 'x'::fleet.nope", "This type does not exist"],
    ["select '{trips}'::_regclass", "This type does not exist"],
    ["select geo.nope(1)", "No function or operator accepts values of these types, near geo.nope"],
    [
      "select twice(1)",
      "The function twice is not allowed in a view; qualify a function of your own with its schema",
    ],
    [
      "select geo.waits(1)",
      "geo.waits is not allowed in a view; functions of your own must be declared IMMUTABLE",
    ],
    [
      "select geo.looks(id) as x from trips",
      "geo.looks is not allowed in a view; functions of your own must be declared IMMUTABLE",
    ],
    [
      "select 1 operator(geo.###) 2 as x",
      "geo.bad is not allowed in a view; functions of your own must be declared IMMUTABLE",
    ],
    [
      "select geo.worst(id) as x from trips",
      "geo.worst is not allowed in a view; functions of your own must be declared IMMUTABLE",
    ],
    ["select * from system.users", "A view cannot read the schema system"],
  ])("refuses %s with a message of its own, without a change", async (definition, message) => {
    const before = await api.traces();
    for (const path of [at, `${at}/preview`]) {
      const answer = await api.ask("POST", path, { name: "bad", definition });
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0].path).toBe("/data/definition");
      expect(messages(answer)[0]).toContain(message);
    }
    expect(await api.traces()).toBe(before);
  });

  it("allows immutable functions and operators of the user's database", async () => {
    const definition = "select geo.twice(id) as x, id operator(geo.%%%) 2 as y from trips";
    expect((await create("twice", definition)).status).toBe(201);
    expect((await rows("twice"))[0]).toEqual({ x: 2, y: 2 });
  });

  it("accepts a name with any characters", async () => {
    const name = `it's "odd". ; -- [*] Größe`;
    const made = await create(name, 'select "odd ""name" as "b.c" from trips', {
      comment: "it's \\ fine",
    });
    expect(made.status).toBe(201);
    const view = await read(encodeURIComponent(name));
    expect(view).toMatchObject({ name, comment: "it's \\ fine", columns: [{ name: "b.c" }] });
    const dropped = await api.ask(
      "DELETE",
      `${at}/${encodeURIComponent(name)}?confirm=${encodeURIComponent(name)}`,
    );
    expect(dropped.status).toBe(204);
  });
});

describe("GET /admin/api/schema/{schema}/views", () => {
  it("lists views by name, searched, page by page", async () => {
    const names = async (query: string) => {
      const { body } = await api.ask("GET", `${at}${query}`);
      return body.data.map((view: { name: string }) => view.name);
    };
    expect(await names("")).toEqual(["busy", "twice"]);
    expect(await names("?search=USY")).toEqual(["busy"]);
    const first = (await api.ask("GET", `${at}?limit=1`)).body;
    expect(await names(`?limit=1&cursor=${first.meta.nextCursor}`)).toEqual(["twice"]);
    expect(first.data[0]).toEqual({
      resourceId: expect.any(String),
      schema: "fleet",
      name: "busy",
      materialized: false,
      comment: "Who drives",
      columns: 2,
      populated: true,
    });
    expect((await api.ask("GET", "/schema/system/views")).faults).toEqual(["NOT_FOUND"]);
  });

  it("returns the definition of a view in the form that it accepts, and its source columns", async () => {
    const view = await read("busy");
    expect(view).toMatchObject({ materialized: false, comment: "Who drives", populated: true });
    expect(view.columns).toEqual([
      {
        name: "name",
        dataType: "text",
        comment: null,
        source: {
          resourceId: expect.any(String),
          schema: "fleet",
          table: "drivers",
          column: "name",
        },
      },
      { name: "trips", dataType: "bigint", comment: null, source: null },
    ]);
    expect((await replace("busy", view.definition)).body.data).toEqual(view);
  });

  it("returns 404 for a table and for views of other schemas", async () => {
    for (const path of [`${at}/trips`, `${at}/nope`, "/schema/system/views/secret_columns"]) {
      expect((await api.ask("GET", path)).faults).toEqual(["NOT_FOUND"]);
    }
  });
});

describe("the source of a view column", () => {
  it.each([
    ["an alias", "select t.km as length from trips t", "fleet.trips.km"],
    ["a star", "select * from (select km from trips) x", "fleet.trips.km"],
    [
      "an outer join",
      "select d.name from trips t left join drivers d on d.id = t.driver_id",
      "fleet.drivers.name",
    ],
    [
      "USING",
      "select id from trips join (select id as id, 1 as one from drivers) d using (id)",
      "fleet.trips.id",
    ],
    ["WITH", "with a as (select km as x from trips) select x from a", "fleet.trips.km"],
    ["a view over a view", "select name from busy", "fleet.drivers.name"],
    [
      "a lateral subquery",
      "select l.km from drivers d, lateral (select km from trips where driver_id = d.id) l",
      "fleet.trips.km",
    ],
    ["a group", "select mood from drivers group by mood", "fleet.drivers.mood"],
    ["a sum", "select sum(km) as km from trips", null],
    ["a cast", "select km::text as km from trips", null],
    ["a coalesce", "select coalesce(name, '') as name from drivers", null],
    ["a full join's USING", "select id from trips full join drivers using (id)", null],
    ["a union", "select km from trips union all select km from trips", null],
    [
      "a union in a subquery",
      "select km from (select km from trips union select km from trips) x",
      null,
    ],
    ["a constant", "select 'a' as a", null],
    ["an aggregate of a view", "select trips from busy", null],
    ["a subquery as a value", "select (select max(name) from drivers) as name", null],
    ["a row of VALUES", "select a from (values (1)) v (a)", null],
    ["a system column", "select tableoid from trips", null],
    [
      "text with braces",
      "select name as \"a } :resno 1 {\" from drivers where name <> '})(:x \\ '",
      "fleet.drivers.name",
    ],
  ])("%s", async (_, definition, source) => {
    expect((await create("one", definition)).status).toBe(201);
    const [column] = (await read("one")).columns;
    const from = column.source;
    expect(from === null ? null : `${from.schema}.${from.table}.${from.column}`).toBe(source);
    expect((await api.ask("DELETE", `${at}/one?confirm=one`)).status).toBe(204);
  });

  it("is reported for each column separately", async () => {
    const definition =
      "select t.id, t.km * 2 as twice, d.name, null as none, t.started from trips t join drivers d on d.id = t.driver_id order by t.km, 2";
    await create("several", definition);
    const { columns } = await read("several");
    const sources = columns.map((column: { source: { column: string } | null }) => column.source);
    expect(sources.map((source: { column: string } | null) => source?.column)).toEqual([
      ...["id", undefined, "name", undefined, "started"],
    ]);
    await api.ask("DELETE", `${at}/several?confirm=several`);
  });

  it("follows renamed columns of the table and of the view", async () => {
    await create("lengths", "select km from trips");
    await run("alter view fleet.lengths rename column km to kilometres");
    await run("alter table fleet.trips rename column km to length");
    const { columns } = await read("lengths");
    expect(columns).toMatchObject([{ name: "kilometres", source: { column: "length" } }]);
    await run("alter table fleet.trips rename column length to km");
  });
});

describe("PUT /admin/api/schema/{schema}/views/{view}", () => {
  it("keeps the record, its exposure, and the properties that the body omits", async () => {
    const { resourceId } = (await create("kept", "select id, km from trips")).body.data;
    await run("comment on view fleet.kept is 'Stays'");
    await run("alter view fleet.kept set (security_barrier = true)");
    await api.ask("PATCH", `/resources/${resourceId}`, { exposedMethods: ["GET"] });
    const definition = "select id, km, id * 2 as twice from trips where km > 5";
    const text = await preview(
      api.ask("POST", `${at}/kept/preview`, { action: "replace", definition }),
    );
    expect(text).toBe(
      `create or replace view "fleet"."kept" with (security_barrier = 'true') as
SELECT id, km, id * 2 AS twice FROM fleet.trips WHERE km > 5`,
    );
    const answer = await replace("kept", definition);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ resourceId, comment: "Stays" });
    expect(await resource(resourceId)).toMatchObject({ exposedMethods: ["GET"] });
    expect(await rows("kept")).toHaveLength(2);
    const [options] = await run(
      "select reloptions::text as set from pg_class where oid = 'fleet.kept'::regclass",
    );
    expect(options).toEqual({ set: "{security_barrier=true}" });
    expect((await replace("kept", definition, { comment: null })).body.data.comment).toBeNull();
  });

  it("reports for each column why Postgres cannot replace the view", async () => {
    const before = await read("kept");
    const answer = await replace("kept", "select km, id::bigint as id, 1 as more from trips");
    expect(answer.status).toBe(409);
    expect(answer.body.errors.map((fault: { details: object }) => fault.details)).toEqual([
      { column: "id", change: "MOVED" },
      { column: "km", change: "MOVED" },
      { column: "twice", change: "DROPPED" },
    ]);
    const retyped = await replace(
      "kept",
      "select id, km::numeric(5,1) as km, 1 as twice from trips",
    );
    expect(messages(retyped)).toEqual(["km would change from numeric(9,1) to numeric(5,1)"]);
    const collated = 'select id, km, id * 2 as twice, name collate "C" as name from trips, drivers';
    const { faults } = await replace("kept", `${collated} where drivers.id = trips.id`);
    expect(faults[0]).toBe("EXPRESSION_INVALID /data/definition");
    expect(await read("kept")).toEqual(before);
  });

  it("refuses a view that reads itself", async () => {
    expect((await replace("kept", "select * from kept")).faults).toEqual([
      "EXPRESSION_INVALID /data/definition",
    ]);
    await create("above", "select * from kept");
    const cycle = await replace("kept", "select * from above");
    expect(cycle.faults).toEqual(["EXPRESSION_INVALID /data/definition"]);
  });

  it("returns CONFLICT while another client locks the view", async () => {
    let release: () => void = () => undefined;
    const held = api.test.database.transaction(async (transaction) => {
      await transaction.query("lock table fleet.trips in access exclusive mode");
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    await expect
      .poll(() =>
        run(
          "select 1 from pg_locks where mode = 'AccessExclusiveLock' and relation = 'fleet.trips'::regclass",
        ),
      )
      .toHaveLength(1);
    const answer = await create("waits", "select id from trips");
    release();
    await held;
    expect(answer.status).toBe(409);
  });
});

describe("DELETE /admin/api/schema/{schema}/views/{view}", () => {
  it("requires the view's name, and reports its dependents and the deleted records", async () => {
    const { resourceId } = await read("kept");
    for (const query of ["", "?confirm=", "?confirm=above", "?confirm=fleet.kept"]) {
      expect((await api.ask("DELETE", `${at}/kept${query}`)).faults).toEqual([
        "QUERY_INVALID confirm",
      ]);
    }
    await run(
      `insert into system.grants (role_id, resource_id, action, all_fields)
       select id, '${resourceId}', 'READ', true from system.roles where name = 'Drivers'`,
    );
    await run(
      `insert into system.data_views (name, resource_id, definition) values ('Mine', '${resourceId}', '{}')`,
    );
    await run(
      `with d as (insert into system.dashboards (name) values ('Morning') returning id)
       insert into system.dashboard_panels (dashboard_id, id, position, kind, resource_id, definition)
       select id, 'first', 0, 'LIST', '${resourceId}', '{}' from d`,
    );
    const dropping = { action: "drop" };
    expect((await api.ask("POST", `${at}/kept/preview`, dropping)).body.data).toEqual({
      sql: ['drop view "fleet"."kept"'],
      dependents: [{ kind: "view", name: "fleet.above" }],
      loses: {
        ...{ exposedMethods: ["GET"], roles: ["Drivers"] },
        ...{ dataViews: ["Mine"], dashboards: ["Morning"] },
      },
    });
    const refused = await api.ask("DELETE", `${at}/kept?confirm=kept`);
    expect([refused.status, messages(refused)]).toEqual([
      409,
      ["view fleet.above depends on this view"],
    ]);
    await api.ask("DELETE", `${at}/above?confirm=above`);
    expect((await api.ask("DELETE", `${at}/kept?confirm=kept`)).status).toBe(204);
    expect((await api.ask("GET", `${at}/kept`)).status).toBe(404);
    expect((await api.ask("GET", `/resources/${resourceId}`)).status).toBe(404);
    const log = await api.ask("GET", `/audit-log?targetId=${resourceId}&action=view.drop`);
    expect(log.body.data).toHaveLength(1);
  });

  it("a view created later with the same name is hidden and has no grants", async () => {
    const made = await create("kept", "select id, km from trips");
    expect((await resource(made.body.data.resourceId)).exposedMethods).toEqual([]);
    const grants = await api.ask("GET", `/grants?resourceId=${made.body.data.resourceId}`);
    expect(grants.body.data).toEqual([]);
  });
});
