// Tiers: usual, topologies.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
beforeAll(async () => {
  api = await openTestEnvironment();
});
afterAll(() => api.test.drop());

const vehicles = {
  name: "vehicles",
  columns: [
    { name: "id", dataType: "bigint", identity: "ALWAYS", primaryKey: true },
    {
      name: "plate",
      dataType: "text",
      nullable: false,
      check: "length(plate) between 2 and 12",
      checkMessage: "A plate has 2 to 12 characters",
    },
  ],
};

describe("POST /admin/api/schema/{schema}/tables", () => {
  it("creates a hidden table with an audit entry, and returns 201 with its resource", async () => {
    const answer = await api.ask("POST", "/schema/public/tables", vehicles);
    expect(answer.status).toBe(201);
    const { resourceId } = answer.body.data;
    expect(answer.body).toEqual({ data: { resourceId, schema: "public", name: "vehicles" } });
    const resource = await api.ask("GET", `/resources/${resourceId}`);
    expect(resource.body.data).toMatchObject({ name: "vehicles", exposedMethods: [] });
    const log = await api.ask("GET", `/audit-log?targetId=${resourceId}`);
    expect(log.body.data).toMatchObject([
      {
        action: "table.create",
        actorUserId: api.admin.id,
        address: "192.0.2.7",
        requestId: "request-1",
        changedFields: ["name", "columns"],
      },
    ]);
  });

  it("returns 409 for a name in use", async () => {
    const before = await api.traces();
    const answer = await api.ask("POST", "/schema/public/tables", vehicles);
    expect([answer.status, answer.faults]).toEqual([409, ["CONFLICT /data/name"]]);
    expect(await api.traces()).toBe(before);
  });

  it("returns 404 for an unknown schema and for a schema that is not a user schema", async () => {
    for (const schema of ["nope", "system", "pg_catalog", "%00", "a%2Fb", "%ff"]) {
      for (const path of [`/schema/${schema}/tables`, `/schema/${schema}/tables/preview`]) {
        const answer = await api.ask("POST", path, { ...vehicles, name: "other" });
        expect([path, answer.status]).toEqual([path, 404]);
      }
    }
  });

  it("reports faults of form and of expressions together, without a change", async () => {
    const before = await api.traces();
    const answer = await api.ask("POST", "/schema/public/tables", {
      name: "bad",
      owner: 1,
      columns: [
        { name: "a", dataType: "int", default: "0 references t(id) on delete cascade" },
        { name: "b", dataType: 1 },
        { name: "c", dataType: "text", check: "query_to_xml('select 1') is null" },
      ],
    });
    expect([answer.status, answer.faults.sort()]).toEqual([
      400,
      [
        "BODY_INVALID /data/columns/1/dataType",
        "BODY_INVALID /data/owner",
        "EXPRESSION_INVALID /data/columns/0/default",
        "EXPRESSION_INVALID /data/columns/2/check",
      ],
    ]);
    expect(await api.traces()).toBe(before);
  });
});

