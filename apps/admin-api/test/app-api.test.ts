// Tiers: usual, topologies.
import { createSecret, digestSecret } from "@rowhouse/access";
import { createUser, documentFaults, expose, type TestUser } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Answer,
  nobody,
  openTestEnvironment,
  type TestEnvironment,
} from "./test-environment.ts";

// A shop: clerks see the orders of their own city without the cost, managers see all orders with all fields.

let environment: TestEnvironment;
let clerk: TestUser;
let manager: TestUser;
let roleOf: Record<string, string>;
let resourceOf: Record<string, string>;

const query = (text: string) => environment.test.database.query<Record<string, string>>(text);

beforeAll(async () => {
  environment = await openTestEnvironment();
  const { database } = environment.test;
  await query(
    `create schema shop;
     create type shop.state as enum ('OPEN', 'SENT');
     create table shop.customers (id int primary key, name text, city text);
     create table shop.orders (id int primary key, customer_id int references shop.customers (id), city text not null,
       state shop.state not null default 'OPEN', cost numeric(20, 4), secret text, placed_at timestamptz);
     create view shop.open_orders as select id, city, cost, cost * 2 as double from shop.orders where state = 'OPEN';
     create table shop.hidden (id int primary key);
     insert into shop.customers values (1, 'Ann', 'Oslo'), (2, 'Bob', 'Rome');
     insert into shop.orders
       select n, 1 + n % 2, case when n % 2 = 0 then 'Oslo' else 'Rome' end, case when n < 5 then 'OPEN' else 'SENT' end::shop.state,
         n * 1000000000000.0001, 'x' || n, timestamptz '2024-01-01 23:30+00' + n * interval '1 day' from generate_series(1, 6) n`,
  );
  await query("insert into system.roles (name) values ('Clerks'), ('Managers'), ('Guests')");
  clerk = await createUser(database, "clerk@example.com", "Clerks");
  manager = await createUser(database, "manager@example.com", "Managers");
  await query(`update system.users set name = 'Oslo' where email = 'clerk@example.com'`);
  await expose(database, "shop", "orders", "GET", "POST", "PATCH");
  await expose(database, "shop", "customers", "GET");
  await expose(database, "shop", "open_orders", "GET");
  roleOf = Object.fromEntries(
    (await query("select name, id from system.roles")).map(({ name, id }) => [name, id]),
  );
  resourceOf = Object.fromEntries(
    (
      await query(
        "select relation_name as name, id from system.resources where schema_name = 'shop'",
      )
    ).map(({ name, id }) => [name, id]),
  );
  const grant = (
    roleId: string | undefined,
    resource: string,
    action: string,
    terms: object = {},
  ) =>
    environment.ask("POST", "/grants", {
      roleId,
      resourceId: resourceOf[resource],
      action,
      ...terms,
    });
  const rowFilter = { city: { _eq: "$USER.name" } };
  const done = [
    await grant(roleOf.Clerks, "orders", "READ", {
      fields: ["id", "city", "state", "placed_at", "customer_id"],
      rowFilter,
    }),
    await grant(roleOf.Clerks, "orders", "CREATE", {
      fields: ["id", "city", "state"],
      rowFilter: null,
    }),
    await grant(roleOf.Managers, "orders", "READ"),
    await grant(roleOf.Managers, "open_orders", "READ"),
    await grant(roleOf.Managers, "customers", "READ"),
  ];
  expect(done.map((answer) => answer.status)).toEqual([201, 201, 201, 201, 201]);
  await environment.ask("PATCH", `/resources/${resourceOf.orders}`, {
    label: "Orders",
    description: "What was ordered",
  });
  await environment.ask("PATCH", `/resources/${resourceOf.orders}/columns/cost`, {
    label: "Cost",
    format: { type: "currency", currency: "EUR" },
  });
});
afterAll(() => environment.test.drop());

