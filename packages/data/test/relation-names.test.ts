import { distinctFields } from "@rowhouse/access";
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { visibleResources } from "../src/index.ts";
import { createClient, grant } from "./engine.ts";

let test: TestDatabase;
/** Two engines, each with its own snapshot and statements, as of two processes. */
let clients: readonly [ReturnType<typeof createClient>, ReturnType<typeof createClient>];
let member: TestUser;
let members = "";

beforeAll(async () => {
  test = await createTestDatabase();
  clients = [createClient(test.database), createClient(test.database)];
  await test.database.query(`
    create table firms (id int primary key, name text, hidden boolean not null default false);
    create table orders (id int primary key, ship_via int references firms, buyer_id int references firms, total int);
    insert into firms values (1, 'Ann', false), (2, 'Bob', true), (3, 'Cox', false);
    insert into orders values (1, 1, 3, 10), (2, 2, 3, 20), (3, 3, 1, 30)`);
  members = await createRole(test.database, "Members");
  for (const name of ["firms", "orders"]) {
    await expose(test.database, "public", name, "GET", "POST", "PATCH", "DELETE");
    await grant(test.database, clients[0].snapshots, members, `public/${name}`, { action: "READ" });
  }
  member = await createUser(test.database, "member@example.com", "Members");
});
afterAll(() => test.drop());
beforeEach(() => name(null));

/** Names the relation of `orders.ship_via`, as the Admin API does. */
async function name(relationName: string | null): Promise<void> {
  await test.database.query("delete from system.resource_columns");
  if (relationName === null) return;
  await test.database.query(
    `insert into system.resource_columns (resource_id, attribute_number, column_name, relation_name)
     select id, 2, 'ship_via', $1::text from system.resources where relation_name = 'orders' and schema_name = 'public'`,
    [relationName],
  );
}

/** Returns the response of both engines, which must be equal. */
async function list(query: string, table = "orders"): Promise<unknown> {
  const encoded = query.replace(/[{}"[\]]/g, encodeURIComponent);
  const answers = [];
  for (const client of clients) {
    const { status, body } = await client.list(member, `public/${table}`, encoded);
    answers.push(status === 200 ? (body as { data: unknown }).data : [status]);
  }
  expect(answers[1]).toEqual(answers[0]);
  return answers[0];
}

const queries = (relation: string) => [
  `fields=id,${relation}.name&order_by=id`,
  `fields=id&order_by=-${relation}.name`,
  `fields=id&where[${relation}.name][_eq]=Bob`,
  `group_by=${relation}.name&aggregate=count&order_by=${relation}.name`,
];

describe("the name that an administrator gives to a relation", () => {
  it("is that of fields, order, filter and groups from the next request of every process on", async () => {
    const answers = async (relation: string) => {
      const found: unknown[] = [];
      for (const query of queries(relation)) found.push(await list(query));
      return JSON.parse(JSON.stringify(found).replaceAll(`"${relation}`, '"relation'));
    };
    const refused = queries("").map(() => [400]);
    const before = await answers("ship_via");
    expect(before[2]).toEqual([{ id: 2 }]);
    expect(await answers("shipper")).toEqual(refused);
    await name("shipper");
    expect(await answers("shipper")).toEqual(before);
    expect(await answers("ship_via")).toEqual(refused);
    await name("carrier");
    expect(await answers("carrier")).toEqual(before);
    expect(await answers("shipper")).toEqual(refused);
    await name(null);
    expect(await answers("ship_via")).toEqual(before);
  });

  it("leaves the column and the other direction their names", async () => {
    const inverse = "fields=id,orders_by_ship_via.id&order_by=id";
    const before = await list(inverse, "firms");
    await name("shipper");
    expect(await list(inverse, "firms")).toEqual(before);
    expect(await list("fields=ship_via,shipper.name&limit=1&order_by=id")).toEqual([
      { ship_via: 1, shipper: { name: "Ann" } },
    ]);
  });

  it("makes an alias unnecessary", () => {
    const terms = (...paths: string[][]) => distinctFields(paths).map(({ term }) => term);
    expect(terms(["ship_via"], ["ship_via", "name"])).toEqual([
      "ship_via",
      "ship_via_row:ship_via.name",
    ]);
    expect(terms(["ship_via"], ["shipper", "name"])).toEqual(["ship_via", "shipper.name"]);
  });

  it("is in the description of what a caller may do", async () => {
    const relations = async () => {
      const snapshot = await clients[0].snapshots.fresh();
      const orders = visibleResources(snapshot, { roleIds: [members] }).find(
        (resource) => resource.relation.name === "orders",
      );
      return orders?.relations.map((relation) => relation.name);
    };
    expect(await relations()).toEqual(["ship_via", "buyer"]);
    await name("shipper");
    expect((await relations())?.sort()).toEqual(["buyer", "shipper"]);
  });

  it("is that of row filters, and a filter with the former name allows nothing", async () => {
    const readers = await createRole(test.database, "Readers");
    const reader = await createUser(test.database, "reader@example.com", "Readers");
    const [{ snapshots }] = clients;
    await name("shipper");
    await grant(test.database, snapshots, readers, "public/orders", {
      action: "READ",
      rowFilter: { "shipper.hidden": { _eq: false } },
    });
    const ids = async () => {
      const answers = [];
      for (const client of clients) {
        const { status, body } = await client.list(
          reader,
          "public/orders",
          "fields=id&order_by=id",
        );
        answers.push(
          status === 200 ? (body as { data: { id: number }[] }).data.map(({ id }) => id) : status,
        );
      }
      expect(answers[1]).toEqual(answers[0]);
      return answers[0];
    };
    expect(await ids()).toEqual([1, 3]);
    await name("carrier");
    expect(await ids()).toBe(404);
    await name("shipper");
    expect(await ids()).toEqual([1, 3]);
    // A column of the name takes it; the filter never follows another relation instead.
    await test.database.query("alter table orders add column shipper int");
    expect(await ids()).toBe(404);
    expect(await list("fields=id,ship_via.name&limit=1&order_by=id")).toEqual([
      { id: 1, ship_via: { name: "Ann" } },
    ]);
    await test.database.query("alter table orders drop column shipper");
    expect(await ids()).toEqual([1, 3]);
  });

  it("is loaded without event triggers as well", async () => {
    await test.database.query("drop event trigger rowhouse_after_drop");
    await name("shipper");
    expect(await list("fields=shipper.name&limit=1&order_by=id")).toEqual([
      { shipper: { name: "Ann" } },
    ]);
    await name("carrier");
    expect(await list("fields=shipper.name&limit=1")).toEqual([400]);
    expect(await list("fields=carrier.name&limit=1&order_by=id")).toEqual([
      { carrier: { name: "Ann" } },
    ]);
  });
});
