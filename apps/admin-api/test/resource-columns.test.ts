// Tiers: usual, topologies.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
const ids: Record<string, string> = {};
/** Runs SQL like another client. */
const run = (text: string) => api.test.database.query(text);
beforeAll(async () => {
  api = await openTestEnvironment();
  await run("create schema fleet");
  await run("create type fleet.mood as enum ('happy', 'sad')");
  await run(
    `create table fleet.trips (id int primary key, km numeric(9,1), status text, mood fleet.mood, fine boolean,
       started timestamptz, day date, took interval, doc jsonb, tags text[], scores int[], big bigint, "a/b.c" text,
       place point)`,
  );
  await run("create view fleet.long as select id, km as length, km * 2 as twice from fleet.trips");
  await run("create view fleet.longer as select length, twice, id from fleet.long");
  await remember();
});
afterAll(() => api.test.drop());

const remember = async () => {
  for (const resource of (await api.ask("GET", "/resources?schema=fleet")).body.data) {
    ids[resource.name] = resource.id;
  }
};
const at = (resource: string, column = "") =>
  `/resources/${ids[resource]}/columns${column === "" ? "" : `/${encodeURIComponent(column)}`}`;
const patch = (resource: string, column: string, data: object) =>
  api.ask("PATCH", at(resource, column), data);
const read = async (resource: string, column: string) =>
  (await api.ask("GET", at(resource, column))).body.data;