const dataView = (more: object = {}) => ({
  name: "Orders",
  resourceId: resourceOf.orders,
  ...more,
});
const create = (more: object = {}) => environment.ask("POST", "/data-views", dataView(more));
const ids = (answer: Answer) => answer.body.data.rows.map((row: { id: number }) => row.id);

describe("a DataView", () => {
  it("can be created, read, listed, changed and deleted, and the audit log names the changed fields", async () => {
    const made = await create({
      description: "Open ones",
      fields: ["id", "customer.name", "cost"],
      where: { state: { _eq: "OPEN" }, cost: { _lt: 1 } },
      orderBy: ["-id"],
      limit: 2,
      presentation: { version: 1, layout: "cards", title: "cost" },
      roleIds: [roleOf.Clerks],
    });
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    expect(made.body.data).toMatchObject({
      fields: ["id", "customer.name", "cost"],
      limit: 2,
      presentation: { version: 1, layout: "cards", title: "cost" },
    });
    expect((await environment.ask("GET", `/data-views/${id}`)).body).toEqual(made.body);
    const changed = await environment.ask("PATCH", `/data-views/${id}`, {
      where: null,
      name: "All",
      roleIds: [],
    });
    expect(changed.body.data).toMatchObject({
      name: "All",
      where: null,
      orderBy: ["-id"],
      roleIds: [],
    });
    // A change of other parts does not check the reading again: its resource may be hidden now.
    const change = (body: object) => environment.ask("PATCH", `/data-views/${id}`, body);
    await expose(environment.test.database, "shop", "orders");
    expect((await change({ description: "Hidden" })).status).toBe(200);
    expect((await change({ limit: 3 })).faults).toEqual(["BODY_INVALID /data/resourceId"]);
    await expose(environment.test.database, "shop", "orders", "GET", "POST", "PATCH");
    const listed = await environment.ask(
      "GET",
      `/data-views?resourceId=${resourceOf.orders}&search=al&limit=1`,
    );
    expect(listed.body.data.map((view: { name: string }) => view.name)).toEqual(["All"]);
    expect((await environment.ask("DELETE", `/data-views/${id}`)).status).toBe(204);
    for (const answer of [
      await environment.ask("GET", `/data-views/${id}`),
      await environment.ask("PATCH", `/data-views/${id}`, { name: "x" }),
      await environment.ask("DELETE", `/data-views/${id}`),
    ]) {
      expect(answer.faults).toEqual(["NOT_FOUND"]);
    }
    const entries = (await environment.ask("GET", "/audit-log?targetKind=data_view&limit=4")).body
      .data;
    expect(entries.map((entry: { action: string }) => entry.action)).toEqual([
      "data_view.delete",
      "data_view.update",
      "data_view.update",
      "data_view.create",
    ]);
    expect(entries[2].changedFields.sort()).toEqual(["name", "roleIds", "where"]);
  });

  it("is validated when it is saved, with every fault at its path", async () => {
    for (const [more, faults] of [
      [{ fields: ["nope"] }, ["FIELD_UNKNOWN /data/fields"]],
      [{ fields: ["id,city"] }, ["FIELD_UNKNOWN /data/fields"]],
      [{ fields: [] }, ["BODY_INVALID /data/fields"]],
      [{ where: { nope: { _eq: 1 } } }, ["FIELD_UNKNOWN /data/where/nope"]],
      [{ where: { cost: { _nope: 1 } } }, ["BODY_INVALID /data/where/cost/_nope"]],
      [{ where: { cost: { _eq: "x" } } }, ["VALUE_INVALID /data/where/cost/_eq"]],
      [{ orderBy: ["nope"] }, ["FIELD_UNKNOWN /data/orderBy"]],
      [{ limit: 1001 }, ["BODY_INVALID /data/limit"]],
      [{ roleIds: [nobody] }, ["BODY_INVALID /data/roleIds/0"]],
      [{ resourceId: nobody }, ["BODY_INVALID /data/resourceId"]],
      [
        { resourceId: resourceOf.hidden, roleIds: [nobody] },
        ["BODY_INVALID /data/resourceId", "BODY_INVALID /data/roleIds/0"],
      ],
      [{ name: "" }, ["BODY_INVALID /data/name"]],
      [{ presentation: { a: "x".repeat(20_000) } }, ["BODY_INVALID /data/presentation/layout"]],
      [{ nope: 1 }, ["BODY_INVALID /data/nope"]],
    ] as const) {
      expect((await create(more)).faults, JSON.stringify(more).slice(0, 80)).toEqual(faults);
    }
    expect(await query("select 1 from system.data_views")).toEqual([]);
  });

  it("reads a field whose name contains a comma, with and without quotes", async () => {
    await query(
      `create view shop.points as select n as id, -n as "x,y" from generate_series(1, 2) n`,
    );
    await expose(environment.test.database, "shop", "points", "GET");
    const [points] = await query(
      "select id from system.resources where relation_name = 'points' and schema_name = 'shop'",
    );
    const made = await create({
      resourceId: points?.id,
      fields: ["x,y", "id"],
      orderBy: ['"x,y"'],
    });
    expect(made.status).toBe(201);
    const path = `/data-views/${made.body.data.id}`;
    const { rows } = (await environment.app(path, environment.admin.secret)).body.data;
    expect(rows).toEqual([
      { "x,y": -2, id: 2 },
      { "x,y": -1, id: 1 },
    ]);
    await environment.ask("DELETE", path);
    await query("drop view shop.points");
  });

  it("preserves every digit of the numbers in its filter", async () => {
    const made = await environment.send(
      "POST",
      "/data-views",
      JSON.stringify({ data: dataView() }).replace(
        "}}",
        `,"where":{"cost":{"_eq":5000000000000.0005}},"limit":1e1,"presentation":{"version":1.0,"layout":"table","columns":[{"field":"id","width":1.5e2}]}}}`,
      ),
    );
    expect(made.body.data).toMatchObject({
      where: { cost: { _eq: "5000000000000.0005" } },
      limit: 10,
      presentation: { version: 1, layout: "table", columns: [{ field: "id", width: 150 }] },
    });
    expect(
      ids(await environment.app(`/data-views/${made.body.data.id}`, environment.admin.secret)),
    ).toEqual([5]);
    await environment.ask("DELETE", `/data-views/${made.body.data.id}`);
  });

  it("shows only the rows and fields that the reader may see, and no name of another field", async () => {
    const { id } = (
      await create({
        fields: ["id", "city", "cost", "secret", "customer.name"],
        orderBy: ["-cost", "-id"],
        roleIds: [roleOf.Clerks, roleOf.Managers],
      })
    ).body.data;
    const seen = await environment.app(`/data-views/${id}`, clerk.secret);
    expect(seen.body.data).toMatchObject({
      resource: { schema: "shop", name: "orders", label: "Orders" },
      orderBy: ["-id"],
      fields: [{ name: "id", dataType: "integer" }, { name: "city" }],
      rows: [
        { id: 6, city: "Oslo" },
        { id: 4, city: "Oslo" },
        { id: 2, city: "Oslo" },
      ],
    });
    expect(JSON.stringify(seen.body)).not.toMatch(/cost|secret|customer|Rome/);
    const all = await environment.app(`/data-views/${id}`, manager.secret);
    expect(all.body.data.rows[0]).toEqual({
      id: 6,
      city: "Oslo",
      cost: "6000000000000.0006",
      secret: "x6",
      customer: { name: "Ann" },
    });
    expect(all.body.data.fields[2]).toMatchObject({
      name: "cost",
      label: "Cost",
      format: { type: "currency", currency: "EUR" },
    });
    expect(all.body.data.fields[4]).toMatchObject({ name: "customer.name" });
    // A revoked right no longer applies to the next request.
    await query(`delete from system.role_members where user_id = '${clerk.id}'`);
    expect((await environment.app(`/data-views/${id}`, clerk.secret)).faults).toEqual([
      "AUTHENTICATION_REQUIRED",
    ]);
    await query(
      `insert into system.role_members (role_id, user_id) values ('${roleOf.Clerks}', '${clerk.id}')`,
    );
    await environment.ask("DELETE", `/data-views/${id}`);
  });

  it("returns the same 404 to a user who may not open it as for an unknown id", async () => {
    const { id } = (await create({ roleIds: [roleOf.Managers] })).body.data;
    const closed = await environment.app(`/data-views/${id}`, clerk.secret);
    const missing = await environment.app(`/data-views/${nobody}`, clerk.secret);
    expect(closed.status).toBe(404);
    expect(closed.body).toEqual(missing.body);
    expect((await environment.app(`/data-views/${id}`, manager.secret)).status).toBe(200);
    expect((await environment.app(`/data-views/${id}`, environment.admin.secret)).status).toBe(200);
    await environment.ask("DELETE", `/data-views/${id}`);
  });

  it("is refused if its filter uses a field, or its resource is one, that the reader may not see", async () => {
    const byCost = (await create({ where: { cost: { _gt: 1 } }, roleIds: [roleOf.Clerks] })).body
      .data.id;
    const ofView = (await create({ resourceId: resourceOf.open_orders, roleIds: [roleOf.Clerks] }))
      .body.data.id;
    const onlyHidden = (await create({ fields: ["cost"], roleIds: [roleOf.Clerks] })).body.data.id;
    const answers = [];
    for (const id of [byCost, ofView, onlyHidden]) {
      answers.push((await environment.app(`/data-views/${id}`, clerk.secret)).body);
      const { dataViews } = (await environment.app("/navigation", clerk.secret)).body.data;
      expect(dataViews.map((view: { id: string }) => view.id)).not.toContain(id);
    }
    expect(answers[0].errors).toMatchObject([{ code: "ACTION_DENIED" }]);
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
    for (const id of [byCost, ofView, onlyHidden])
      await environment.ask("DELETE", `/data-views/${id}`);
  });

  it("returns pages by its cursor within its limit, and refuses other parameters", async () => {
    const { id } = (await create({ orderBy: ["-id"], limit: 4, fields: ["id"] })).body.data;
    const first = await environment.app(
      `/data-views/${id}?limit=2&count=exact`,
      environment.admin.secret,
    );
    expect(ids(first)).toEqual([6, 5]);
    expect(first.body.meta.count).toBe(6);
    const second = await environment.app(
      `/data-views/${id}?limit=2&cursor=${first.body.meta.nextCursor}`,
      environment.admin.secret,
    );
    expect(ids(second)).toEqual([4, 3]);
    expect(
      ids(await environment.app(`/data-views/${id}?limit=1000`, environment.admin.secret)),
    ).toHaveLength(4);
    expect(
      ids(await environment.app(`/data-views/${id}?search=x3`, environment.admin.secret)),
    ).toEqual([3]);
    for (const parameter of [
      "where[id][_eq]=1",
      "fields=nope",
      "limit=0",
      "cursor=x",
      "count=all",
      "limit=1&limit=2",
    ]) {
      expect(
        (await environment.app(`/data-views/${id}?${parameter}`, environment.admin.secret)).status,
        parameter,
      ).toBe(400);
    }
    await environment.ask("DELETE", `/data-views/${id}`);
  });

  it("survives the replacement of its view, and is deleted with a dropped resource", async () => {
    const { id } = (await create({ resourceId: resourceOf.open_orders, fields: ["id", "double"] }))
      .body.data;
    await query(
      "create or replace view shop.open_orders as select id, city, cost, cost * 3 as double, 1 as more from shop.orders where state = 'OPEN'",
    );
    expect(
      (await environment.app(`/data-views/${id}`, environment.admin.secret)).body.data.rows[0]
        .double,
    ).toBe("3000000000000.0003");
    await query("drop view shop.open_orders");
    expect((await environment.ask("GET", `/data-views/${id}`)).status).toBe(404);
    await query(
      "create view shop.open_orders as select id, city, cost, cost * 2 as double from shop.orders where state = 'OPEN'",
    );
    expect((await environment.ask("GET", "/data-views")).body.data).toEqual([]);
    await expose(environment.test.database, "shop", "open_orders", "GET");
    const [row] = await query(
      "select id from system.resources where relation_name = 'open_orders'",
    );
    resourceOf.open_orders = row?.id ?? "";
    // The new view is a different resource without grants.
    await environment.ask("POST", "/grants", {
      roleId: roleOf.Managers,
      resourceId: row?.id,
      action: "READ",
    });
  });
});

