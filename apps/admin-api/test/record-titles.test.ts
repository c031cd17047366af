import { createUser, expose, type TestUser } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// The shape of Northwind: no labels, a key of characters, foreign keys without `_id`.

let environment: TestEnvironment;
let clerk: TestUser;
let boss: TestUser;
const ids: Record<string, string> = {};

const tables = ["employees", "customers", "orders", "order_details", "products"];

beforeAll(async () => {
  environment = await openTestEnvironment();
  const { database } = environment.test;
  await database.query(
    `create schema north;
     create table north.customers (customer_id char(5) primary key, company_name varchar(40) not null, contact_name varchar(30));
     create table north.employees (employee_id smallint primary key, last_name varchar(20) not null, first_name varchar(10) not null,
       title varchar(30), notes text, reports_to smallint references north.employees (employee_id));
     create table north.products (product_id int primary key, quantity_per_unit text not null, product_name varchar(40) not null);
     create table north.orders (order_id int primary key, customer_id char(5) references north.customers (customer_id),
       ship_via smallint, ship_city varchar(15));
     create table north.order_details (order_id int references north.orders (order_id),
       product_id int references north.products (product_id), quantity smallint, primary key (order_id, product_id))`,
  );
  await database.query("insert into system.roles (name) values ('Clerks'), ('Bosses')");
  clerk = await createUser(database, "clerk@example.com", "Clerks");
  boss = await createUser(database, "boss@example.com", "Bosses");
  for (const table of tables) {
    await expose(database, "north", table, "GET");
    const [resource] = await database.query<{ id: string }>(
      "select id from system.resources where schema_name = 'north' and relation_name = $1",
      [table],
    );
    ids[table] = resource?.id ?? "";
    for (const role of ["Clerks", "Bosses"]) {
      const limited = role === "Clerks" && table === "employees";
      const [found] = await database.query<{ id: string }>(
        "select id from system.roles where name = $1",
        [role],
      );
      const made = await environment.ask("POST", "/grants", {
        ...{ roleId: found?.id, resourceId: ids[table], action: "READ" },
        ...(limited && { fields: ["employee_id", "first_name", "title"] }),
      });
      expect(made.status).toBe(201);
    }
  }
});
afterAll(() => environment.test.drop());

const set = (table: string, title: unknown) =>
  environment.ask("PATCH", `/resources/${ids[table]}`, { title });
const detailOf = async (table: string) =>
  (await environment.ask("GET", `/resources/${ids[table]}`)).body.data;

/** The titles that a person's navigation tells, as templates. */
async function titlesOf(user: TestUser): Promise<Record<string, string>> {
  const { resources } = (await environment.app("/navigation", user.secret)).body.data;
  return Object.fromEntries(
    resources.map(
      (item: { name: string; title: { field: string; before: string; after: string }[] }) => [
        item.name,
        item.title.map(({ field, before, after }) => `${before}{${field}}${after}`).join(""),
      ],
    ),
  );
}