describe("the presentation of a column", () => {
  it("can be set and removed part by part, and the audit log names the parts", async () => {
    const label = await patch("trips", "km", { label: "Distance" });
    expect([label.status, label.body.data]).toEqual([
      200,
      {
        ...{ name: "km", dataType: "numeric", nullable: true, hasDefault: false, identity: null },
        ...{ generated: false, comment: null, values: null, label: "Distance", format: null },
        ...{ colors: null, isFile: false, source: null, relationName: null, relation: null },
        uses: [],
      },
    ]);
    const format = { type: "number", decimals: 1, grouping: true };
    const colors = [
      { value: null, color: "gray" },
      { from: 0, to: "100.5", color: "green" },
      { from: "100.5", color: "red" },
    ];
    await patch("trips", "km", { format, colors });
    expect(await read("trips", "km")).toMatchObject({ label: "Distance", format, colors });
    await patch("trips", "km", { label: null, colors: [] });
    expect(await read("trips", "km")).toMatchObject({ label: null, format, colors: null });
    expect((await patch("trips", "km", {})).body.data).toMatchObject({ format });
    const log = await api.ask("GET", `/audit-log?targetId=${ids.trips}`);
    expect(log.body.data.map((entry: { changedFields: string[] }) => entry.changedFields)).toEqual([
      ["columns.km.label", "columns.km.colors"],
      ["columns.km.format", "columns.km.colors"],
      ["columns.km.label"],
    ]);
    await patch("trips", "km", { format: null, colors: null });
    expect(await run("select 1 from system.resource_columns")).toEqual([]);
  });

  it("is listed for every column in order, for any column name", async () => {
    expect((await patch("trips", "a/b.c", { label: "Odd" })).status).toBe(200);
    const { data } = (await api.ask("GET", at("trips"))).body;
    expect(data.map((column: { name: string }) => column.name).slice(-3)).toEqual([
      ...["big", "a/b.c", "place"],
    ]);
    expect(data.find((column: { label: string }) => column.label === "Odd").name).toBe("a/b.c");
    expect(data[3].values).toEqual(["happy", "sad"]);
    expect((await api.ask("GET", at("trips", "nope"))).status).toBe(404);
    expect((await patch("trips", "nope", { label: "x" })).status).toBe(404);
  });

  it("returns 404 for a secret column", async () => {
    const [users] = (await api.ask("GET", "/resources?search=system.users")).body.data;
    const columns = await api.ask("GET", `/resources/${users.id}/columns`);
    expect(JSON.stringify(columns.body)).not.toContain("password_hash");
    const answer = await api.ask("PATCH", `/resources/${users.id}/columns/password_hash`, {
      label: "x",
    });
    expect(answer.status).toBe(404);
  });

  it.each([
    ["km", { type: "currency", currency: "EUR", decimals: 2 }],
    ["km", { type: "percent", whole: 1 }],
    ["big", { type: "bytes" }],
    ["big", { type: "duration", unit: "milliseconds" }],
    ["took", { type: "duration" }],
    ["scores", { type: "rating", max: 5 }],
    ["day", { type: "date", style: "long" }],
    ["started", { type: "datetime", seconds: true }],
    ["started", { type: "time" }],
    ["fine", { type: "boolean", true: "Yes", false: "No" }],
    ["status", { type: "email" }],
    ["status", { type: "url" }],
    ["status", { type: "phone" }],
    ["status", { type: "markdown" }],
    ["tags", { type: "image" }],
    ["doc", { type: "json" }],
    ["doc", { type: "code", language: "json" }],
    ["place", { type: "text" }],
  ])("accepts for %s the format %j", async (column, format) => {
    const answer = await patch("trips", column, { format });
    expect([answer.status, answer.body.data?.format]).toEqual([200, format]);
  });

  it.each([
    ["status", { format: { type: "number" } }, "/data/format"],
    ["km", { format: { type: "email" } }, "/data/format"],
    ["km", { format: { type: "currency" } }, "/data/format/currency"],
    ["km", { format: { type: "currency", currency: "EURO" } }, "/data/format/currency"],
    ["km", { format: { type: "number", decimals: 21 } }, "/data/format/decimals"],
    ["km", { format: { type: "number", digits: 1 } }, "/data/format/digits"],
    ["km", { format: { type: "sparkline" } }, "/data/format/type"],
    ["km", { format: { type: "duration" } }, "/data/format"],
    ["took", { format: { type: "duration", unit: "hours" } }, "/data/format"],
    ["day", { format: { type: "datetime" } }, "/data/format"],
    ["doc", { format: { type: "boolean" } }, "/data/format"],
    ["km", { label: "" }, "/data/label"],
    ["km", { label: "x".repeat(201) }, "/data/label"],
    ["km", { color: "red" }, "/data/color"],
    ["km", { colors: [{ value: "x", color: "red" }] }, "/data/colors/0/value"],
    ["mood", { colors: [{ value: "glad", color: "red" }] }, "/data/colors/0/value"],
    ["mood", { colors: [{ from: "happy", color: "red" }] }, "/data/colors/0/from"],
    ["fine", { colors: [{ value: "perhaps", color: "red" }] }, "/data/colors/0/value"],
    ["started", { colors: [{ to: "soon", color: "red" }] }, "/data/colors/0/to"],
    ["doc", { colors: [{ value: "{}", color: "red" }] }, "/data/colors"],
    ["km", { colors: [{ value: 1, color: "#ff0000" }] }, "/data/colors/0/color"],
    ["km", { colors: [{ color: "red" }] }, "/data/colors/0"],
    ["km", { colors: [{ value: 1, from: 2, color: "red" }] }, "/data/colors/0"],
    ["km", { colors: Array(101).fill({ value: 1, color: "red" }) }, "/data/colors"],
  ])("refuses for %s %j", async (column, data, path) => {
    const before = await read("trips", column);
    const answer = await patch("trips", column, data);
    expect(answer.status).toBe(400);
    expect(answer.faults[0]).toMatch(/^BODY_INVALID \/data/);
    expect(answer.faults.join()).toContain(path);
    expect(await read("trips", column)).toEqual(before);
  });

  it("accepts colors by value for texts, enums, booleans, dates and array elements", async () => {
    const colors = (value: unknown) => [{ value, color: "blue" }];
    for (const [column, value] of [
      ["status", "OPEN"],
      ["mood", "sad"],
      ["fine", true],
      ["day", "2026-01-31"],
      ["scores", 3],
      ["tags", "new"],
    ] as const) {
      const answer = await patch("trips", column, { colors: colors(value) });
      expect([column, answer.body.data?.colors]).toEqual([column, colors(value)]);
    }
  });
});