describe("a dashboard", () => {
  const panels = () => [
    {
      id: "newest",
      title: "Newest",
      kind: "LIST",
      resourceId: resourceOf.orders,
      definition: { fields: ["id", "cost"], orderBy: ["-id"], limit: 2 },
      presentation: { version: 1, layout: "table", columns: [{ field: "cost", width: 90 }] },
    },
    {
      id: "open",
      title: "Open",
      kind: "FIGURE",
      resourceId: resourceOf.orders,
      definition: { aggregate: ["count"], where: { state: { _eq: "OPEN" } } },
    },
    {
      id: "cost",
      title: "Cost",
      kind: "FIGURE",
      resourceId: resourceOf.orders,
      definition: { aggregate: ["sum(cost)"] },
    },
    {
      id: "by-day",
      title: "By day",
      kind: "CHART",
      resourceId: resourceOf.orders,
      definition: {
        aggregate: ["count"],
        groupBy: ["state", "date_trunc(day,placed_at)"],
        having: { count: { _gte: 1 } },
        orderBy: ["placed_at_day"],
        limit: 2,
      },
    },
    {
      id: "view",
      title: "View",
      kind: "LIST",
      resourceId: resourceOf.open_orders,
      definition: { limit: 1 },
    },
  ];
  const make = (more: object = {}) =>
    environment.ask("POST", "/dashboards", { name: "Shop", panels: panels(), ...more });

  it("can be created, read, listed, changed and deleted, and the audit log names the changed fields", async () => {
    const made = await make({ roleIds: [roleOf.Clerks] });
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    expect((await environment.ask("GET", `/dashboards/${id}`)).body).toEqual(made.body);
    expect((await environment.ask("GET", "/dashboards?search=shop")).body.data).toEqual([
      made.body.data,
    ]);
    const changed = await environment.ask("PATCH", `/dashboards/${id}`, {
      panels: panels().slice(1, 2),
      description: "d",
    });
    expect(changed.body.data).toMatchObject({
      name: "Shop",
      description: "d",
      roleIds: [roleOf.Clerks],
    });
    expect(changed.body.data.panels.map((panel: { id: string }) => panel.id)).toEqual(["open"]);
    expect((await environment.ask("DELETE", `/dashboards/${id}`)).status).toBe(204);
    expect((await environment.ask("GET", `/dashboards/${id}`)).faults).toEqual(["NOT_FOUND"]);
    expect((await environment.ask("PATCH", `/dashboards/${id}`, { name: "x" })).faults).toEqual([
      "NOT_FOUND",
    ]);
    const entries = (await environment.ask("GET", "/audit-log?targetKind=dashboard&limit=3")).body
      .data;
    expect(entries[1]).toMatchObject({
      action: "dashboard.update",
      changedFields: ["description", "panels"],
    });
  });

  it("is validated when it is saved, with every fault at its path", async () => {
    const [list, figure, , chart] = panels();
    const answer = await make({
      panels: [
        list,
        { ...list, definition: { fields: ["nope"] } },
        { ...figure, id: "a", definition: { aggregate: ["sum(nope)"] } },
        { ...figure, id: "b", resourceId: resourceOf.hidden },
        { ...chart, id: "c", definition: { aggregate: ["median(cost)"], groupBy: ["state"] } },
        {
          ...chart,
          id: "d",
          definition: { aggregate: ["count"], groupBy: ["nope"], where: { cost: { _eq: "x" } } },
        },
        {
          ...chart,
          id: "e",
          definition: { aggregate: ["count"], groupBy: ["date_part(weekday,placed_at)"] },
        },
      ],
      roleIds: [nobody],
    });
    expect(answer.faults).toEqual([
      "BODY_INVALID /data/panels/1/id",
      "FIELD_UNKNOWN /data/panels/1/definition/fields",
      "FIELD_UNKNOWN /data/panels/2/definition/aggregate",
      "BODY_INVALID /data/panels/3/resourceId",
      "BODY_INVALID /data/panels/4/definition/aggregate",
      expect.stringContaining("/data/panels/5/definition/"),
      "BODY_INVALID /data/panels/6/definition/groupBy",
      "BODY_INVALID /data/roleIds/0",
    ]);
    for (const panel of [
      { ...figure, definition: { aggregate: ["count", "sum(cost)"] } },
      { ...figure, definition: { aggregate: ["count"], groupBy: ["state"] } },
      { ...chart, definition: { aggregate: ["count"], groupBy: [] } },
      { ...list, kind: "MAP" },
      { ...list, id: "Not an id" },
    ]) {
      expect((await make({ panels: [panel] })).status).toBe(400);
    }
    expect(
      (await make({ panels: Array.from({ length: 41 }, (_, n) => ({ ...list, id: `p${n}` })) }))
        .faults,
    ).toEqual(["BODY_INVALID /data/panels"]);
  });

  it("shows of each panel only the rows and fields that the reader may see", async () => {
    const { id } = (await make({ roleIds: [roleOf.Clerks, roleOf.Managers] })).body.data;
    const all = (await environment.app(`/dashboards/${id}`, manager.secret)).body.data;
    expect(all.panels).toMatchObject([
      {
        id: "newest",
        presentation: { version: 1, layout: "table", columns: [{ field: "cost", width: 90 }] },
        rows: [
          { id: 6, cost: "6000000000000.0006" },
          { id: 5, cost: "5000000000000.0005" },
        ],
        fields: [{ name: "id" }, { name: "cost", label: "Cost" }],
      },
      { id: "open", names: ["count"], rows: [{ count: 4 }], figure: { value: 4, previous: null } },
      { id: "cost", names: ["sum_cost"], rows: [{ sum_cost: "21000000000000.0021" }] },
      {
        id: "by-day",
        names: ["state", "placed_at_day", "count"],
        rows: [
          { state: "OPEN", count: 1 },
          { state: "OPEN", count: 1 },
        ],
      },
      {
        id: "view",
        resource: { kind: "VIEW" },
        fields: [
          { name: "id" },
          { name: "city" },
          { name: "cost", label: "Cost" },
          { name: "double", label: null },
        ],
      },
    ]);
    const own = (await environment.app(`/dashboards/${id}`, clerk.secret)).body.data;
    expect(own.panels).toMatchObject([
      { id: "newest", rows: [{ id: 6 }, { id: 4 }], fields: [{ name: "id" }] },
      { id: "open", rows: [{ count: 2 }] },
      { id: "cost", error: { code: "ACTION_DENIED" } },
      { id: "by-day" },
      { id: "view", error: { code: "ACTION_DENIED" } },
    ]);
    expect(own.panels[2].error).toEqual(own.panels[4].error);
    expect(Object.keys(own.panels[4]).sort()).toEqual([
      "error",
      "id",
      "kind",
      "layout",
      "meta",
      "presentation",
      "title",
    ]);
    expect(JSON.stringify(own.panels.slice(0, 2))).not.toContain("cost");
    const closed = await environment.app(`/dashboards/${id}`, environment.user.secret);
    expect(closed.body).toEqual(
      (await environment.app(`/dashboards/${nobody}`, environment.user.secret)).body,
    );
    await environment.ask("DELETE", `/dashboards/${id}`);
  });

  it("truncates days in the reader's time zone", async () => {
    const { id } = (await make({ panels: [panels()[3]] })).body.data;
    const daysIn = async (zone: string) => {
      const answer = await environment.app(`/dashboards/${id}`, environment.admin.secret, {
        "X-Service-Timezone": zone,
      });
      return answer.body.data.panels[0].rows.map(
        (row: { placed_at_day: string }) => row.placed_at_day,
      );
    };
    expect(await daysIn("Asia/Tokyo")).not.toEqual(await daysIn("UTC"));
    expect(
      (
        await environment.app(`/dashboards/${id}`, environment.admin.secret, {
          "X-Service-Timezone": "Mars",
        })
      ).faults,
    ).toEqual(["QUERY_INVALID X-Service-Timezone"]);
    await environment.ask("DELETE", `/dashboards/${id}`);
  });

  it("keeps the panel of a dropped resource without a resource id", async () => {
    await query("create table shop.passing (id int primary key)");
    await expose(environment.test.database, "shop", "passing", "GET");
    const [row] = await query("select id from system.resources where relation_name = 'passing'");
    const { id } = (
      await make({
        panels: [{ ...panels()[1], resourceId: row?.id, definition: { aggregate: ["count"] } }],
      })
    ).body.data;
    await query("drop table shop.passing");
    expect((await environment.ask("GET", `/dashboards/${id}`)).body.data.panels).toMatchObject([
      { id: "open", resourceId: null },
    ]);
    expect(
      (await environment.app(`/dashboards/${id}`, environment.admin.secret)).body.data.panels,
    ).toMatchObject([{ id: "open", error: { code: "ACTION_DENIED" } }]);
    await environment.ask("DELETE", `/dashboards/${id}`);
  });
});

