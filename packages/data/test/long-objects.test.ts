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
import { createExporter } from "./exporter.ts";

// PostgreSQL truncates a name to 63 bytes, and a function accepts 100 arguments at most.
const table = "visits_of_everybody_who_came_by_in_the_long_summer_of_that_year";
const wide = Array.from({ length: 250 }, (_, index) => `c${index}`);

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let exporter: ReturnType<typeof createExporter>;
let user: TestUser;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  exporter = createExporter(test.database);
  for (const statement of [
    "create table people (id int primary key, name text, friend_of_the_family_and_of_its_neighbours_id int references people (id))",
    `create table ${table} (id int primary key, host_id int references people (id), guest_id int references people (id))`,
    "insert into people values (1, 'Ann', null), (2, 'Bob', 1)",
    `insert into ${table} values (1, 1, 2), (2, 1, 2)`,
    `create table wide (id int primary key, ${wide.map((name) => `${name} int`).join(", ")})`,
    "insert into wide (id, c0, c120, c249) values (1, 0, 120, 249), (2, 0, 120, 249)",
  ]) {
    await test.database.query(statement);
  }
  const rules = {
    Readers: { fields: ["id"], rowFilter: null },
    Seers: { fields: wide, rowFilter: { id: { _eq: 2 } } },
  };
  for (const [role, rule] of Object.entries(rules)) {
    const roleId = await createRole(test.database, role);
    for (const name of ["people", table, "wide"]) {
      await expose(test.database, "public", name, "GET");
      if (name !== "wide" && role === "Seers") continue;
      await grant(test.database, client.snapshots, roleId, `public/${name}`, {
        ...{ action: "READ", ...(name === "wide" ? rule : {}) },
      });
    }
  }
  user = await createUser(test.database, "reader@example.com", ...Object.keys(rules));
});
afterAll(() => test.drop());

describe("an object", () => {
  it("an object has its whole member names, even if they are longer than a column name may be", async () => {
    const [hosted, came] = [`${table}_by_host`, `${table}_by_guest`];
    expect(
      await client.list(user, "public/people", `fields=id,${hosted}.id,${came}.id&order_by=id`),
    ).toMatchObject({
      status: 200,
      body: {
        data: [
          { id: 1, [hosted]: [{ id: 1 }, { id: 2 }], [came]: [] },
          { id: 2, [hosted]: [], [came]: [{ id: 1 }, { id: 2 }] },
        ],
      },
    });
    const friend = "friend_of_the_family_and_of_its_neighbours";
    const path = `host.${friend}.${friend}`;
    const query = `aggregate=count,count(${path}.id),count(${path}.name)&group_by=guest.name`;
    const group = {
      "guest.name": "Bob",
      count: 2,
      [`count_${path}.id`]: 0,
      [`count_${path}.name`]: 0,
    };
    const answer = await client.list(user, `public/${table}`, query);
    expect(answer.body).toEqual({ data: [group] });
    const lines = await exporter.ndjson(user, `public/${table}`, query);
    expect(JSON.parse(String(lines))).toEqual(group);
    const none = `aggregate=count(${path}.id)&group_by=guest.name&where[id][_gt]=9`;
    expect((await client.list(user, `public/${table}`, none)).body).toEqual({ data: [] });
  });

  it("an object has as many members as its row, without the hidden ones", async () => {
    const rest = Object.fromEntries(wide.map((name) => [name, null]));
    const answer = await client.list(user, "public/wide", "order_by=id");
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      data: [{ id: 1 }, { ...rest, id: 2, c0: 0, c120: 120, c249: 249 }],
    });
  });
});
