import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { visibleResources } from "../src/index.ts";
import { createClient, grant } from "./engine.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let member: TestUser;
let members: string;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  await test.database.query(`
    create table people (id int primary key, name text);
    create table badges (id int primary key, person_id int unique references people, level int, secret int);
    create table desks (person_id int primary key references people, floor int);
    create table keys (id int primary key, desk int references desks);
    create table loans (id int primary key, person_id bigint references people, item text, day date);
    insert into people values (1, 'Ann'), (2, 'Bob'), (3, 'Cy');
    insert into badges values (1, 1, 5), (2, 2, 3), (3, null, 9);
    insert into desks values (1, 4), (3, 2);
    insert into keys values (1, 1), (2, 1);
    insert into loans values (1, 1, 'pen', '2026-01-01'), (2, 2, 'cup', '2026-01-02')`);
  members = await createRole(test.database, "Members");
  for (const name of ["people", "badges", "desks", "keys", "loans"]) {
    await expose(test.database, "public", name, "GET");
    await grant(test.database, client.snapshots, members, `public/${name}`, {
      action: "READ",
      ...(name === "badges" ? { fields: ["id", "level"], rowFilter: { level: { _lt: 9 } } } : {}),
      ...(name === "desks" ? { rowFilter: { floor: { _gt: 2 } } } : {}),
    });
  }
  member = await createUser(test.database, "member@example.com", "Members");
});
afterAll(() => test.drop());