describe("a to-many list that is cut off", () => {
  it("is named by a DataView in meta.more, and by a dashboard in its panel's more", async () => {
    await environment.ask("PATCH", "/settings", { "data.max_related_rows": 2 });
    const fields = ["id", "orders.id"];
    const resourceId = resourceOf.customers;
    const view = (await create({ resourceId, fields })).body.data.id;
    const panel = { id: "lists", title: "Lists", kind: "LIST", resourceId };
    const board = await environment.ask("POST", "/dashboards", {
      name: "Lists",
      panels: [
        { ...panel, definition: { fields } },
        { ...panel, id: "plain", definition: { fields: ["id"] } },
      ],
    });
    const shown = (await environment.app(`/data-views/${view}`, environment.admin.secret)).body;
    expect(shown.data.rows[0].orders).toHaveLength(2);
    expect(shown.meta).toEqual({ more: ["orders"], asOf: expect.any(String) });
    const { panels } = (
      await environment.app(`/dashboards/${board.body.data.id}`, environment.admin.secret)
    ).body.data;
    expect(panels[0].rows[0].orders).toHaveLength(2);
    expect(panels[0].more).toEqual(["orders"]);
    expect(panels[1]).not.toHaveProperty("more");
    await environment.ask("PATCH", "/settings", { "data.max_related_rows": 1000 });
    await environment.ask("DELETE", `/data-views/${view}`);
    await environment.ask("DELETE", `/dashboards/${board.body.data.id}`);
  });
});

