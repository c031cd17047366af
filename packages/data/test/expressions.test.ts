import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, grant } from "./engine.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let member: TestUser;
let clerk: TestUser;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  await test.database.query(`
    create table products (id int primary key, cost numeric, weight float8, "net (kg), weight" int);
    create table lines (id int primary key, product_id int references products, quantity int, price numeric, discount real,
      "a-b" int, note text, paid money, tags int[], at date);
    insert into products values (1, 1.5, 0.1, 3), (2, 0, 2, 4);
    insert into lines values
      (1, 1, 3, 10.10, 0.1, 7, 'x', 1, '{1}', '2024-01-01'),
      (2, 2, 2, 0.005, 0, 1, 'x', 1, '{1}', '2024-01-01'),
      (3, null, 5, 99999999999999999999.01, 0.5, null, 'y', 1, '{1}', '2024-01-01'),
      (4, 1, null, 4, 0, 2, 'y', 1, '{1}', '2024-01-01')`);
  for (const name of ["products", "lines"]) await expose(test.database, "public", name, "GET");
  const role = await createRole(test.database, "Members");
  for (const name of ["products", "lines"]) {
    await grant(test.database, client.snapshots, role, `public/${name}`, { action: "READ" });
  }
  const clerks = await createRole(test.database, "Clerks");
  await grant(test.database, client.snapshots, clerks, "public/lines", {
    action: "READ",
    fields: ["id", "quantity", "product_id"],
  });
  const some = await createRole(test.database, "Some");
  await grant(test.database, client.snapshots, some, "public/lines", {
    action: "READ",
    fields: ["price"],
    rowFilter: { id: { _eq: 1 } },
  });
  member = await createUser(test.database, "member@example.com", "Members");
  clerk = await createUser(test.database, "clerk@example.com", "Clerks", "Some");
});
afterAll(() => test.drop());

const aggregate = (user: TestUser, term: string, rest = "") =>
  client.list(user, "public/lines", `aggregate=${encodeURIComponent(term)}${rest}`);
const value = async (term: string, user = member) => {
  const { status, body } = await aggregate(user, term);
  return status === 200 ? (body as { data: { r: unknown }[] }).data[0]?.r : body;
};

describe("an aggregate of an expression", () => {
  it.each([
    // Written with the same numbers, in SQL: exact, as PostgreSQL computes numerics.
    ["sum(quantity*price)", "quantity::numeric * price"],
    ["sum(quantity*price*(1-discount))", "quantity * price * (1 - discount::numeric)"],
    ["avg(quantity - -price)", "quantity + price"],
    ["min(price/quantity)", "price / quantity"],
    ["max(2*(quantity+1)-price/2)", "2 * (quantity + 1) - price / 2"],
    ["sum(quantity-price-discount)", "quantity - price - discount::numeric"],
    ["sum(price/quantity/2)", "price / quantity / 2"],
    ["sum(0.10)", "0.10"],
    ['sum("a-b"*2)', '"a-b" * 2'],
    [
      "sum( quantity * product.cost )",
      "quantity * (select cost from products p where p.id = product_id)",
    ],
    [
      "sum(product.weight*10)",
      "(select weight::numeric from products p where p.id = product_id) * 10",
    ],
    [
      "sum(quantity/product.cost)",
      "quantity / nullif((select cost from products p where p.id = product_id), 0)",
    ],
  ])("%s", async (term, sql) => {
    const apply = term.slice(0, 3);
    const [row] = await test.database.query<{ expected: string }>(
      `select to_jsonb(${apply}(${sql}))::text as expected from lines`,
    );
    expect(await value(`${term}:r`)).toBe(row?.expected);
  });

  it("has groups, an order and a filter by its name", async () => {
    const answer = await aggregate(
      member,
      "sum(quantity*price):revenue,count",
      "&group_by=product_id&order_by=-revenue:nulls_last&having[revenue][_lt]=100",
    );
    expect(answer.body).toEqual({
      data: [
        { product_id: 1, revenue: "30.30", count: 2 },
        { product_id: 2, revenue: "0.010", count: 1 },
      ],
    });
  });

  it("reads a field as null in the rows in which it is hidden", async () => {
    expect(await value("sum(quantity*price):r", clerk)).toBe("30.30");
    expect(await value("sum(quantity*2):r", clerk)).toBe("20");
  });

  it("quotes names with signs, also over related rows", async () => {
    const net = 'product."net (kg), weight"';
    const terms = `sum(quantity*${net}*2):r,sum(("a-b"*${net})/2):s`;
    const answer = await aggregate(member, terms, "&group_by=product_id&having[r][_gt]=0");
    expect(answer.body).toEqual({
      data: [
        { product_id: 1, r: "18", s: "13.5000000000000000" },
        { product_id: 2, r: "16", s: "2.0000000000000000" },
      ],
    });
    const fields = `id,lines.sum(${net}*quantity):r,n:lines.max(product."net (kg), weight")`;
    const related = `fields=${encodeURIComponent(fields)}&where[id][_eq]=2`;
    expect((await client.list(member, "public/products", related)).body).toEqual({
      data: [{ id: 2, lines: { r: "8" }, n: { "max_product.net (kg), weight": 4 } }],
    });
  });

  it("does not reveal whether a hidden field exists", async () => {
    for (const field of ["discount", "none", "product.cost"]) {
      expect(await aggregate(clerk, `sum(quantity*${field}):r`)).toMatchObject({
        status: 400,
        body: { errors: [{ code: "FIELD_UNKNOWN", details: { field } }] },
      });
    }
  });

  it.each([
    "sum(quantity*price)",
    "sum(quantity*):r",
    "sum(quantity price):r",
    "sum((quantity):r",
    "sum(quantity)):r",
    "sum():r",
    "sum(quantity**2):r",
    "sum(quantity%2):r",
    "sum(quantity;drop table lines):r",
    "sum(1e5*quantity):r",
    "sum(note*2):r",
    "sum(paid*2):r",
    "sum(tags*2):r",
    "sum(at-1):r",
    "sum(quantity*price):",
    "count(quantity*price):r",
    "count_distinct(quantity*price):r",
    "sum(quantity*price):r,sum(price*2):r",
    "sum(quantity*price):quantity_r,count:r",
    `sum(${"(".repeat(60)}1${")".repeat(60)}):r`,
    `sum(${"-".repeat(60)}1):r`,
    `sum(${Array.from({ length: 51 }, () => "quantity").join("+")}):r`,
  ])("%s is refused", async (term) => {
    const { status, body } = await aggregate(member, term);
    expect([status, body]).toMatchObject([400, { errors: [{ path: "aggregate" }] }]);
  });
});
