import { termsOfGrant } from "@rowhouse/access";
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient, grant } from "./engine.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;
let roleId: string;
let number = 0;
let table = "";

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  await test.database.query(`
    create extension citext;
    create collation public.nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    create type public.state as enum ('open', 'closed');
    create domain public.level as integer`);
});
afterAll(() => test.drop());
beforeEach(() => {
  number += 1;
  table = `t${number}`;
});

const run = (sql: string) => test.database.query(sql.replaceAll("$t", `public.${table}`));
const allow = (input: Parameters<typeof grant>[4]) =>
  grant(test.database, client.snapshots, roleId, `public/${table}`, input);

async function createTable(columns: string, rows: string): Promise<void> {
  await run(`create table $t (id int primary key, ${columns})`);
  await run(`insert into $t values ${rows}`);
  await expose(test.database, "public", table, "GET", "POST", "PATCH", "DELETE");
}

/** The ids that a list returns, or the status and body of its refusal. */
async function seen(query = "fields=id&order_by=id"): Promise<string> {
  const { status, body } = await client.list(user, `public/${table}`, query);
  return status === 200
    ? (body as { data: { id: number }[] }).data.map(({ id }) => id).join()
    : `${status} ${JSON.stringify(body)}`;
}

/** The reasons for which grants of the table allow nothing. */
async function reasons(): Promise<string[]> {
  const { grants, catalogue } = await client.snapshots.fresh();
  const relation = catalogue.relationByName("public", table);
  return grants.flatMap((record) =>
    relation !== undefined && record.resourceId === relation.resource.id
      ? termsOfGrant(record, relation, catalogue).lost.map(
          ({ usage, mention, reason }) => `${usage} ${mention} ${reason}`,
        )
      : [],
  );
}

const notFound = /^404 /;
const levels = "(1, '1'), (2, '2'), (5, '5'), (10, '10'), (11, '11')";

describe("a changed column under a grant", () => {
  const changes: [string, string, object, string, string][] = [
    ["int to text", "v int", { _lt: 5 }, "type text using v::text", "TYPE"],
    ["int to numeric", "v int", { _lt: 5 }, "type numeric", "TYPE"],
    ["int to jsonb", "v int", { _lt: 5 }, "type jsonb using to_jsonb(v)", "TYPE"],
    ["int to an array", "v int", { _eq: 5 }, "type int[] using array[v]", "TYPE"],
    ["text to citext", "v text", { _eq: "5" }, "type citext", "TYPE"],
    ["text to bpchar", "v text", { _eq: "5" }, "type char(3)", "TYPE"],
    ["float to double", "v real", { _gt: "0.1" }, "type double precision", "TYPE"],
    ["a domain to text", "v public.level", { _lt: 5 }, "type text using v::text", "TYPE"],
    ["a collation", "v text", { _lt: "5" }, 'type text collate "C"', "COLLATION"],
    [
      "equality without case",
      "v text",
      { _eq: "5" },
      "type text collate public.nocase",
      "COLLATION",
    ],
    ["a pattern on varchar", "v varchar", { _like: "1%" }, "type text", "TYPE"],
  ];
  it.each(changes)(
    "ends a READ, an UPDATE and a DELETE grant silently for their callers: %s",
    async (_name, column, condition, change, reason) => {
      await createTable(column, levels);
      for (const action of ["READ", "UPDATE", "DELETE"] as const) {
        await allow({ action, rowFilter: { v: condition } });
      }
      expect(await seen()).not.toMatch(notFound);
      await run(`alter table $t alter column v ${change}`);
      expect(await seen()).toMatch(notFound);
      expect(await seen()).not.toContain('"v');
      expect((await client.update(user, `public/${table}`, "10", { v: null })).status).toBe(404);
      expect((await client.remove(user, `public/${table}`, "10")).status).toBe(404);
      expect(await reasons()).toEqual(Array(3).fill(`FILTER v ${reason}`));
      await allow({ action: "CREATE", fields: ["id"] });
      expect((await client.list(user, `public/${table}`)).status).toBe(403);
    },
  );

  it("ends a grant whose check, preset or field list names it", async () => {
    await createTable("v int, w int, x int", "(1, 1, 1, 1)");
    await allow({ action: "CREATE", check: { v: { _lt: 5 } } });
    await allow({ action: "UPDATE", presets: { w: 3 } });
    await allow({ action: "READ", fields: ["id", "x"] });
    expect(await reasons()).toEqual([]);
    await run(
      "alter table $t alter v type text using v::text, alter w type text using w::text, alter x type jsonb using to_jsonb(x)",
    );
    expect((await reasons()).sort()).toEqual(["CHECK v TYPE", "FIELD x TYPE", "PRESET w TYPE"]);
    expect(await seen()).toMatch(notFound);
  });

  it.each([
    ["int to bigint", "v int", { _lt: 5 }, "type bigint", "1,2"],
    ["bigint to smallint", "v bigint", { _in: [1, 2] }, "type smallint", "1,2"],
    ["varchar to text", "v varchar(5)", { _lt: "2" }, "type text", "1,10,11"],
    ["a domain to its base", "v public.level", { _lt: 5 }, "type integer", "1,2"],
    ["another length", "v varchar(5)", { _like: "1%" }, "type varchar(9)", "1,10,11"],
  ])(
    "keeps a grant that means the same: %s",
    async (_name, column, condition, change, expected) => {
      await createTable(column, levels);
      await allow({ action: "READ", rowFilter: { v: condition } });
      expect(await seen()).toBe(expected);
      await run(`alter table $t alter column v ${change}`);
      expect(await seen()).toBe(expected);
      await run("alter table $t rename column v to renamed");
      expect(await seen()).toBe(expected);
      expect(await reasons()).toEqual([]);
    },
  );

  it("a literal that the smaller type cannot hold ends the grant, and tells nothing", async () => {
    await createTable("v bigint", levels);
    await allow({ action: "READ", rowFilter: { v: { _lt: 100_000 } } });
    await run("alter table $t alter column v type smallint");
    expect(await seen()).toMatch(notFound);
    expect(await reasons()).toEqual(["FILTER v VALUE"]);
  });

  it("does not end other grants of the same role", async () => {
    await createTable("v int", levels);
    const other = await createRole(test.database, `Other ${table}`);
    await test.database.query(
      `insert into system.role_members (role_id, user_id) values ('${other}', '${user.id}')`,
    );
    await allow({ action: "READ", fields: ["id"], rowFilter: { v: { _lt: 5 } } });
    await grant(test.database, client.snapshots, other, `public/${table}`, {
      action: "READ",
      fields: ["id"],
      rowFilter: { id: { _eq: 11 } },
    });
    expect(await seen()).toBe("1,2,11");
    await run("alter table $t alter column v type text using v::text");
    expect(await seen()).toBe("11");
    await run("alter table $t alter column v type int using v::int");
    expect(await seen()).toBe("1,2,11");
  });
});