describe("the navigation", () => {
  it("lists only the records that the user may open, with the allowed actions", async () => {
    const view = (await create({ fields: ["id"], roleIds: [roleOf.Clerks] })).body.data.id;
    await create({ name: "Not theirs" });
    const board = (
      await environment.ask("POST", "/dashboards", { name: "Board", roleIds: [roleOf.Clerks] })
    ).body.data.id;
    const own = (await environment.app("/navigation", clerk.secret)).body.data;
    expect(own).toMatchObject({
      resources: [
        {
          id: resourceOf.orders,
          label: "Orders",
          description: "What was ordered",
          path: "/api/shop/table/orders",
          actions: ["READ", "CREATE"],
          primaryKey: ["id"],
          relations: [],
        },
      ],
      dataViews: [{ id: view, name: "Orders", resourceId: resourceOf.orders }],
      dashboards: [{ id: board, name: "Board" }],
    });
    expect(
      own.resources[0].columns.map(
        (column: { name: string; creatable: boolean }) => `${column.name} ${column.creatable}`,
      ),
    ).toEqual(["id true", "customer_id false", "city true", "state true", "placed_at false"]);
    expect(own.resources[0].columns[3].values).toEqual(["OPEN", "SENT"]);
    expect(JSON.stringify(own)).not.toMatch(/cost|secret|hidden|customers|Not theirs/);
    const all = (await environment.app("/navigation", manager.secret)).body.data;
    expect(all.resources.map((resource: { name: string }) => resource.name).sort()).toEqual([
      "customers",
      "open_orders",
      "orders",
    ]);
    const orders = all.resources.find((resource: { name: string }) => resource.name === "orders");
    expect(orders.relations).toEqual([
      {
        name: "customer",
        kind: "ONE",
        foreignKey: "OWN",
        junction: null,
        columns: [{ from: "customer_id", to: "id" }],
        part: false,
        inverse: "orders",
        resource: expect.objectContaining({ name: "customers" }),
      },
    ]);
    expect(orders.columns.find((column: { name: string }) => column.name === "cost")).toMatchObject(
      { label: "Cost", readable: true, updatable: false },
    );
    expect(all.dataViews).toEqual([]);
    const administrator = (await environment.app("/navigation", environment.admin.secret)).body
      .data;
    expect(administrator.dataViews.map((item: { name: string }) => item.name)).toEqual([
      "Not theirs",
      "Orders",
    ]);
  });

  it("is empty for a user without grants", async () => {
    expect((await environment.app("/navigation", environment.user.secret)).body.data).toEqual({
      resources: [],
      dataViews: [],
      dashboards: [],
    });
  });
});