describe("a column that refers to a file", () => {
  beforeAll(async () => {
    await run(
      `create table fleet.papers (id int primary key, scan_id uuid references system.files (id),
         folder_id uuid references system.folders (id), plain uuid)`,
    );
    await run("create view fleet.scans as select id, scan_id as scan from fleet.papers");
    await remember();
  });

  it("is marked, also in a view, and has the formats file and image besides text", async () => {
    expect(await read("papers", "scan_id")).toMatchObject({ isFile: true, format: null });
    expect(await read("scans", "scan")).toMatchObject({ isFile: true, format: null });
    for (const type of ["text", "file", "image"]) {
      const answer = await patch("papers", "scan_id", { format: { type } });
      expect([answer.status, answer.body.data?.format]).toEqual([200, { type }]);
    }
    expect(await read("scans", "scan")).toMatchObject({ format: { type: "image" } });
    expect((await patch("papers", "scan_id", { format: { type: "url" } })).status).toBe(400);
  });

  it.each(["folder_id", "plain"])(
    "is none without a foreign key to files alone: %s",
    async (column) => {
      expect(await read("papers", column)).toMatchObject({ isFile: false });
      for (const type of ["file", "image"]) {
        expect((await patch("papers", column, { format: { type } })).status).toBe(400);
      }
    },
  );

  it("is shown as a file to every person, until it has another format or no foreign key", async () => {
    const formats = async () => {
      for (const name of ["papers", "scans"]) {
        await api.ask("PATCH", `/resources/${ids[name]}`, { exposedMethods: ["GET"] });
      }
      const { resources } = (await api.app("/navigation", api.admin.secret)).body.data;
      const columns = resources.flatMap((resource: { columns: { name: string }[] }) =>
        resource.columns.filter(({ name }) => ["scan_id", "scan", "plain"].includes(name)),
      );
      return columns.map((column: { name: string; format: unknown }) => [
        column.name,
        column.format,
      ]);
    };
    await patch("papers", "scan_id", { format: null });
    const file = { type: "file" };
    expect(await formats()).toEqual([
      ["scan_id", file],
      ["plain", null],
      ["scan", file],
    ]);
    await patch("papers", "scan_id", { format: { type: "text" } });
    expect((await formats())[0]).toEqual(["scan_id", { type: "text" }]);
    await patch("papers", "scan_id", { format: { type: "image" } });
    await run("alter table fleet.papers drop constraint papers_scan_id_fkey");
    expect((await formats())[0]).toEqual(["scan_id", null]);
  });
});

