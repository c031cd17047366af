import type { Database, Parameter } from "@rowhouse/db";
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, createClient, grant } from "./engine.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;
let sent: { readonly text: string; readonly parameters: readonly Parameter[] }[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  // Listens in on the pool; every statement still runs.
  const database: Database = {
    ...test.database,
    get service() {
      return this;
    },
    query: (text, parameters = [], options) => {
      sent.push({ text, parameters });
      return test.database.query(text, parameters, options);
    },
  };
  client = createClient(database);
  const roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  for (const statement of [
    "create table regions (id int primary key, name text)",
    "insert into regions values (1, 'north'), (2, 'south'), (3, 'hidden')",
    "create table customers (id int primary key, city text, open boolean, region_id int references regions)",
    "insert into customers select n, 'city ' || n % 4, n % 5 <> 0, 1 + n % 3 from generate_series(1, 200) n",
    "create table orders (id int primary key, price int, customer_id int references customers)",
    "insert into orders select n, n % 7, nullif(n % 201, 0) from generate_series(1, 4000) n",
    "analyze regions, customers, orders",
  ]) {
    await test.database.query(statement);
  }
  const filters = {
    orders: null,
    customers: { open: { _eq: true } },
    regions: { name: { _neq: "hidden" } },
  };
  for (const [name, rowFilter] of Object.entries(filters)) {
    await expose(test.database, "public", name, "GET");
    await grant(test.database, client.snapshots, roleId, `public/${name}`, {
      ...{ action: "READ", rowFilter },
    });
  }
});
afterAll(() => test.drop());

const dataOf = (answer: Answer): Record<string, unknown>[] => {
  expect(answer).toMatchObject({ status: 200 });
  return (answer.body as { data: Record<string, unknown>[] }).data;
};
/** The nodes of the plan of the last statement. */
const planOf = async (): Promise<string> => {
  const { text, parameters } = sent.at(-1) ?? { text: "", parameters: [] };
  const rows = await test.database.query<{ "QUERY PLAN": string }>(`explain ${text}`, parameters);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
};

/** The visible customer and region of each order, computed by PostgreSQL from the tables themselves. */
const seen = `select o.id, o.price, c.city, r.name as region from orders o
  left join customers c on c.id = o.customer_id and c.open
  left join regions r on r.id = c.region_id and r.name <> 'hidden'`;

describe("fields of a related row that order, group and add up rows", () => {
  it("come from a join and not from a subquery for each row", async () => {
    for (const query of [
      "group_by=customer.city&aggregate=count,max(customer.region.name)",
      "order_by=-customer.city,customer.region.name&limit=5&fields=id",
      "aggregate=count_distinct(customer.city),min(customer.city)&having[count_distinct_customer.city][_gt]=0",
    ]) {
      sent = [];
      expect(await client.list(user, "public/orders", query)).toMatchObject({ status: 200 });
      const plan = await planOf();
      expect(plan).toMatch(
        /(?:Hash|Merge|Nested Loop) (?:Right |Left )?(?:Left )?(?:Right )?Join|Hash .*Join/,
      );
      expect(plan).not.toContain("SubPlan");
      expect(sent.at(-1)?.text.match(/ left join "public"\."customers"/g)).toHaveLength(1);
    }
  });

  it("are null where the caller may not see the related row, as are those behind it", async () => {
    const groups = await client.list(
      user,
      "public/orders",
      "group_by=customer.city,customer.region.name&aggregate=count,sum(price)&limit=1000",
    );
    const expected = await test.database.query<Record<string, unknown>>(
      `select city as "customer.city", region as "customer.region.name", count(*)::int as count, sum(price)::text as sum_price
       from (${seen}) s group by 1, 2 order by 1, 2`,
    );
    expect(dataOf(groups)).toEqual([...expected]);
    expect(dataOf(groups).at(-1)).toMatchObject({ "customer.city": null });
  });

  it("order rows alike on every page and in every form of the order", async () => {
    for (const [order, sql] of [
      ["customer.city,-customer.region.name", "city, region desc nulls first, id"],
      ["-customer.city:nulls_last,id", "city desc nulls last, id"],
    ]) {
      const expected = await test.database.query<{ id: number }>(
        `select id from (${seen}) s order by ${sql}`,
      );
      const ids: unknown[] = [];
      let cursor = "";
      for (;;) {
        const query = `fields=id&order_by=${order}&limit=700${cursor}`;
        const { body } = await client.list(user, "public/orders", query);
        const { data, meta } = body as { data: { id: number }[]; meta?: { nextCursor: string } };
        ids.push(...data.map(({ id }) => id));
        if (meta === undefined) break;
        cursor = `&cursor=${meta.nextCursor}`;
      }
      expect(ids).toEqual(expected.map(({ id }) => id));
    }
  });

  it("are read by a parallel plan, which sorts rows without their JSON", async () => {
    for (const query of [
      "order_by=-customer.city,customer.region.name&limit=5&fields=id",
      "order_by=-customer.city&limit=5&fields=id,price&count=exact",
      "group_by=customer.city&aggregate=count",
    ]) {
      sent = [];
      expect(await client.list(user, "public/orders", query)).toMatchObject({ status: 200 });
      const { text, parameters } = sent.at(-1) ?? { text: "", parameters: [] };
      const plan = await test.database.transaction(async (transaction) => {
        // Prices by which a parallel plan is the best for a small table.
        for (const setting of [
          "parallel_setup_cost",
          "parallel_tuple_cost",
          "min_parallel_table_scan_size",
        ]) {
          await transaction.query("select set_config($1::text, '0', true)", [setting]);
        }
        const explain = `explain (verbose, costs off) ${text}`;
        const rows = await transaction.query<{ "QUERY PLAN": string }>(explain, parameters);
        return rows.map((row) => row["QUERY PLAN"]).join("\n");
      });
      const sorted = plan.slice(plan.indexOf("->  Limit"));
      expect(sorted).toMatch(/Sort Key|Group Key/);
      expect(sorted).toContain("Gather");
      expect(sorted).not.toMatch(/concat_ws|to_json|\)::text/);
    }
  });

  it("order the rows of a to-many relation, and count no row twice", async () => {
    const query = `fields=id,orders.id&where[id][_eq]=7&deep[orders][order_by]=-customer.region.name,-id&deep[orders][limit]=2`;
    const [row] = dataOf(await client.list(user, "public/customers", query));
    expect(row).toMatchObject({ orders: [{ id: 3826 }, { id: 3625 }] });
    const counted = await client.list(
      user,
      "public/orders",
      "order_by=customer.city&count=exact&limit=1&fields=id",
    );
    expect(counted.body).toMatchObject({ meta: { count: 4000 } });
  });
});