describe("the caller of the App API", () => {
  it("can read its own principal", async () => {
    expect((await environment.app("/me", clerk.secret)).body.data).toMatchObject({
      id: clerk.id,
      email: "clerk@example.com",
      roles: [{ name: "Clerks" }],
      isAdministrator: false,
    });
  });

  it("requires a session or a token of the admin plane", async () => {
    const token = async (user: TestUser, plane: string) => {
      const secret = createSecret("TOKEN");
      const [row] = await query(
        `insert into system.tokens (user_id, name, plane, lifetime_days, expires_at) values ('${user.id}', 'app ${plane}', '${plane}', 1, now() + interval '1 day') returning id`,
      );
      await query(
        `insert into system.token_secrets (digest, token_id, is_current, expires_at) values ('${digestSecret(secret)}', '${row?.id}', true, now() + interval '1 day')`,
      );
      return secret;
    };
    const secrets = [
      null,
      await token(clerk, "api"),
      await token(environment.admin, "api"),
      await token(environment.admin, "admin"),
    ];
    for (const path of [
      "/me",
      "/navigation",
      `/data-views/${nobody}`,
      `/dashboards/${nobody}`,
      "/nope",
    ]) {
      const statuses = [];
      for (const secret of secrets) statuses.push((await environment.app(path, secret)).status);
      expect(statuses.slice(0, 3), path).toEqual([401, 403, 403]);
      expect(statuses[3], path).toBe(path.startsWith("/me") || path.startsWith("/nav") ? 200 : 404);
    }
  });

  it("can read the routes as an OpenAPI document", async () => {
    const document = (await environment.app("/openapi", clerk.secret)).body;
    expect(await documentFaults(document)).toEqual([]);
    expect(Object.keys(document.paths).sort()).toEqual([
      "/app/api/dashboards/{id}",
      "/app/api/dashboards/{id}/panels/{panelId}",
      "/app/api/dashboards/{id}/panels/{panelId}/rows",
      "/app/api/dashboards/{id}/parameters/{name}/values",
      "/app/api/data-views/{id}",
      "/app/api/me",
      "/app/api/navigation",
      "/app/api/openapi",
      "/app/api/preferences",
      "/app/api/saved-views",
      "/app/api/saved-views/{id}",
      "/app/api/search",
    ]);
  });
});