describe("the name of a relation", () => {
  const name = (column: string, relationName: unknown, table = "rides") =>
    patch(table, column, { relationName });
  const relations = async (table: string): Promise<string> =>
    (await api.ask("GET", `/resources/${ids[table]}`)).body.data.relations
      .map((relation: { name: string }) => relation.name)
      .join();
  beforeAll(async () => {
    await run(`create table fleet.pairs (a int, b int, primary key (a, b));
      create table fleet.crew (id int primary key, name text, hidden boolean not null default false);
      create table fleet.rides (id int primary key, driver_id int references fleet.crew, ship_via int references fleet.crew,
        a int, b int, twin int references fleet.crew references fleet.trips, foreign key (a, b) references fleet.pairs);
      create table fleet.stops (id int primary key, ride int references fleet.rides);
      create view fleet.driven as select driver_id from fleet.rides`);
    await remember();
  });

  it("replaces that of the column, and the audit log names the part", async () => {
    expect(await read("rides", "driver_id")).toMatchObject({
      relationName: null,
      relation: { name: "driver", defaultName: "driver" },
    });
    const named = await name("ship_via", "shipper");
    expect([named.status, named.body.data]).toMatchObject([
      200,
      { relationName: "shipper", relation: { name: "shipper", defaultName: "ship_via" }, uses: [] },
    ]);
    expect(await relations("rides")).toContain("shipper");
    const [entry] = (await api.ask("GET", `/audit-log?targetId=${ids.rides}`)).body.data;
    expect(entry.changedFields).toEqual(["columns.ship_via.relationName"]);
    await patch("rides", "ship_via", { label: "Ship" });
    await patch("rides", "ship_via", { label: null });
    expect(await read("rides", "ship_via")).toMatchObject({ relationName: "shipper" });
    expect((await name("ship_via", null)).body.data).toMatchObject({
      relationName: null,
      relation: { name: "ship_via", defaultName: "ship_via" },
    });
    expect(
      await run("select 1 from system.resource_columns where relation_name is not null"),
    ).toEqual([]);
  });

  it.each([
    ["an empty name", "driver_id", ""],
    ["a name of more than 63 bytes", "driver_id", "ü".repeat(32)],
    ["a path", "driver_id", "crew.boss"],
    ["an operator", "driver_id", "_some"],
    ["spaces", "driver_id", "the driver"],
    ["a key of every object", "driver_id", "constructor"],
    ["another type", "driver_id", 5],
    ["a column", "driver_id", "ship_via"],
    ["the column itself", "driver_id", "driver_id"],
    ["a relation to one row", "ship_via", "driver"],
    ["a relation to many rows", "ship_via", "stops"],
    ["a name that several relations would have", "ship_via", "twin"],
    ["a column without a foreign key", "a", "alpha"],
    ["a column with two foreign keys", "twin", "one"],
  ])("is refused: %s", async (_case, column, wanted) => {
    const before = await relations("rides");
    const answer = await name(column, wanted);
    expect([answer.status, answer.faults]).toEqual([400, ["BODY_INVALID /data/relationName"]]);
    expect(await relations("rides")).toBe(before);
  });

  it("is refused for a column of a view, also one that has it from its table", async () => {
    const answer = await name("driver_id", "pilot", "driven");
    expect([answer.status, answer.faults]).toEqual([400, ["BODY_INVALID /data/relationName"]]);
    await name("driver_id", "pilot");
    expect(await read("driven", "driver_id")).toMatchObject({ relationName: null, relation: null });
    await name("driver_id", null);
  });

  it("may be the freed default name of another relation, which that one cannot have again", async () => {
    await name("driver_id", "pilot");
    expect((await name("ship_via", "driver")).status).toBe(200);
    const answer = await name("driver_id", null);
    expect([answer.status, answer.faults]).toEqual([400, ["BODY_INVALID /data/relationName"]]);
    expect(answer.body.errors[0].message).toContain("ship_via");
    await name("ship_via", null);
    expect((await name("driver_id", null)).status).toBe(200);
  });

  it("has no effect while a new column has it, and the column says so", async () => {
    await name("driver_id", "pilot");
    await run("alter table fleet.rides add column pilot text");
    expect(await read("rides", "driver_id")).toMatchObject({
      relationName: "pilot",
      relation: { name: "driver", defaultName: "driver" },
    });
    await run("alter table fleet.rides drop column pilot");
    expect(await relations("rides")).toContain("pilot");
    await run("alter table fleet.rides rename column driver_id to chauffeur_id");
    expect(await read("rides", "chauffeur_id")).toMatchObject({
      relation: { name: "pilot", defaultName: "chauffeur" },
    });
    await run("alter table fleet.rides rename column chauffeur_id to driver_id");
    expect((await name("driver_id", null)).status).toBe(200);
  });

  it("stays while a filter or check of a grant depends on it, of this table or another one", async () => {
    const role = (await api.ask("POST", "/roles", { name: "Dispatchers" })).body.data.id;
    const terms = { roleId: role, action: "READ" };
    for (const [table, rowFilter] of [
      ["rides", { "driver.hidden": { _eq: false } }],
      ["stops", { _not: { "ride.driver.hidden": { _eq: true } } }],
    ] as const) {
      const grant = await api.ask("POST", "/grants", {
        ...terms,
        resourceId: ids[table],
        rowFilter,
      });
      expect(grant.status).toBe(201);
      const answer = await name("driver_id", "pilot");
      expect([answer.status, answer.faults]).toEqual([409, ["CONFLICT /data/relationName"]]);
      expect(answer.body.errors[0].message).toContain("Dispatchers");
      expect((await name("ship_via", "shipper")).status).toBe(200);
      await name("ship_via", null);
      await api.ask("DELETE", `/grants/${grant.body.data.id}`);
    }
    const fields = await api.ask("POST", "/grants", {
      ...terms,
      resourceId: ids.rides,
      fields: ["driver_id"],
    });
    expect(fields.status).toBe(201);
    expect((await name("driver_id", "pilot")).status).toBe(200);
    await name("driver_id", null);
  });

  it("is in the navigation, in the document of the Data API, and in a DataView without an alias", async () => {
    for (const table of ["rides", "crew"]) {
      await api.ask("PATCH", `/resources/${ids[table]}`, { exposedMethods: ["GET"] });
    }
    await run(
      "insert into fleet.crew values (1, 'Ann'); insert into fleet.rides (id, ship_via) values (1, 1)",
    );
    await name("ship_via", "shipper");
    const { resources } = (await api.app("/navigation", api.admin.secret)).body.data;
    const rides = resources.find((resource: { id: string }) => resource.id === ids.rides);
    expect(rides.relations.map((relation: { name: string }) => relation.name)).toContain("shipper");
    const { id } = (await api.ask("GET", "/roles?search=Administrators")).body.data[0];
    const document = await api.ask("GET", `/openapi/data?role=${id}`);
    expect(JSON.stringify(document.body)).toContain("shipper");
    const fields = ["ship_via", "shipper.name"];
    const view = await api.ask("POST", "/data-views", {
      name: "Ships",
      resourceId: ids.rides,
      fields,
    });
    const path = `/data-views/${view.body.data.id}`;
    expect((await api.app(path, api.admin.secret)).body.data.rows).toMatchObject([
      { ship_via: 1, shipper: { name: "Ann" } },
    ]);
    await api.ask("DELETE", path);
    await name("ship_via", null);
  });

  it("lists the definitions that contain the former name", async () => {
    const view = (data: object) => api.ask("POST", "/data-views", data);
    for (const table of ["rides", "stops", "crew"]) {
      await api.ask("PATCH", `/resources/${ids[table]}`, { exposedMethods: ["GET"] });
    }
    expect(
      (await view({ name: "By driver", resourceId: ids.rides, fields: ["id", "driver.name"] }))
        .faults,
    ).toEqual([]);
    await view({ name: "By stop", resourceId: ids.stops, fields: ["ride.driver.name"] });
    await run(`insert into system.saved_views (user_id, resource_id, name, "position", definition)
      select u.id, '${ids.rides}', v.name, v.place, v.definition::json
      from (select id from system.users order by id limit 1) u, (values
        ('Hidden ones', 0, '{"where":{"driver.hidden":{"_eq":true}}}'), ('Driven', 1, '{"fields":["driver_id"]}')) v (name, place, definition)`);
    await view({ name: "Plain", resourceId: ids.rides, fields: ["driver_id", "ship_via.name"] });
    await run(`insert into system.workflows (slug, name, draft) values
      ('tell', 'Tell', '{"steps":[{"kind":"listRows","table":"rides","fields":["driver.name"]}]}'),
      ('other', 'Other', '{"steps":[{"kind":"listRows","table":"rides","fields":["driver_id"]}]}')`);
    expect((await name("driver_id", "pilot")).body.data.uses).toEqual([
      { object: "DataView", name: "By driver" },
      { object: "DataView", name: "By stop" },
      { object: "saved view", name: "Hidden ones" },
      { object: "workflow", name: "tell" },
    ]);
    // The field is omitted, as one whose column was dropped.
    const views = (await api.ask("GET", "/data-views")).body.data;
    const { id } = views.find((item: { name: string }) => item.name === "By driver");
    const opened = await api.app(`/data-views/${id}`, api.admin.secret);
    expect([
      opened.status,
      opened.body.data.fields.map((field: { name: string }) => field.name),
    ]).toEqual([200, ["id"]]);
    expect((await name("driver_id", "pilot")).body.data.uses).toEqual([]);
    expect((await name("driver_id", null)).body.data.uses).toEqual([]);
  });
});