describe("the title of a record", () => {
  it("is proposed from names of people and things, never from a reference or a job", async () => {
    expect(await titlesOf(boss)).toEqual({
      customers: "{company_name}",
      employees: "{first_name} {last_name}",
      order_details: "{order_id} · {product_id}",
      orders: "Order {order_id} · {customer_id}",
      products: "{product_name}",
    });
    expect(await detailOf("employees")).toMatchObject({
      title: null,
      proposedTitle: "{first_name} {last_name}",
    });
    expect(await detailOf("order_details")).toMatchObject({
      title: null,
      proposedTitle: "{order_id} · {product_id}",
    });
  });

  it("is proposed to each reader from the columns that they may read alone", async () => {
    expect((await titlesOf(clerk)).employees).toBe("{first_name}");
  });

  it("is what an administrator sets, without the fields that a reader may not read", async () => {
    const answer = await set("employees", "{last_name}, {first_name} ({title})");
    expect(answer.status).toBe(200);
    expect(answer.body.data.title).toBe("{last_name}, {first_name} ({title})");
    expect((await titlesOf(boss)).employees).toBe("{last_name}, {first_name} ({title})");
    expect((await titlesOf(clerk)).employees).toBe("{first_name} ({title})");
  });

  it("names nothing that tells a hidden column from a missing one", async () => {
    await set("employees", "{last_name}{notes}");
    expect((await titlesOf(clerk)).employees).toBe("{first_name}");
  });

  it("follows a renamed column, loses a dropped one, and goes with null", async () => {
    const { database } = environment.test;
    await set("customers", "{company_name} / {contact_name}");
    await database.query("alter table north.customers rename contact_name to contact");
    expect((await detailOf("customers")).title).toBe("{company_name} / {contact}");
    await database.query("alter table north.customers drop contact");
    expect((await detailOf("customers")).title).toBe("{company_name}");
    await set("customers", null);
    expect(await detailOf("customers")).toMatchObject({
      title: null,
      proposedTitle: "{company_name}",
    });
    const [left] = await database.query<{ count: number }>(
      "select count(*)::int from system.resource_columns where resource_id = $1",
      [ids.customers ?? ""],
    );
    expect(left?.count).toBe(0);
  });

  it("keeps the label of its columns", async () => {
    const path = `/resources/${ids.products}/columns/product_name`;
    await environment.ask("PATCH", path, { label: "Product" });
    await set("products", "{product_name}");
    await set("products", null);
    expect((await environment.ask("GET", path)).body.data.label).toBe("Product");
  });

  it("is changed together with others, or none of them is", async () => {
    const change = (title: string) =>
      environment.ask("PATCH", "/resources", [
        { id: ids.products, label: "Products", title: "{product_name}" },
        { id: ids.orders, title },
      ]);
    const refused = await change("{no_such}");
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toEqual([
      {
        code: "BODY_INVALID",
        path: "/data/1/title",
        message: "The table has no column no_such",
      },
    ]);
    expect((await detailOf("products")).title).toBe(null);
    expect((await change("Order {order_id}")).status).toBe(200);
    expect((await detailOf("orders")).title).toBe("Order {order_id}");
  });

  it.each([
    ["no field", "A title has at least one field: {name}"],
    ["{}", "A field has no name"],
    ["{order_id", "A { has no } after it"],
    ["}{order_id}", "A } has no { before it"],
    ["{order_id}}", "A } has no { before it"],
    ["{order_id} {order_id}", "The field order_id is named twice"],
    ["{xmin}", "The table has no column xmin"],
    ["{a}{b}{c}{d}{e}{f}{g}{h}{i}", "A title has at most 8 fields"],
  ])("refuses %j", async (title, message) => {
    const answer = await set("orders", title);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([{ code: "BODY_INVALID", path: "/data/title", message }]);
  });

  it("refuses a template that is too long or no text", async () => {
    for (const title of ["{".repeat(501), "", 5, ["{order_id}"]]) {
      expect((await set("orders", title)).status).toBe(400);
    }
  });
});

describe("the titles among which an administrator chooses", () => {
  const samplesOf = async (...tables: string[]) =>
    (
      await environment.ask(
        "POST",
        "/resources/titles",
        tables.map((table) => ids[table]),
      )
    ).body.data;

  it("come with the first rows of each table, in which a reference is the title of its row", async () => {
    const { database } = environment.test;
    await database.query(
      `create table north.hidden (id int primary key, town text not null, name text, due date, boss smallint references north.employees);
       create view north.slow as select pg_sleep(3)::text as label;
       insert into north.employees values (1, 'Davolio', 'Nancy', 'Sales', null, null);
       insert into north.hidden values (1, 'Oslo', 'One', '2026-11-15', 1), (2, 'Rome', null, null, null), (3, 'Kiel', 'Three', null, null), (4, 'Ulm', 'Four', null, null)`,
    );
    const { data } = (await environment.ask("GET", "/resources?schema=north&limit=100")).body;
    for (const { id, name } of data as { id: string; name: string }[]) ids[name] = id;
    const [employees, hidden, slow] = await samplesOf("employees", "hidden", "slow");
    expect(employees.choices.slice(0, 2)).toEqual([
      { template: "{first_name} {last_name}" },
      { template: "{last_name}, {first_name}" },
    ]);
    expect(hidden.choices.map(({ template }: { template: string }) => template)).toEqual([
      "{name}",
      "Hidden · {boss} · {due}",
      "{town}",
    ]);
    expect(hidden.rows).toEqual([
      { name: "One", boss: "Davolio", due: "2026-11-15", town: "Oslo" },
      { name: null, boss: null, due: null, town: "Rome" },
      { name: "Three", boss: null, due: null, town: "Kiel" },
    ]);
    expect([slow.choices, slow.rows]).toEqual([[{ template: "{label}" }], null]);
    await database.query(
      "drop view north.slow; drop table north.hidden; delete from north.employees",
    );
  });

  it("are listed to administrators alone, of resources that exist", async () => {
    const body = [ids.employees];
    expect((await environment.ask("POST", "/resources/titles", body, boss.secret)).status).toBe(
      403,
    );
    const missing = ["00000000-0000-4000-8000-000000000000"];
    expect((await environment.ask("POST", "/resources/titles", missing)).status).toBe(404);
    expect((await environment.ask("POST", "/resources/titles", [])).status).toBe(400);
  });
});