const data = async (name: string, query: string): Promise<unknown> => {
  const text = query.replace(/[{}"[\]]/g, encodeURIComponent);
  const answer = await client.list(member, `public/${name}`, text);
  return answer.status === 200 ? (answer.body as { data: unknown }).data : answer.body;
};
const ids = async (query: string): Promise<unknown> => {
  const rows = await data("people", `fields=id&${query}`);
  return Array.isArray(rows) ? rows.map((row: { id: number }) => row.id).join() : rows;
};

describe("a foreign key that is unique, in the other direction", () => {
  it("is a row or null, under the row filter and the fields of its target", async () => {
    expect(await data("people", "fields=name,badges.level,desks.floor")).toEqual([
      { name: "Ann", badges: { level: 5 }, desks: { floor: 4 } },
      { name: "Bob", badges: { level: 3 }, desks: null },
      { name: "Cy", badges: null, desks: null },
    ]);
    expect(await data("people", "fields=badges&limit=1")).toEqual([
      { badges: { id: 1, level: 5 } },
    ]);
    expect(await data("people", "fields=badges.secret")).toMatchObject({
      errors: [{ code: "FIELD_UNKNOWN" }],
    });
    expect(await data("keys", "fields=id,desk.person.badges.level")).toEqual([
      { id: 1, desk: { person: { badges: { level: 5 } } } },
      { id: 2, desk: { person: { badges: { level: 5 } } } },
    ]);
  });

  it.each([
    ["where[badges.level][_gt]=2", "1,2"],
    ["where[badges][level][_neq]=5", "2"],
    ["where[_not][badges.level][_eq]=5", "2"],
    ["where[badges][_some][level][_gt]=4", "1"],
    ["where[badges][_none][level][_gt]=4", "2,3"],
    ["where[badges][_every][level][_gt]=4", "1,3"],
    ["where[badges][_count][_eq]=0", "3"],
    ["where[id][_lt]=$FIELD.badges.level", "1,2"],
    ["where[desks][keys][_count][_eq]=2", "1"],
    ["order_by=-badges.level:nulls_last", "1,2,3"],
    ["order_by=badges.level:nulls_first", "3,2,1"],
    ["order_by=-desks.keys.count,-id", "1,3,2"],
  ])("%s", async (query, expected) => {
    expect(await ids(query)).toBe(expected);
  });

  it("its fields group and aggregate", async () => {
    expect(
      await data("people", "group_by=badges.level&aggregate=count&order_by=badges.level"),
    ).toEqual([
      { "badges.level": 3, count: 1 },
      { "badges.level": 5, count: 1 },
      { "badges.level": null, count: 1 },
    ]);
    expect(await data("people", "aggregate=max(badges.level)")).toEqual([
      { "max_badges.level": 5 },
    ]);
    expect(await data("people", "fields=id,desks.keys.count&limit=2")).toEqual([
      { id: 1, desks: { keys: { count: 2 } } },
      { id: 2, desks: null },
    ]);
  });

  it("takes neither numbers nor deep", async () => {
    expect(await data("people", "fields=badges.count")).toMatchObject({
      errors: [
        { code: "QUERY_INVALID", message: "badges is one row, so that count does not apply to it" },
      ],
    });
    expect(await data("people", "fields=badges.level&deep[badges][limit]=1")).toMatchObject({
      errors: [{ code: "QUERY_INVALID", path: "deep[badges]" }],
    });
  });

  it("visible resources list it as one row, with the foreign key in its target", async () => {
    const snapshot = await client.snapshots.fresh();
    const people = visibleResources(snapshot, { roleIds: [members] }).find(
      ({ relation }) => relation.name === "people",
    );
    expect(people?.relations).toMatchObject([
      {
        name: "badges",
        kind: "ONE",
        foreignKey: "TARGET",
        junction: null,
        columns: null,
        inverse: "person",
      },
      {
        name: "desks",
        kind: "ONE",
        foreignKey: "TARGET",
        columns: [{ from: "id", to: "person_id" }],
        inverse: "person",
      },
      { name: "loans", kind: "MANY", foreignKey: "TARGET", inverse: "person" },
    ]);
  });
});

describe("one row or many", () => {
  const shape = async () => {
    const rows = await data("people", "fields=loans.item&limit=1");
    const [first] = rows as { loans: unknown }[];
    return Array.isArray(first?.loans) ? "MANY" : "ONE";
  };

  it.each([
    ["a unique constraint", "alter table loans add constraint lone unique (person_id)", "ONE"],
    ["a unique index", "create unique index lone on loans (person_id)", "ONE"],
    [
      "one that is built beside writes",
      "create unique index concurrently lone on loans (person_id)",
      "ONE",
    ],
    [
      "one with further columns",
      "create unique index lone on loans (person_id) include (item)",
      "ONE",
    ],
    [
      "one that treats nulls as equal",
      "create unique index lone on loans (person_id) nulls not distinct",
      "ONE",
    ],
    ["one in descending order", "create unique index lone on loans (person_id desc)", "ONE"],
    [
      "one over more columns than the key",
      "create unique index lone on loans (person_id, item)",
      "MANY",
    ],
    ["a partial one", "create unique index lone on loans (person_id) where id > 0", "MANY"],
    ["one on an expression", "create unique index lone on loans ((person_id + 0))", "MANY"],
    [
      "a deferrable constraint",
      "alter table loans add constraint lone unique (person_id) deferrable",
      "MANY",
    ],
    ["one that is not unique", "create index lone on loans (person_id)", "MANY"],
  ])("after the next request %s counts as it must", async (_, statement, expected) => {
    expect(await shape()).toBe("MANY");
    await test.database.query(statement);
    expect(await shape()).toBe(expected);
    const isConstraint = statement.startsWith("alter");
    await test.database.query(
      isConstraint ? "alter table loans drop constraint lone" : "drop index lone",
    );
    expect(await shape()).toBe("MANY");
  });

  it("a table with an inheriting table may have several rows", async () => {
    await test.database.query("create unique index lone on loans (person_id)");
    expect(await shape()).toBe("ONE");
    await test.database.query(
      "create table old_loans () inherits (loans); insert into old_loans values (9, 1, 'old')",
    );
    expect(await data("people", "fields=loans.item&limit=1")).toEqual([
      { loans: [{ item: "pen" }, { item: "old" }] },
    ]);
    await test.database.query("drop table old_loans; drop index lone");
  });

  it("a value that is converted, and an operator class that is not the type's, may equal several that differ", async () => {
    await test.database.query(`
      create extension citext;
      create table cities (code citext primary key, size float8 unique);
      create table mayors (id int primary key, city citext references cities, size numeric unique references cities (size));
      create unique index on mayors (city text_ops)`);
    const kinds = async () => {
      const { catalogue } = await client.snapshots.fresh();
      const cities = catalogue.relationByName("public", "cities");
      const edges = cities === undefined ? [] : [...catalogue.edgesOf(cities).byName.values()];
      return edges.map(({ name, kind }) => [name, kind]);
    };
    expect(await kinds()).toEqual([
      ["mayors_by_city", "MANY"],
      ["mayors_by_size", "MANY"],
    ]);
    await test.database.query("create unique index on mayors (city)");
    expect(await kinds()).toEqual([
      ["mayors_by_city", "ONE"],
      ["mayors_by_size", "MANY"],
    ]);
  });

  it("an invalid index counts for nothing", async () => {
    await test.database.query("insert into loans values (8, 1, 'twice', null)");
    await expect(
      test.database.query("create unique index concurrently lone on loans (person_id)"),
    ).rejects.toThrow();
    expect(await shape()).toBe("MANY");
    await test.database.query("drop index lone");
    await test.database.query("delete from loans where id = 8");
  });
});

describe("a login that may not create event triggers", () => {
  it("notices the index on the next request too", async () => {
    const other = await createTestDatabase();
    const { database } = other;
    try {
      await database.query(`
        drop event trigger rowhouse_after_ddl;
        drop event trigger rowhouse_after_drop;
        create table people (id int primary key);
        create table badges (id int primary key, person_id int references people);
        insert into people values (1);
        insert into badges values (1, 1)`);
      const guest = createClient(database);
      await guest.snapshots.fresh();
      const role = await createRole(database, "Members");
      for (const name of ["people", "badges"]) {
        await expose(database, "public", name, "GET");
        await grant(database, guest.snapshots, role, `public/${name}`, { action: "READ" });
      }
      const user = await createUser(database, "member@example.com", "Members");
      const ask = async () =>
        ((await guest.list(user, "public/people", "fields=badges.id")).body as { data: unknown })
          .data;
      expect(await ask()).toEqual([{ badges: [{ id: 1 }] }]);
      await database.query("create unique index lone on badges (person_id)");
      expect(await ask()).toEqual([{ badges: { id: 1 } }]);
      await database.query("drop index lone");
      expect(await ask()).toEqual([{ badges: [{ id: 1 }] }]);
    } finally {
      await other.drop();
    }
  });
});