describe("the presentation of a view column", () => {
  it("is that of the table column that supplies its values, also through views over views", async () => {
    const format = { type: "number", decimals: 3 };
    await patch("trips", "km", { label: "Distance", format });
    const shown = {
      label: "Distance",
      format,
      source: { resourceId: ids.trips, schema: "fleet", table: "trips", column: "km" },
    };
    expect(await read("long", "length")).toMatchObject(shown);
    expect(await read("longer", "length")).toMatchObject(shown);
    const refused = await patch("longer", "length", { label: "Mine" });
    expect([refused.status, refused.body.errors[0].details]).toEqual([
      409,
      { resourceId: ids.trips, column: "km" },
    ]);
  });

  it("belongs to the view if the column is computed", async () => {
    expect((await patch("longer", "twice", { label: "Double" })).status).toBe(200);
    expect(await read("longer", "twice")).toMatchObject({ label: "Double", source: null });
    expect(await read("long", "twice")).toMatchObject({ label: null, source: null });
  });

  it("stays when the view is replaced, and is the table's once a table column supplies the values", async () => {
    await patch("long", "twice", { label: "Twice" });
    const replace = (definition: string) =>
      api.ask("PUT", "/schema/fleet/views/long", { definition });
    const id = (await replace("select id, km as length, km * 3 as twice from trips")).body.data;
    expect(id.resourceId).toBe(ids.long);
    expect(await read("long", "twice")).toMatchObject({ label: "Twice" });
  });
});

