// Tiers: usual, topologies.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
const run = (sql: string) => api.test.database.query(sql);
beforeAll(async () => {
  api = await openTestEnvironment();
});
afterAll(() => api.test.drop());
beforeEach(async () => {
  await run(`
    drop schema if exists shop cascade; drop schema if exists other cascade;
    create schema shop; create schema other;
    create table shop.people (id int primary key, name text not null, code varchar(8), age int);
    create table shop.orders (
      id bigint generated always as identity primary key,
      person_id int references shop.people, note text, amount numeric(8,2) not null default 1);
    insert into shop.people values (1, 'Ann', 'A1', 30), (2, 'Bob', null, null), (3, 'Bob', '33', -4);
    insert into shop.orders (person_id) values (1), (1), (2)`);
});

const path = "/schema/shop/tables/people";
const alter = (...changes: object[]) => api.ask("PATCH", path, { changes });
const preview = (...changes: object[]) => api.ask("POST", `${path}/preview`, { changes });
const ran = (answer: { status: number; body: unknown }) => {
  expect(answer.body, JSON.stringify(answer.body)).toHaveProperty("data");
  expect(answer.status).toBe(200);
};

describe("PATCH /admin/api/schema/{schema}/tables/{table}", () => {
  it("with If-Match changes only the table that was read, and refuses it after a change by another client", async () => {
    const send = (tag: string, at = path, method = "PATCH") =>
      api.ask(
        method,
        at,
        { changes: [{ kind: "addIndex", keys: [{ column: "age" }] }] },
        undefined,
        {
          "If-Match": tag,
        },
      );
    const tag = (await api.ask("GET", path)).headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    // Rows, estimates and sizes are no change of the table.
    await run("insert into shop.people select n, 'n' from generate_series(10, 2000) n");
    await run("analyze shop.people");
    await run("alter table shop.people add column by_another int");
    for (const [at, method] of [
      [path, "PATCH"],
      [`${path}/preview`, "POST"],
    ] as const) {
      expect(await send(tag, at, method)).toMatchObject({
        status: 412,
        faults: ["PRECONDITION_FAILED"],
      });
    }
    await run("alter table shop.people drop column by_another");
    expect((await send(tag, `${path}/preview`, "POST")).status).toBe(200);
    const changed = await send(tag);
    ran(changed);
    expect(changed.body.data.indexes).toHaveLength(1);
    // The same request again would create a second index.
    expect((await send(tag)).status).toBe(412);
    const now = changed.headers.get("etag");
    expect((await api.ask("GET", path)).headers.get("etag")).toBe(now);
    expect((await send("no tag")).faults).toEqual(["QUERY_INVALID If-Match"]);
    expect((await send("*", `${path}/preview`, "POST")).status).toBe(200);
  });

  it("applies the changes in order, each to the result of the previous ones, and returns the table", async () => {
    const answer = await alter(
      {
        kind: "addColumn",
        name: "colour",
        dataType: "varchar(10)",
        default: "'red'",
        nullable: false,
        comment: "Of the hair",
      },
      {
        kind: "addColumn",
        name: "boss_id",
        dataType: "int",
        foreignKey: {
          targetSchema: "shop",
          targetTable: "people",
          targetColumn: "id",
          onDelete: "SET NULL",
        },
      },
      { kind: "renameColumn", column: "colour", name: "Färbung" },
      { kind: "addUnique", columns: ["id", "Färbung"], name: "one_colour" },
      { kind: "addCheck", check: 'length("Färbung") > 1', checkMessage: "A colour has letters" },
      {
        kind: "addIndex",
        keys: [{ expression: "lower(name)" }, { column: "age", descending: true, nulls: "LAST" }],
        where: "age > 0",
        name: "by_name",
      },
      { kind: "changeColumn", column: "code", dataType: "text", comment: "The code" },
      { kind: "changeComment", comment: "People" },
      { kind: "rename", name: "humans" },
      { kind: "move", schema: "other" },
    );
    ran(answer);
    expect(answer.body.data).toMatchObject({
      schema: "other",
      name: "humans",
      comment: "People",
      uniques: [{ name: "one_colour", columns: ["id", "Färbung"] }],
      checks: [{ columns: ["Färbung"], message: "A colour has letters" }],
      foreignKeys: [{ columns: ["boss_id"], targetTable: "humans", onDelete: "SET NULL" }],
      referencedBy: [{ table: "orders" }, { table: "humans" }],
      indexes: [{ name: "by_name", keys: ["lower(name)", "age"], where: "(age > 0)" }],
    });
    expect(answer.body.data.columns.map((c: { name: string }) => c.name)).toEqual([
      "id",
      "name",
      "code",
      "age",
      "Färbung",
      "boss_id",
    ]);
    expect(answer.body.data.columns[2]).toMatchObject({ dataType: "text", comment: "The code" });
    const log = await api.ask("GET", `/audit-log?targetId=${answer.body.data.resourceId}`);
    expect(log.body.data).toMatchObject([
      {
        action: "table.update",
        actorUserId: api.admin.id,
        changedFields: [
          "columns.colour",
          "columns.boss_id",
          "keys",
          "checks",
          "indexes",
          "columns.code",
          "comment",
          "name",
          "schema",
        ],
      },
    ]);
  });

  it("changes the default, nullability and identity, and drops constraints by name", async () => {
    ran(
      await alter(
        { kind: "changeColumn", column: "name", nullable: true, default: "'nobody'" },
        { kind: "changeColumn", column: "id", identity: "ALWAYS" },
        { kind: "dropColumn", column: "age", confirm: "age" },
        { kind: "addPrimaryKey", columns: ["id"] },
      ).then(async (refused) => {
        expect(refused.faults).toEqual(["CONFLICT /data/changes/3"]);
        return alter(
          { kind: "changeColumn", column: "name", nullable: true, default: "'nobody'" },
          { kind: "changeColumn", column: "id", identity: "ALWAYS" },
          { kind: "dropColumn", column: "age", confirm: "age" },
        );
      }),
    );
    await run("insert into shop.people (code) values ('x')");
    const rows = await run("select id, name from shop.people where code = 'x'");
    expect(rows).toEqual([{ id: 4, name: "nobody" }]);
    ran(await alter({ kind: "changeColumn", column: "id", identity: "BY_DEFAULT" }));
    await run("insert into shop.people (id, code) values (9, 'y')");
    ran(
      await alter(
        { kind: "changeColumn", column: "name", default: null },
        { kind: "changeColumn", column: "id", identity: null },
        {
          kind: "dropConstraint",
          constraint: "people_pkey",
          cascade: true,
          confirm: "people_pkey",
        },
        { kind: "addUnique", columns: ["code"], nullsNotDistinct: true },
      ),
    );
    const { data } = (await api.ask("GET", path)).body;
    expect(data).toMatchObject({
      primaryKey: null,
      referencedBy: [],
      uniques: [{ columns: ["code"] }],
    });
    expect(data.columns[1]).toMatchObject({ default: null, nullable: true });
  });

  it("converts a column with `using`, and requires its name as a confirmation if values may be lost", async () => {
    await run("update shop.people set code = '7' where id < 3");
    const change = {
      kind: "changeColumn",
      column: "code",
      dataType: "integer",
      using: "code::integer",
    };
    const unconfirmed = await alter(change);
    expect([unconfirmed.status, unconfirmed.faults]).toEqual([
      400,
      ["BODY_INVALID /data/changes/0/confirm"],
    ]);
    expect((await alter({ ...change, confirm: "Code" })).faults).toEqual([
      "BODY_INVALID /data/changes/0/confirm",
    ]);
    ran(await alter({ ...change, confirm: "code" }));
    expect(await run("select sum(code)::text as sum from shop.people")).toEqual([{ sum: "47" }]);
    // Wider types lose no values.
    ran(await alter({ kind: "changeColumn", column: "code", dataType: "bigint" }));
  });

  it("reports the number of failing rows for each change, and changes nothing", async () => {
    const before = await api.traces();
    const answer = await alter(
      { kind: "changeColumn", column: "code", nullable: false },
      { kind: "addUnique", columns: ["name"] },
      { kind: "addCheck", check: "age >= 0" },
      { kind: "addColumn", name: "born", dataType: "date", nullable: false },
      {
        kind: "addForeignKey",
        columns: ["age"],
        targetSchema: "shop",
        targetTable: "people",
        targetColumns: ["id"],
      },
      {
        kind: "changeColumn",
        column: "code",
        dataType: "integer",
        using: "code::integer",
        confirm: "code",
      },
    );
    const faults = [
      ["REQUIRED_FIELD", "/data/changes/0/nullable", 1],
      ["UNIQUE_VIOLATION", "/data/changes/1", 2],
      ["CHECK_VIOLATION", "/data/changes/2/check", 1],
      ["REQUIRED_FIELD", "/data/changes/3", 3],
      ["FOREIGN_KEY_VIOLATION", "/data/changes/4", 2],
      ["VALUE_INVALID", "/data/changes/5/dataType", 1],
    ];
    expect(answer.status).toBe(400);
    expect(
      answer.body.errors.map((f: { code: string; path: string; details: { rows: number } }) => [
        f.code,
        f.path,
        f.details.rows,
      ]),
    ).toEqual(faults);
    expect(await api.traces()).toBe(before);
  });

  it("reports faults of form, of expressions and of names together", async () => {
    const before = await api.traces();
    const answer = await alter(
      { kind: "addColumn", name: "name", dataType: "text" },
      { kind: "addColumn", name: "a", dataType: "nope", default: "pg_sleep(1)" },
      { kind: "changeColumn", column: "nope", nullable: true },
      { kind: "addCheck", check: "(select 1) > 0" },
      { kind: "addUnique", columns: ["name", "nope"] },
      { kind: "dropConstraint", constraint: "nope" },
      { kind: "dropIndex", index: "people_pkey" },
      {
        kind: "addForeignKey",
        columns: ["age"],
        targetSchema: "system",
        targetTable: "sessions",
        targetColumns: ["id"],
      },
      { kind: "move", schema: "system" },
      { kind: "rename", name: "orders" },
      { kind: "drop" },
      { kind: "renameColumn", column: "age", name: "ctid", more: 1 },
      { kind: "addIndex", keys: [{ expression: "random()" }] },
      {
        kind: "changeColumn",
        column: "age",
        dataType: "text",
        using: "query_to_xml('select 1', true, true, '')",
      },
    );
    expect(answer.faults.sort()).toEqual(
      [
        "CONFLICT /data/changes/0/name",
        "EXPRESSION_INVALID /data/changes/1/default",
        "VALUE_INVALID /data/changes/2/column",
        "EXPRESSION_INVALID /data/changes/3/check",
        "VALUE_INVALID /data/changes/4/columns/1",
        "VALUE_INVALID /data/changes/5/constraint",
        "VALUE_INVALID /data/changes/6/index",
        "VALUE_INVALID /data/changes/7/targetTable",
        "VALUE_INVALID /data/changes/8/schema",
        "CONFLICT /data/changes/9/name",
        "BODY_INVALID /data/changes/10/kind",
        "BODY_INVALID /data/changes/11/more",
        "EXPRESSION_INVALID /data/changes/12/keys/0/expression",
        "EXPRESSION_INVALID /data/changes/13/using",
      ].sort(),
    );
    expect(await api.traces()).toBe(before);
  });

  it("reports an error of the database at the path of its change", async () => {
    const before = await api.traces();
    const answer = await alter(
      { kind: "addCheck", check: "lower(age) = 'x'" },
      { kind: "changeColumn", column: "name", dataType: "integer", confirm: "name" },
      { kind: "addIndex", keys: [{ expression: "now()" }] },
    );
    expect(answer.faults).toEqual([
      "EXPRESSION_INVALID /data/changes/0/check",
      "VALUE_INVALID /data/changes/1/dataType",
      "VALUE_INVALID /data/changes/2",
    ]);
    const defaults = await alter(
      { kind: "changeColumn", column: "age", default: "'abc'" },
      { kind: "addColumn", name: "a", dataType: "int", default: "1 / 0" },
      { kind: "addColumn", name: "b", dataType: "numeric(5000)" },
    );
    expect(defaults.faults).toEqual([
      "VALUE_INVALID /data/changes/0/default",
      "VALUE_INVALID /data/changes/1/default",
      "VALUE_INVALID /data/changes/2/dataType",
    ]);
    expect(await api.traces()).toBe(before);
  });

  it("names the dependents of a column, and drops them only with cascade", async () => {
    await run("create view shop.ages as select id, age from shop.people");
    await run("create view other.ages as select age from shop.ages");
    const refused = await alter({ kind: "dropColumn", column: "age", confirm: "age" });
    expect([refused.status, refused.faults]).toEqual([409, ["CONFLICT /data/changes/0/cascade"]]);
    expect(refused.body.errors[0].message).toContain("view other.ages, view shop.ages");
    const typed = await alter({ kind: "changeColumn", column: "age", dataType: "bigint" });
    expect(typed.faults).toEqual(["CONFLICT /data/changes/0/dataType"]);
    ran(await alter({ kind: "dropColumn", column: "age", confirm: "age", cascade: true }));
    expect((await api.ask("GET", "/resources?schema=other")).body.data).toEqual([]);
  });

  it("refuses a type that differs from the other side of a foreign key", async () => {
    const toText = (column: string) => ({ kind: "changeColumn", column, dataType: "text" });
    expect((await alter(toText("id"))).faults).toEqual(["VALUE_INVALID /data/changes/0/dataType"]);
    const orders = "/schema/shop/tables/orders";
    const refused = await api.ask("PATCH", orders, { changes: [toText("person_id")] });
    expect(refused.faults).toEqual(["VALUE_INVALID /data/changes/0/dataType"]);
    const drop = { kind: "dropConstraint", constraint: "orders_person_id_fkey" };
    const wider = await api.ask("POST", `${orders}/preview`, {
      changes: [{ kind: "changeColumn", column: "person_id", dataType: "bigint" }],
    });
    expect(wider.body.data.locks).toMatchObject([
      { table: "orders", work: "REWRITE" },
      { table: "people", mode: "SHARE ROW EXCLUSIVE" },
    ]);
    ran(await api.ask("PATCH", orders, { changes: [drop, toText("person_id")] }));
    ran(await alter(toText("id")));
  });

  it("refuses a type that an index does not support, before it changes the table", async () => {
    await run(`create index "by USING name" on shop.people (lower(name)) where name <> 'x'`);
    const change = { kind: "changeColumn", column: "name", dataType: "int", using: "age" };
    expect((await preview(change)).faults).toEqual(["VALUE_INVALID /data/changes/0/using"]);
    ran(await preview({ kind: "dropIndex", index: "by USING name" }, change));
  });

  it("checks a new name against the names that the previous changes leave", async () => {
    await run("create index by_age on shop.people (age)");
    const key = { keys: [{ column: "name" }] };
    const taken = await alter(
      { kind: "rename", name: "humans" },
      { kind: "addIndex", name: "humans", ...key },
      { kind: "addIndex", name: "by_age", ...key },
      { kind: "addUnique", name: "orders", columns: ["id"] },
      { kind: "rename", name: "by_age" },
    );
    expect(taken.faults).toEqual([
      "CONFLICT /data/changes/1/name",
      "CONFLICT /data/changes/2/name",
      "CONFLICT /data/changes/3/name",
      "CONFLICT /data/changes/4/name",
    ]);
    await run("create table other.by_name (id int)");
    const moved = await alter(
      { kind: "addIndex", name: "by_name", ...key },
      { kind: "move", schema: "other" },
    );
    expect(moved.faults).toEqual(["CONFLICT /data/changes/1/schema"]);
    ran(
      await alter(
        { kind: "rename", name: "humans" },
        { kind: "addIndex", name: "people", ...key },
        { kind: "dropIndex", index: "people" },
        { kind: "rename", name: "people" },
        { kind: "dropIndex", index: "by_age" },
        { kind: "addIndex", name: "by_age", ...key },
      ),
    );
  });

  it("returns 404 for an unknown table and for a table that is not a user table", async () => {
    for (const where of [
      "shop/tables/nope",
      "nope/tables/people",
      "system/tables/users",
      "pg_catalog/tables/pg_class",
      "shop/tables/%00",
    ]) {
      for (const [method, suffix] of [
        ["PATCH", ""],
        ["POST", "/preview"],
      ] as const) {
        const answer = await api.ask(method, `/schema/${where}${suffix}`, {
          changes: [{ kind: "changeComment", comment: "x" }],
        });
        expect([where, answer.status, answer.faults]).toEqual([where, 404, ["NOT_FOUND"]]);
      }
    }
  });

  it("refuses to drop a column that got a dependent while the change waited for the lock", async () => {
    const { database } = api.test;
    const waiting = () =>
      database.query(
        "select 1 from pg_locks where relation = 'shop.people'::regclass and not granted",
      );
    let answer: ReturnType<typeof alter> | undefined;
    await database.transaction(async (transaction) => {
      await transaction.query("create view shop.ages as select age from shop.people");
      answer = alter({ kind: "dropColumn", column: "age", confirm: "age" });
      await expect.poll(waiting, { interval: 20 }).toHaveLength(1);
    });
    expect((await answer)?.faults).toEqual(["CONFLICT /data/changes/0/cascade"]);
    expect((await api.ask("GET", "/resources?schema=shop&search=ages")).body.data).toHaveLength(1);
  });

  it("returns CONFLICT after the lock timeout", async () => {
    await api.test.database.transaction(async (transaction) => {
      await transaction.query("lock table shop.people in row exclusive mode");
      const answer = await alter({ kind: "addColumn", name: "a", dataType: "int" });
      expect([answer.status, answer.faults]).toEqual([409, ["CONFLICT"]]);
    });
  });
});