describe("labels of an enum under a grant", () => {
  const rows = "(1, 'open'), (2, 'closed')";

  it("keep their meaning when they are renamed, also if they exchange their names", async () => {
    await createTable(
      "v public.state, w public.state[]",
      "(1, 'open', '{open}'), (2, 'closed', '{closed}')",
    );
    await allow({
      action: "READ",
      rowFilter: {
        v: { _eq: "open" },
        _or: [{ v: { _in: ["open"] } }, { w: { _has: "open" } }],
        w: { _eq: "{open}" },
      },
    });
    expect(await seen()).toBe("1");
    await run("alter type public.state rename value 'open' to 'x'");
    expect(await seen()).toBe("1");
    await run("alter type public.state rename value 'closed' to 'open'");
    expect(await seen()).toBe("1");
    await run("alter type public.state rename value 'x' to 'closed'");
    expect(await seen()).toBe("1");
    expect(await reasons()).toEqual([]);
    await run("alter type public.state rename value 'closed' to 'x'");
    await run("alter type public.state rename value 'open' to 'closed'");
    await run("alter type public.state rename value 'x' to 'open'");
  });

  it("end a grant with a pattern on them, and one on a type of the same name", async () => {
    await createTable("v public.state", rows);
    await allow({ action: "READ", fields: ["id"], rowFilter: { v: { _starts_with: "op" } } });
    await allow({ action: "UPDATE", rowFilter: { v: { _eq: "open" } } });
    await run("alter type public.state rename value 'open' to 'opened'");
    expect(await seen()).toMatch(/^403 /);
    expect(await reasons()).toEqual(["FILTER v LABEL"]);
    await run("alter type public.state rename value 'opened' to 'open'");
    expect(await seen()).toBe("1");
    await run("alter table $t alter column v type text using v::text");
    await run("create schema other; create type other.state as enum ('open', 'closed')");
    await run("alter table $t alter column v type other.state using v::other.state");
    expect((await reasons()).sort()).toEqual(["FILTER v TYPE", "FILTER v TYPE"]);
  });

  it("are written as presets under their present names", async () => {
    await createTable("v public.state", rows);
    await allow({ action: "READ" });
    await allow({ action: "CREATE", fields: ["id"], presets: { v: "open" } });
    await run("alter type public.state rename value 'open' to 'fresh'");
    const created = await client.create(user, `public/${table}`, { id: 3 });
    expect(created).toMatchObject({ status: 201, body: { data: { id: 3, v: "fresh" } } });
    await run("alter type public.state rename value 'fresh' to 'open'");
  });
});