describe("the presentation of a column that another client changes", () => {
  it("follows a rename, and is empty for a column that was dropped and added again", async () => {
    await patch("trips", "status", { label: "State", colors: [{ value: "OPEN", color: "green" }] });
    await run("alter table fleet.trips rename column status to state");
    expect(await read("trips", "state")).toMatchObject({ label: "State" });
    await run("alter table fleet.trips drop column state");
    await run("alter table fleet.trips add column state text");
    expect(await read("trips", "state")).toMatchObject({ label: null, colors: null });
  });

  it("omits a format that does not fit the changed type", async () => {
    await patch("trips", "big", { label: "Size", format: { type: "bytes" } });
    await run("alter table fleet.trips alter column big type text");
    expect(await read("trips", "big")).toMatchObject({ label: "Size", format: null });
  });

  it("is empty for a table that was dropped and created again", async () => {
    await run("create table fleet.short (a int)");
    await remember();
    await patch("short", "a", { label: "A" });
    await run("drop table fleet.short");
    await run("create table fleet.short (a int)");
    await remember();
    expect(await read("short", "a")).toMatchObject({ label: null });
  });

  it("is bound by name after a restore, and a dropped column stays without one", async () => {
    await run("create table fleet.moved (gone int, kept int, lost int)");
    await remember();
    await patch("moved", "kept", { label: "Kept" });
    await patch("moved", "lost", { label: "Lost" });
    const role = await api.ask("POST", "/roles", { name: "Movers" });
    const terms = { roleId: role.body.data.id, resourceId: ids.moved };
    await api.ask("POST", "/grants", { ...terms, action: "READ", fields: ["kept", "lost"] });
    await api.ask("POST", "/grants", {
      ...terms,
      action: "UPDATE",
      rowFilter: { lost: { _eq: 1 } },
    });
    await run("alter table fleet.moved drop column lost");
    await run("alter table fleet.moved add column lost int");
    // Simulates the effect of a restore on OIDs and attribute numbers: `gone` no longer has a number.
    await run("alter table fleet.moved drop column gone");
    await run("create table fleet.copy (kept int, lost int)");
    await run("drop table fleet.copy");
    await run("alter event trigger rowhouse_after_ddl disable");
    await run("alter event trigger rowhouse_after_drop disable");
    await run("drop table fleet.moved");
    await run("create table fleet.moved (kept int, lost int, third int)");
    await run("update system.installation set self_oid = 1");
    await run("alter event trigger rowhouse_after_ddl enable");
    await run("alter event trigger rowhouse_after_drop enable");
    await run("select system.sync_registry()");
    expect(await read("moved", "kept")).toMatchObject({ label: "Kept" });
    expect(await read("moved", "lost")).toMatchObject({ label: null });
    const { data } = (await api.ask("GET", `/grants?resourceId=${ids.moved}`)).body;
    const grants = Object.fromEntries(data.map((item: { action: string }) => [item.action, item]));
    expect(grants.READ.fields).toEqual(["kept"]);
    expect(grants.UPDATE.effective).toBe(false);
  });
});