describe("POST /admin/api/schema/{schema}/tables/{table}/preview", () => {
  it("names the dashboards, DataViews, saved views and workflows that are built on a table, a column or a relation", async () => {
    const resources = (await api.ask("GET", "/resources?limit=1000&search=shop")).body.data;
    const idOf = (name: string) =>
      resources.find(
        (each: { schema: string; name: string }) =>
          `${each.schema}.${each.name}` === `shop.${name}`,
      )?.id;
    await api.test.database.query(
      `with v as (
         insert into system.data_views (name, resource_id, definition) values ('Ages', $1::uuid, '{"fields":["age"]}') returning id
       ), o as (
         insert into system.data_views (name, resource_id, definition) values ('Orders', $2::uuid, '{"fields":["person.code"]}') returning id
       ), d as (
         insert into system.dashboards (name) values ('Staff') returning id
       ), p as (
         insert into system.dashboard_panels (dashboard_id, id, "position", title, kind, resource_id, definition)
         select d.id, x.id, x.at, x.title, 'LIST', $1::uuid, x.definition::json from d, (values
           ('a', 0, 'By age', '{"fields":["age"]}'), ('b', 1, 'Names', '{"fields":["name"]}')) x (id, at, title, definition)
       ), s as (
         insert into system.saved_views (user_id, resource_id, name, "position", definition)
         select u.id, $1::uuid, 'Old ones', 0, '{"where":{"age":{"_gt":60}}}' from system.users u order by u.id limit 1
       ), w as (
         insert into system.workflows (slug, name, draft) values
           ('remind', 'Remind', '{"steps":[{"kind":"listRows","schema":"shop","table":"people","where":{"age":{"_gt":60}}}]}'),
           ('other', 'Other', '{"steps":[{"table":"ages","where":{"age":1}},{"note":"peoples"}]}')
       )
       insert into system.reading_columns
         (data_view_id, dashboard_id, resource_id, path_resource_id, mention, relation_path, attribute_number, column_name)
       select v.id, null::uuid, $1::uuid, $1::uuid, 'age', '', 4, 'age' from v
       union all select null, d.id, $1::uuid, $1::uuid, 'age', '', 4, 'age' from d
       union all select o.id, null, $2::uuid, $1::uuid, 'person.code', 'person.', 3, 'code' from o`,
      [idOf("people"), idOf("orders")],
    );
    const usesOf = ({
      body,
    }: {
      body: { data: { losses: { object: string; name: string; note: string }[] } };
    }) =>
      body.data.losses
        .filter(({ object }) =>
          ["dashboard", "DataView", "saved view", "workflow"].includes(object),
        )
        .map(({ object, name, note }) => `${object} ${name}: ${note}`);
    const all = [
      "dashboard Staff: By age",
      "DataView Ages",
      "saved view Old ones",
      "workflow remind",
    ];
    const noted = (names: readonly string[], note: string) =>
      names.map((name) => `${name}: ${note}`);
    const sorted = (names: readonly string[]) => [...names].sort();
    expect(
      sorted(usesOf(await preview({ kind: "dropColumn", column: "age", cascade: true }))),
    ).toEqual(sorted(noted(all, "is built on it")));
    const renamed = usesOf(await preview({ kind: "renameColumn", column: "age", name: "years" }));
    expect(sorted(renamed)).toEqual(
      sorted([
        ...noted(all.slice(0, 2), "names it, and follows the new name"),
        ...noted(all.slice(2), "names it, and must name the new name"),
      ]),
    );
    const change = { kind: "changeColumn", column: "age", dataType: "bigint" };
    expect(usesOf(await preview(change))).toHaveLength(4);
    const code = await preview({ kind: "dropColumn", column: "code" });
    expect(usesOf(code)).toEqual(["DataView Orders: is built on it"]);
    expect(usesOf(await preview({ kind: "dropColumn", column: "name" }))).toEqual([]);
    const key = { kind: "dropConstraint", constraint: "orders_person_id_fkey" };
    const orders = "/schema/shop/tables/orders/preview";
    expect(usesOf(await api.ask("POST", orders, { changes: [key] }))).toEqual([
      "DataView Orders: is built on it",
    ]);
    const dropped = usesOf(await api.ask("POST", `${path}/drop-preview`, { cascade: true }));
    expect(sorted(dropped)).toEqual(
      sorted(
        noted(
          ["dashboard Staff: By age, Names", "DataView Orders", ...all.slice(1)],
          "is built on it",
        ),
      ),
    );
    expect(usesOf(await preview({ kind: "rename", name: "persons" }))).toHaveLength(5);
    await run("delete from system.workflows where slug in ('remind', 'other')");
    await run("delete from system.dashboards where name = 'Staff'");
    await run("delete from system.data_views where name in ('Ages', 'Orders')");
  });

  it("names the relation whose name a column takes, with the grants and stored definitions that name it", async () => {
    await run(
      "create table shop.parcels (id int primary key, order_id bigint references shop.orders)",
    );
    const orders = "/schema/shop/tables/orders/preview";
    const resources = (await api.ask("GET", "/resources?limit=1000&search=shop")).body.data;
    const idOf = (name: string): string =>
      resources.find((each: { schema: string; name: string }) => each.name === name).id;
    const role = (await api.ask("POST", "/roles", { name: "Sellers" })).body.data;
    const grant = async (table: string, rowFilter: object) => {
      const terms = { roleId: role.id, action: "DELETE", rowFilter };
      const answer = await api.ask("POST", "/grants", { ...terms, resourceId: idOf(table) });
      expect(answer.faults).toEqual([]);
    };
    await grant("orders", { "person.name": { _eq: "Ann" } });
    await run(`insert into system.saved_views (user_id, resource_id, name, "position", definition)
      select u.id, '${idOf("orders")}', 'Of people', 0, '{"fields":["person.code"]}' from system.users u order by u.id limit 1`);
    const lossesOf = async (at: string, change: object) =>
      (await api.ask("POST", at, { changes: [change] })).body.data.losses.map(
        ({ object, name, note }: Record<string, string>) => `${object} ${name}: ${note}`,
      );
    const add = (name: string) => ({ kind: "addColumn", name, dataType: "text" });
    const rename = (column: string, name: string) => ({ kind: "renameColumn", column, name });
    const taken = [
      "relation person: the column takes its name: requests with this name receive the column",
      "grant Sellers: DELETE: uses the relation in person.name; the column takes the name of the relation, and the grant allows nothing until it is rewritten",
      "saved view Of people: names the relation whose name the column takes",
    ];
    expect(await lossesOf(orders, add("person"))).toEqual(taken);
    expect(await lossesOf(orders, rename("note", "person"))).toEqual(expect.arrayContaining(taken));
    // These leave the relation its name.
    expect(await lossesOf(orders, add("persons"))).toEqual([]);
    expect(await lossesOf(`${path}/preview`, add("person"))).toEqual([]);
    expect((await lossesOf(orders, rename("person_id", "person"))).join()).not.toContain("takes");
    // The relation of the other direction.
    expect(await lossesOf(`${path}/preview`, add("orders"))).toEqual([
      expect.stringContaining("relation orders"),
    ]);

    const column = `/resources/${idOf("orders")}/columns/person_id`;
    await run("delete from system.grants");
    expect((await api.ask("PATCH", column, { relationName: "buyer" })).faults).toEqual([]);
    await grant("parcels", { "order.buyer.name": { _eq: "Ann" } });
    expect(await lossesOf(orders, add("buyer"))).toEqual([
      expect.stringContaining("relation buyer"),
      expect.stringContaining("grant Sellers: DELETE: uses the relation in order.buyer.name"),
    ]);
    expect(await lossesOf(orders, add("person"))).toEqual([]);
    await api.ask("DELETE", `/roles/${role.id}`);
  });

  it("returns the statements, locks, losses and failing rows, and executes nothing", async () => {
    await run("create view shop.ages as select id, age from shop.people");
    const before = await api.traces();
    const answer = await preview(
      { kind: "dropColumn", column: "age", cascade: true },
      { kind: "changeColumn", column: "code", dataType: "varchar(2)" },
      { kind: "addColumn", name: "made", dataType: "uuid", default: "gen_random_uuid()" },
      { kind: "addUnique", columns: ["name"] },
      {
        kind: "addForeignKey",
        columns: ["id"],
        targetSchema: "shop",
        targetTable: "orders",
        targetColumns: ["id"],
      },
      { kind: "addIndex", keys: [{ column: "name" }] },
    );
    ran(answer);
    const { data } = answer.body;
    expect(data.sql).toEqual([
      'lock table "shop"."people" in access exclusive mode',
      'alter table "shop"."people" drop column "age" cascade',
      'alter table "shop"."people" alter column "code" type varchar(2)',
      'alter table "shop"."people" add column "made" uuid default (pg_catalog.gen_random_uuid())',
      'alter table "shop"."people" add unique ("name")',
      'alter table "shop"."people" add constraint "people_id_fkey" foreign key ("id") references "shop"."orders" ("id") on delete no action',
      'create index on "shop"."people" using btree ("name")',
    ]);
    expect(data.locks).toMatchObject([
      {
        schema: "shop",
        table: "people",
        mode: "ACCESS EXCLUSIVE",
        blocks: "READS_AND_WRITES",
        work: "REWRITE",
      },
      {
        schema: "shop",
        table: "orders",
        mode: "SHARE ROW EXCLUSIVE",
        blocks: "WRITES",
        work: "NONE",
      },
    ]);
    expect(data.losses).toEqual([
      { path: "/data/changes/0", object: "column", name: "age", note: "values: 2" },
      {
        path: "/data/changes/0",
        object: "view",
        name: "shop.ages",
        note: "exposed: none; grants: 0",
      },
      {
        path: "/data/changes/1",
        object: "column values",
        name: "code",
        note: "values that character varying(2) cannot represent exactly",
      },
    ]);
    expect(data.confirmations).toEqual([
      { path: "/data/changes/0/confirm", confirm: "age" },
      { path: "/data/changes/1/confirm", confirm: "code" },
    ]);
    expect(data.failingRows).toMatchObject([
      { path: "/data/changes/3", code: "UNIQUE_VIOLATION", rows: 2 },
    ]);
    expect(data.notes.join("\n")).toMatch(/rewrites the whole table[\s\S]*CONCURRENTLY/);
    expect(await api.traces()).toBe(before);
  });

  it("returns the primary keys of the failing rows as they are before the change", async () => {
    const { data } = (
      await preview(
        { kind: "dropColumn", column: "age" },
        { kind: "renameColumn", column: "id", name: "number" },
        { kind: "changeColumn", column: "code", nullable: false },
        { kind: "addCheck", check: "name <> 'Bob'" },
        { kind: "changeColumn", column: "code", dataType: "int", using: "code::int" },
        { kind: "addUnique", columns: ["name"] },
      )
    ).body;
    expect(
      data.failingRows.map((one: { path: string; rows: number; keys: string[][] }) => [
        one.path,
        one.rows,
        one.keys,
      ]),
    ).toEqual([
      ["/data/changes/2/nullable", 1, [["2"]]],
      ["/data/changes/3/check", 2, [["2"], ["3"]]],
      ["/data/changes/4/dataType", 1, [["1"]]],
      ["/data/changes/5", 2, [["2"], ["3"]]],
    ]);
    await run("alter table shop.orders drop constraint orders_pkey");
    const orders = await api.ask("POST", "/schema/shop/tables/orders/preview", {
      changes: [{ kind: "changeColumn", column: "note", nullable: false }],
    });
    expect(orders.body.data.failingRows).toMatchObject([{ rows: 3, keys: [] }]);
  });

  it("is empty for changes without an effect", async () => {
    const { data } = (await api.ask("GET", path)).body;
    const answer = await preview(
      ...data.definition.columns.map(
        (column: {
          name: string;
          dataType: string;
          default?: string;
          nullable?: boolean;
          primaryKey?: true;
        }) => ({
          kind: "changeColumn",
          column: column.name,
          dataType: column.dataType,
          default: column.default ?? null,
          nullable: column.primaryKey === true ? false : (column.nullable ?? true),
          identity: null,
          comment: null,
        }),
      ),
      { kind: "rename", name: "people" },
      { kind: "move", schema: "shop" },
      { kind: "changeComment", comment: null },
      { kind: "renameColumn", column: "age", name: "age" },
    );
    expect(answer.body.data).toEqual({
      sql: [],
      locks: [],
      failingRows: [],
      losses: [],
      confirmations: [],
      notes: [],
    });
  });
});