describe("columns beside that of a condition", () => {
  it("end a grant that compares two columns, or a column with one of the user", async () => {
    await createTable("v int, w int, n text", "(1, 1, 5, 'x'), (2, 5, 1, 'y')");
    await allow({ action: "READ", rowFilter: { v: { _lt: "$FIELD.w" } } });
    expect(await seen()).toBe("1");
    await run("alter table $t alter column w type text using w::text");
    expect(await reasons()).toEqual(["FILTER w TYPE", "FILTER v VALUE"]);
    await run("alter table $t alter column w type bigint using w::bigint");
    expect(await seen()).toBe("1");
    await run("alter table system.users add column level text");
    await allow({ action: "UPDATE", rowFilter: { n: { _eq: "$USER.level" } } });
    expect(await reasons()).toEqual([]);
    await run("alter table system.users alter column level type citext");
    expect(await reasons()).toEqual(["FILTER $USER.level TYPE"]);
  });

  it("end a grant whose relation joins rows by another meaning", async () => {
    await createTable("name text unique", "(1, 'Foo'), (2, 'foo')");
    const target = `public.${table}`;
    await run(
      `create table ${target}_rows (id int primary key, group_name text references ${target} (name))`,
    );
    await run(`insert into ${target}_rows values (1, 'Foo'), (2, 'foo')`);
    const [teams, rows] = [table, `${table}_rows`];
    await expose(test.database, "public", rows, "GET");
    table = rows;
    await allow({ action: "READ", rowFilter: { "group_name.id": { _eq: 1 } } }).catch(() =>
      allow({ action: "READ", rowFilter: { [`${teams}.id`]: { _eq: 1 } } }),
    );
    expect(await seen()).toBe("1");
    await run(`delete from $t where id = 2; delete from ${target} where id = 2`);
    await run(`alter table $t drop constraint ${rows}_group_name_fkey`);
    await run(
      `alter table $t alter group_name type citext; alter table ${target} alter name type citext`,
    );
    await run(`alter table $t add foreign key (group_name) references ${target} (name)`);
    expect(await seen()).toMatch(notFound);
    expect((await reasons())[0]).toMatch(/TYPE$/);
  });
});

describe("a restored database of another default collation", () => {
  it.each([
    ["an order", { note: { _lt: "m" } }, ["FILTER note LOCALE"]],
    ["a pattern", { note: { _icontains: "A" } }, ["FILTER note LOCALE"]],
    ["an equality", { note: { _eq: "a" } }, []],
    ["a collation of its own", { own: { _lt: "m" } }, []],
  ])("ends grants that depend on it: %s", async (_case, rowFilter, lost) => {
    await createTable(`note text, own text collate "C"`, "(1, 'a', 'a')");
    await allow({ action: "READ", rowFilter });
    expect(await seen()).toBe("1");
    await run(`update system.grant_columns set meaning = jsonb_set(meaning::jsonb, '{locale}', '"i C C de-DE"')::text
      where meaning::jsonb ? 'locale'`);
    await run("update system.installation set self_oid = 1");
    await run("select system.sync_registry()");
    expect(await reasons()).toEqual(lost);
    expect(await seen()).toMatch(lost.length === 0 ? /^1$/ : notFound);
  });
});

describe("without event triggers", () => {
  it("a changed type, collation or label ends a grant from the next request on", async () => {
    const own = await createTestDatabase();
    try {
      await own.database.query(
        "drop event trigger rowhouse_after_ddl; drop event trigger rowhouse_after_drop",
      );
      const plain = createClient(own.database);
      const members = await createRole(own.database, "Members");
      const member = await createUser(own.database, "member@example.com", "Members");
      await own.database.query("create type public.mood as enum ('calm', 'wild')");
      const changes = {
        a: ["lvl int", { lvl: { _lt: 5 } }, "alter lvl type text using lvl::text"],
        b: ["note text", { note: { _lt: "m" } }, 'alter note type text collate "C"'],
      } as const;
      for (const [name, [column, rowFilter, change]] of Object.entries(changes)) {
        await own.database.query(`create table public.${name} (id int primary key, ${column})`);
        await own.database.query(`insert into public.${name} values (1, '1')`);
        await own.database.query("select system.sync_registry()");
        await expose(own.database, "public", name, "GET");
        await grant(own.database, plain.snapshots, members, `public/${name}`, {
          ...{ action: "READ", rowFilter },
        });
        expect((await plain.list(member, `public/${name}`)).status).toBe(200);
        await own.database.query(`alter table public.${name} ${change}`);
        const gone = await plain.list(member, `public/${name}`);
        expect([name, gone.status, gone.body]).toMatchObject([name, 404, {}]);
      }
      await own.database.query(
        "create table public.c (id int primary key, st mood); insert into public.c values (1, 'calm')",
      );
      await own.database.query("select system.sync_registry()");
      await expose(own.database, "public", "c", "GET");
      await grant(own.database, plain.snapshots, members, "public/c", {
        ...{ action: "READ", rowFilter: { st: { _eq: "calm" } } },
      });
      await own.database.query("alter type public.mood rename value 'calm' to 'still'");
      const { status, body } = await plain.list(member, "public/c");
      expect([status, body]).toMatchObject([200, { data: [{ id: 1, st: "still" }] }]);
    } finally {
      await own.drop();
    }
  });
});
