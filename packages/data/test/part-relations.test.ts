import { createRole, createTestDatabase, expose, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { visibleResources } from "../src/index.ts";
import { createClient, grant } from "./engine.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let members: string;
let clerks: string;

const tables = [
  ...["orders", "order_details", "products", "orderline", "categories", "category_text"],
  ...["tree_node", "vehicles", "trips", "tags", "tagged", "cars", "car_tags", "rooms", "places"],
];

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  await test.database.query(`
    create table orders (id int primary key, placed date);
    create table products (id int primary key, name text);
    create table order_details (order_id int references orders, product_id int references products, primary key (order_id, product_id));
    create table orderline (id int primary key, o int not null references orders, text text);
    create table categories (id int primary key);
    create table category_text (id int primary key, category_id int not null references categories);
    create table tree_node (id int primary key, tree_node_id int not null references tree_node);
    create table vehicles (id int primary key);
    create table trips (id int primary key, vehicle_id int not null references vehicles on delete cascade);
    create table tags (id int primary key);
    create table tagged (id int primary key, tag int not null references tags, name text, unique (tag, name));
    create table cars (id int primary key);
    create table car_tags (id int primary key, car int references cars);
    create table rooms (site char(4), no int, primary key (site, no));
    create table places (room_site char(4), room_no int, seat int, primary key (room_site, room_no, seat),
      foreign key (room_site, room_no) references rooms)`);
  members = await createRole(test.database, "Members");
  clerks = await createRole(test.database, "Clerks");
  for (const name of tables) {
    await expose(test.database, "public", name, "GET");
    const action = { action: "READ" } as const;
    await grant(test.database, client.snapshots, members, `public/${name}`, action);
    const fields = name === "order_details" ? ["product_id"] : undefined;
    const some = { ...action, ...(fields === undefined ? {} : { fields }) };
    await grant(test.database, client.snapshots, clerks, `public/${name}`, some);
  }
});
afterAll(() => test.drop());

const partsFor = async (role: string) => {
  const snapshot = await client.snapshots.fresh();
  return visibleResources(snapshot, { roleIds: [role] }).flatMap(({ relation, relations }) =>
    relations.flatMap(({ part, target }) => (part ? [`${relation.name} > ${target.name}`] : [])),
  );
};

describe("parts of a row", () => {
  it("are the rows whose key begins with the foreign key, or whose table is named after that of the row", async () => {
    expect((await partsFor(members)).sort()).toEqual([
      "categories > category_text",
      "orders > order_details",
      "orders > orderline",
      "rooms > places",
      "tags > tagged",
    ]);
  });

  it("are no parts for a reader who may not read the foreign key", async () => {
    expect(await partsFor(clerks)).not.toContain("orders > order_details");
    expect(await partsFor(clerks)).toContain("orders > orderline");
  });
});