describe("the rows that a reading refers to", () => {
  let view: string;
  let board: string;
  const roleIds: string[] = [];

  beforeAll(async () => {
    const { database } = environment.test;
    await database.query(
      `insert into north.customers values ('ALFKI', 'Alfreds'), ('BONAP', 'Bon app'), ('CACTU', '');
       insert into north.orders (order_id, customer_id, ship_city)
         values (1, 'ALFKI', 'Berlin'), (2, 'BONAP', 'Marseille'), (3, 'CACTU', 'Lima'), (4, null, 'Bern')`,
    );
    await set("customers", "{company_name}");
    const roles = await database.query<{ id: string }>(
      "select id from system.roles where name in ('Clerks', 'Bosses')",
    );
    roleIds.push(...roles.map(({ id }) => id));
    const made = await environment.ask("POST", "/data-views", {
      ...{ name: "Orders", resourceId: ids.orders, roleIds, orderBy: ["order_id"] },
      fields: ["order_id", "customer_id"],
    });
    view = made.body.data.id;
    const dashboard = await environment.ask("POST", "/dashboards", {
      ...{ name: "Orders by customer", roleIds },
      panels: [
        {
          ...{ id: "bars", title: "Orders", kind: "CHART", resourceId: ids.orders },
          layout: { x: 0, y: 0, w: 6, h: 4 },
          definition: { aggregate: ["count(*)"], groupBy: ["customer_id"] },
          presentation: { version: 1, chart: "bar" },
        },
        {
          ...{ id: "list", title: "Orders", kind: "LIST", resourceId: ids.orders },
          layout: { x: 6, y: 0, w: 6, h: 4 },
          definition: { fields: ["order_id", "customer_id"] },
          presentation: { version: 1, layout: "table", columns: [] },
        },
      ],
    });
    expect([made.body.errors, dashboard.body.errors]).toEqual([undefined, undefined]);
    board = dashboard.body.data.id;
  });

  /** The titles in the answers of a DataView, a chart and a list. */
  const titlesIn = async ({ secret }: TestUser) => {
    const titlesOf = (fields: readonly { name: string; titles?: unknown }[]) =>
      fields.find(({ name }) => name === "customer_id")?.titles;
    const opened = await environment.app(`/data-views/${view}`, secret);
    const { panels } = (await environment.app(`/dashboards/${board}`, secret)).body.data;
    return [
      titlesOf(opened.body.data.fields),
      ...panels.map(({ fields }: { fields: [] }) => titlesOf(fields)),
    ];
  };
  const all = { ALFKI: "Alfreds", BONAP: "Bon app" };

  it("have their titles beside the fields of a DataView, a chart and a list; an empty one has none", async () => {
    expect(await titlesIn(boss)).toEqual([all, all, all]);
  });

  it("are answered within the reader's rights of the moment", async () => {
    expect(await titlesIn(clerk)).toEqual([all, all, all]);
    const grants = (await environment.ask("GET", `/grants?resourceId=${ids.customers}&limit=100`))
      .body.data as { id: string; roleId: string }[];
    const [clerks] = await environment.test.database.query<{ id: string }>(
      "select id from system.roles where name = 'Clerks'",
    );
    const own = grants.find(({ roleId }) => roleId === clerks?.id) ?? expect.fail();
    const limit = (change: object) => environment.ask("PATCH", `/grants/${own?.id}`, change);
    // A row that the reader may not see is as one that does not exist.
    expect((await limit({ rowFilter: { customer_id: { _eq: "BONAP" } } })).status).toBe(200);
    const some = { BONAP: "Bon app" };
    expect(await titlesIn(clerk)).toEqual([some, some, some]);
    // A title has no field that the reader may not see; the key alone says nothing more.
    expect((await limit({ rowFilter: null, fields: ["customer_id"] })).status).toBe(200);
    expect(await titlesIn(clerk)).toEqual([undefined, undefined, undefined]);
    expect((await environment.ask("DELETE", `/grants/${own?.id}`)).status).toBe(204);
    expect(await titlesIn(clerk)).toEqual([undefined, undefined, undefined]);
    expect(await titlesIn(boss)).toEqual([all, all, all]);
  });
});