describe("POST /admin/api/schema/{schema}/tables/preview", () => {
  it("returns the statements and executes none", async () => {
    const before = await api.traces();
    const answer = await api.ask("POST", "/schema/public/tables/preview", {
      ...vehicles,
      name: "trucks",
    });
    expect(answer.status).toBe(200);
    expect(answer.body.data.sql).toHaveLength(2);
    expect(answer.body.data.sql[0]).toMatch(/^create table "public"."trucks" \(/);
    expect(await api.traces()).toBe(before);
  });
});

describe("GET /admin/api/schema/{schema}/tables", () => {
  it("lists the tables of one schema by name, page by page, with their sizes", async () => {
    await api.test.database.query("create schema listed");
    for (const name of ["b", "a", "C"]) {
      await api.test.database.query(
        `create table listed."${name}" (id int primary key, note text)`,
      );
    }
    await api.test.database.query("create view listed.v as select 1 as one");
    await api.test.database.query("insert into listed.a select g from generate_series(1, 40) g");
    await api.test.database.query("analyze listed.a");
    const all = await api.ask("GET", "/schema/listed/tables");
    expect(all.body.data.map((table: { name: string }) => table.name)).toEqual(["C", "a", "b"]);
    expect(all.body.data[1]).toMatchObject({ schema: "listed", columns: 2, rowEstimate: 40 });
    expect(all.body.data[1].tableBytes).toBeGreaterThan(0);
    expect(all.body.data[2].rowEstimate).toBe(null);
    const first = await api.ask("GET", "/schema/listed/tables?limit=2");
    const next = await api.ask("GET", `/schema/listed/tables?cursor=${first.body.meta.nextCursor}`);
    expect(next.body.data.map((table: { name: string }) => table.name)).toEqual(["b"]);
  });
});

describe("GET /admin/api/schema/{schema}/tables/{table}", () => {
  it("returns the definition in the form that creation accepts, and the properties of the stored table", async () => {
    await api.test.database.query(`
      create schema shown;
      create table shown.parents (a int, b int, primary key (a, b));
      create table shown.t (
        id bigint generated by default as identity primary key,
        a int, b int,
        code varchar(8) not null default 'x',
        twice int generated always as (a * 2) stored,
        unique nulls not distinct (a, b),
        constraint both_or_none check ((a is null) = (b is null)),
        constraint up foreign key (a, b) references shown.parents on delete cascade on update restrict
      );
      alter table shown.t add constraint short check (length(code) < 5) not valid;
      create index lower_code on shown.t (lower(code) desc, a) where b > 0;
      comment on table shown.t is 'The table';
      comment on column shown.t.code is 'The code';
      comment on constraint short on shown.t is 'checkMessage: Too long';
      create table shown.child (t_id bigint constraint down references shown.t)`);
    const { status, body } = await api.ask("GET", "/schema/shown/tables/t");
    expect(status).toBe(200);
    expect(body.data.definition).toEqual({
      name: "t",
      columns: [
        { name: "id", dataType: "bigint", primaryKey: true, identity: "BY_DEFAULT" },
        { name: "a", dataType: "integer" },
        { name: "b", dataType: "integer" },
        {
          name: "code",
          dataType: "character varying(8)",
          nullable: false,
          default: "'x'::character varying",
          check: "(length((code)::text) < 5)",
          checkMessage: "Too long",
        },
        { name: "twice", dataType: "integer", generated: "(a * 2)" },
      ],
    });
    expect(body.data).toMatchObject({
      kind: "TABLE",
      comment: "The table",
      primaryKey: { name: "t_pkey", columns: ["id"] },
      uniques: [{ name: "t_a_b_key", columns: ["a", "b"] }],
      checks: [
        { name: "both_or_none", columns: ["a", "b"], message: null, validated: true },
        { name: "short", columns: ["code"], message: "Too long", validated: false },
      ],
      foreignKeys: [
        {
          name: "up",
          columns: ["a", "b"],
          targetSchema: "shown",
          targetTable: "parents",
          targetColumns: ["a", "b"],
          onDelete: "CASCADE",
          onUpdate: "RESTRICT",
        },
      ],
      referencedBy: [
        { name: "down", schema: "shown", table: "child", columns: ["t_id"], targetColumns: ["id"] },
      ],
      indexes: [
        {
          name: "lower_code",
          unique: false,
          method: "btree",
          keys: ["lower((code)::text)", "a"],
          columns: ["a", "b", "code"],
          where: "(b > 0)",
          valid: true,
        },
      ],
    });
    expect(body.data.columns[0]).toMatchObject({ name: "id", identity: "BY_DEFAULT" });
    expect(body.data.columns[3]).toMatchObject({ name: "code", comment: "The code" });
    expect(body.data.columns[4]).toMatchObject({ generatedAs: "(a * 2)", default: null });
    const resource = await api.ask("GET", `/resources/${body.data.resourceId}`);
    expect(resource.body.data).toMatchObject({ schema: "shown", name: "t" });
  });

  it("shows tables under an exclusive lock, without waiting for their sizes", async () => {
    await api.test.database.query("create table public.held (id int primary key)");
    await api.test.database.transaction(async (transaction) => {
      await transaction.query("lock table public.held in access exclusive mode");
      const { body } = await api.ask("GET", "/schema/public/tables/held");
      expect(body.data).toMatchObject({ name: "held", tableBytes: null, indexBytes: null });
      const list = await api.ask("GET", "/schema/public/tables?search=held");
      expect(list.body.data).toMatchObject([{ name: "held", tableBytes: null }]);
    });
    const { body } = await api.ask("GET", "/schema/public/tables/held");
    expect(body.data.indexBytes).toBeGreaterThan(0);
  });

  it("returns 404 for views, indexes, and tables that are not user tables", async () => {
    await api.test.database.query("create view public.a_view as select 1 as one");
    for (const path of [
      "public/tables/a_view",
      "public/tables/vehicles_pkey",
      "public/tables/nope",
      "nope/tables/vehicles",
      "system/tables/users",
      "system/tables/sessions",
      "pg_catalog/tables/pg_class",
      "public/tables/%00",
    ]) {
      const answer = await api.ask("GET", `/schema/${path}`);
      expect([path, answer.status, answer.faults]).toEqual([path, 404, ["NOT_FOUND"]]);
    }
  });
});