describe("the presentation of several columns", () => {
  const patchAll = (resource: string, data: unknown) => api.ask("PATCH", at(resource), data);

  beforeAll(async () => {
    await run(
      "create table fleet.several (status text, km numeric, started timestamptz, doc json)",
    );
    await remember();
  });

  it("is changed in one request with one entry of the audit log", async () => {
    const answer = await patchAll("several", [
      { name: "status", label: "State" },
      { name: "km", format: { type: "number", decimals: 2 } },
      { name: "doc" },
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toHaveLength(4);
    expect(await read("several", "status")).toMatchObject({ label: "State" });
    expect(await read("several", "km")).toMatchObject({ format: { type: "number", decimals: 2 } });
    const log = await api.ask("GET", `/audit-log?targetId=${ids.several}&limit=1`);
    expect(log.body.data[0].changedFields).toEqual(["columns.status.label", "columns.km.format"]);
  });

  it("is changed for all of them or for none, and each fault names its item", async () => {
    const answer = await patchAll("several", [
      { name: "status", label: "Other" },
      { name: "km", format: { type: "email" } },
      { name: "started", colors: [{ from: "nonsense", color: "red" }] },
    ]);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((fault: { path: string }) => fault.path)).toEqual([
      "/data/1/format",
      expect.stringMatching(/^\/data\/2\/colors/),
    ]);
    expect(await read("several", "status")).toMatchObject({ label: "State" });
  });

  it.each([
    [[{ name: "nothing", label: "x" }], 400, "VALUE_INVALID", "/data/0/name"],
    [[{ name: "km" }, { name: "km", label: "x" }], 400, "VALUE_INVALID", "/data/1/name"],
    [[{ name: "km", relationName: "x" }], 400, "BODY_INVALID", "/data/0/relationName"],
    [[{ label: "x" }], 400, "BODY_INVALID", "/data/0/name"],
    [[], 400, "BODY_INVALID", "/data"],
    [{ name: "km" }, 400, "BODY_INVALID", "/data"],
  ])("refuses %j", async (data, status, code, path) => {
    const answer = await patchAll("several", data);
    expect(answer.status).toBe(status);
    expect(answer.body.errors[0]).toMatchObject({ code, path });
  });

  it("refuses a column of a view that a table supplies", async () => {
    const answer = await patchAll("long", [{ name: "length", label: "x" }]);
    expect(answer.status).toBe(409);
  });
});

describe("a resource with its columns", () => {
  const path = (name: string) => `/resources/${ids[name]}`;
  const save = (name: string, data: object, tag?: string) =>
    api.ask("PATCH", path(name), data, undefined, tag === undefined ? {} : { "If-Match": tag });
  const tagOf = async (name: string) =>
    (await api.ask("GET", path(name))).headers.get("etag") ?? "";

  beforeAll(async () => {
    await run(`create table fleet.pilots (id int primary key, name text);
      create table fleet.flights (id int primary key, miles numeric, first_id int references fleet.pilots,
        second_id int references fleet.pilots)`);
    await remember();
  });

  it("is changed in one request with one entry of the audit log and one entity tag", async () => {
    const before = await tagOf("flights");
    const answer = await save(
      "flights",
      {
        ...{ label: "Trips by air", title: "Flight {id}" },
        columns: [
          { name: "miles", label: "Distance", format: { type: "number", decimals: 1 } },
          { name: "first_id", relationName: "captain" },
          { name: "id" },
        ],
      },
      before,
    );
    expect([answer.status, answer.headers.get("etag")]).toEqual([200, await tagOf("flights")]);
    expect(answer.body.data).toMatchObject({
      label: "Trips by air",
      title: "Flight {id}",
      uses: [],
    });
    expect(await read("flights", "miles")).toMatchObject({ label: "Distance" });
    expect(await read("flights", "first_id")).toMatchObject({ relation: { name: "captain" } });
    const log = (await api.ask("GET", `/audit-log?targetId=${ids.flights}`)).body.data;
    expect(log.map((entry: { changedFields: string[] }) => entry.changedFields)).toEqual([
      [
        ...["label", "title", "columns.miles.label", "columns.miles.format"],
        "columns.first_id.relationName",
      ],
    ]);
  });

  it("is changed entirely or not at all, and each fault names its field", async () => {
    const traces = await api.traces();
    const answer = await save("flights", {
      ...{ label: "Never", title: "{nothing}" },
      columns: [
        { name: "miles", label: "Never" },
        { name: "id", format: { type: "email" } },
        { name: "second_id", relationName: "captain" },
      ],
    });
    expect([answer.status, answer.faults]).toEqual([
      400,
      [
        "BODY_INVALID /data/title",
        "BODY_INVALID /data/columns/2/relationName",
        "BODY_INVALID /data/columns/1/format",
      ],
    ]);
    expect((await save("flights", { label: "Never", columns: [{ name: "no" }] })).faults).toEqual([
      "VALUE_INVALID /data/columns/0/name",
    ]);
    expect((await save("flights", { columns: [{ name: "no" }] })).faults).toEqual([
      "VALUE_INVALID /data/columns/0/name",
    ]);
    expect(await api.traces()).toBe(traces);
    expect(await read("flights", "miles")).toMatchObject({ label: "Distance" });
    expect((await api.ask("GET", path("flights"))).body.data.label).toBe("Trips by air");
  });

  it("is not changed with a tag from before a change of a column", async () => {
    const before = await tagOf("flights");
    await patch("flights", "miles", { label: "Miles" });
    const columns = [{ name: "miles", label: "Never" }];
    for (const data of [{ columns }, { label: "Never" }, { label: "Never", columns }, {}]) {
      expect((await save("flights", data, before)).faults).toEqual(["PRECONDITION_FAILED"]);
    }
    expect(await read("flights", "miles")).toMatchObject({ label: "Miles" });
    expect((await save("flights", { columns }, await tagOf("flights"))).status).toBe(200);
  });

  it("is not changed in part if a grant needs the name of a relation, or a table has the presentation", async () => {
    const role = (await api.ask("POST", "/roles", { name: "Tower" })).body.data.id;
    const grant = await api.ask("POST", "/grants", {
      ...{ roleId: role, resourceId: ids.flights, action: "READ" },
      rowFilter: { "captain.name": { _eq: "Ann" } },
    });
    const traces = await api.traces();
    const named = await save("flights", {
      label: "Never",
      columns: [
        { name: "second_id", relationName: "mate" },
        { name: "first_id", relationName: null },
      ],
    });
    expect(named.faults).toEqual(["CONFLICT /data/columns/1/relationName"]);
    expect(
      (await save("long", { label: "Never", columns: [{ name: "length", label: "x" }] })).faults,
    ).toEqual(["CONFLICT"]);
    expect(await api.traces()).toBe(traces);
    await api.ask("DELETE", `/grants/${grant.body.data.id}`);
  });

  it("may exchange the names of relations, and lists the definitions with a former one", async () => {
    await api.ask("PATCH", path("flights"), { exposedMethods: ["GET"] });
    await api.ask("PATCH", path("pilots"), { exposedMethods: ["GET"] });
    const view = { name: "Captains", resourceId: ids.flights, fields: ["captain.name"] };
    expect((await api.ask("POST", "/data-views", view)).status).toBe(201);
    const names = (first: string | null, second: string | null) =>
      save("flights", {
        columns: [
          { name: "first_id", relationName: first },
          { name: "second_id", relationName: second },
        ],
      });
    expect((await names("captain", "captain")).status).toBe(400);
    await names("captain", "mate");
    const exchanged = await names("mate", "captain");
    expect([exchanged.status, exchanged.body.data.uses]).toEqual([
      200,
      [{ object: "DataView", name: "Captains" }],
    ]);
    expect(await read("flights", "first_id")).toMatchObject({ relation: { name: "mate" } });
    expect(await read("flights", "second_id")).toMatchObject({ relation: { name: "captain" } });
  });
});
