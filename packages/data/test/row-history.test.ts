import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { purgeRowHistory } from "../src/index.ts";
import { createClient, grant } from "./engine.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let admin: TestUser;
let reader: TestUser;
let roleId: string;
const t = "public/t";

beforeAll(async () => {
  // The login of the service may neither write entries nor pass by row security.
  test = await createTestDatabase({ login: "service" });
  client = createClient(test.service);
  roleId = await createRole(test.database, "R");
  admin = await createUser(test.database, "admin@example.com", "Administrators");
  reader = await createUser(test.database, "reader@example.com", "R");
});
afterAll(() => test.drop());

beforeEach(async () => {
  await test.database.query("delete from system.grants");
  await test.database.query("delete from system.row_history");
  await test.database.query("drop table if exists public.t");
  await test.database.query(
    "create table public.t (id bigint primary key, owner text, title text, n numeric, b bytea, at timestamptz, f float8, j json)",
  );
  await expose(test.database, "public", "t", "GET", "POST", "PATCH", "DELETE");
  await recordHistory("t");
});

const run = (sql: string) => test.database.query(sql);

/** Switches the history of a table on as the Admin API does. */
async function recordHistory(table: string): Promise<void> {
  await run(`update system.resources set history = true where relation_name = '${table}'`);
  await test.service.service.query(
    `select system.sync_event_triggers(id) from system.resources where relation_name = '${table}'`,
  );
  await client.snapshots.fresh();
}

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly by: { readonly id: string; readonly name: string | null } | null;
  readonly requestId: string | null;
  readonly changes: readonly { field: string; old: unknown; new: unknown }[];
}

interface History {
  readonly data: readonly Entry[];
  readonly meta?: { readonly nextCursor?: string };
}

async function historyOf(user: TestUser, id: string, query = "", table = t): Promise<History> {
  const answer = await client.history(user, table, id, query);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as History;
}

/** The actions with their changes as text: `UPDATE title: "a" → "b"`. */
async function storyOf(user: TestUser, id: string, table = t): Promise<string[]> {
  const { data } = await historyOf(user, id, "", table);
  return data.map(({ action, changes }) => {
    const texts = changes.map(
      (change) => `${change.field}: ${JSON.stringify(change.old)} → ${JSON.stringify(change.new)}`,
    );
    return `${action} ${texts.join(", ")}`;
  });
}

const allow = (input: Partial<Parameters<typeof grant>[4]>) =>
  grant(test.database, client.snapshots, roleId, t, { action: "READ", ...input });

describe("the history of a row", () => {
  it("lists the changes of any client, newest first, with the caller of the Data API as the author", async () => {
    await client.create(admin, t, { id: "1", title: "a" });
    await run("update public.t set title = 'b'");
    await client.update(admin, t, "1", { title: "c" });
    expect(await storyOf(admin, "1")).toEqual([
      'UPDATE title: "b" → "c"',
      'UPDATE title: "a" → "b"',
      'CREATE id: null → "1", title: null → "a"',
    ]);
    const { data } = await historyOf(admin, "1");
    expect(data.map(({ by }) => by?.id ?? null)).toEqual([admin.id, null, admin.id]);
  });

  it("records each row of a statement that creates or deletes many", async () => {
    await run("insert into public.t (id, n) select g, g * 1.5 from generate_series(1, 500) g");
    await run("delete from public.t where id > 400");
    const counts = await run(
      "select operation, count(*)::int as n, count(distinct row_key)::int as keys from system.row_history group by 1 order by 1",
    );
    expect(counts).toEqual([
      { operation: "DELETE", n: 100, keys: 100 },
      { operation: "INSERT", n: 500, keys: 500 },
    ]);
    expect(await storyOf(admin, "401")).toEqual([
      'DELETE id: "401" → null, n: "601.5" → null',
      'CREATE id: null → "401", n: null → "601.5"',
    ]);
  });

  it("an upsert is recorded as what it did to each row", async () => {
    await run("insert into public.t (id, title) values (1, 'a')");
    const rows = [
      { id: "1", title: "b" },
      { id: "2", title: "c" },
    ];
    await client.create(admin, t, rows, "on_conflict=id&resolution=merge");
    expect((await storyOf(admin, "1"))[0]).toBe('UPDATE title: "a" → "b"');
    expect(await storyOf(admin, "2")).toEqual(['CREATE id: null → "2", title: null → "c"']);
  });

  it("a statement that changes nothing adds no entry", async () => {
    await run("insert into public.t (id, title) values (1, 'a')");
    await run("update public.t set title = 'a'");
    expect(await storyOf(admin, "1")).toHaveLength(1);
  });

  it("shows the values of every kind in the form of the Data API", async () => {
    await run(
      String.raw`insert into public.t values (9007199254740993, null, 'x', 12345678901234567890.10, '\x00ff', '2026-01-02 03:04:05.678901+02', 0.1, '{"b":1, "a":2.10}')`,
    );
    await run("update public.t set title = 'y'");
    const { body } = await client.list(admin, t);
    const [row] = (body as { data: Record<string, unknown>[] }).data;
    const { data } = await historyOf(admin, "9007199254740993");
    const values = Object.fromEntries(
      (data.at(-1)?.changes ?? []).map((each) => [each.field, each.new]),
    );
    expect(values).toEqual({ ...row, title: "x", owner: undefined });
  });

  it("records the deletion of a row, and shows it to a reader of the last version", async () => {
    await run("insert into public.t (id, title) values (1, 'a'), (2, 'b')");
    await client.remove(admin, t, "1");
    await run("delete from public.t");
    for (const id of ["1", "2"]) expect((await storyOf(admin, id))[0]).toMatch(/^DELETE /);
    expect(await client.history(admin, t, "3")).toMatchObject({ status: 404 });
  });

  it("does not read a table that is truncated, whose code would run with other rights than its owner's", async () => {
    await run("insert into public.t (id, title) values (1, 'a')");
    await run("truncate public.t");
    const [row] = await test.database.query<{ count: string }>(
      "select count(*)::text as count from system.row_history where operation = 'DELETE' and row_key::text like '%1%'",
    );
    expect(row?.count).toBe("0");
  });

  it("records TRUNCATE as the deletion of each row where one login owns everything", async () => {
    const one = await createTestDatabase({ login: "owner" });
    try {
      await one.database.query("alter function system.record_history() owner to current_user");
      await one.database.query("create table public.t (id int primary key)");
      await one.database.query(
        "update system.resources set history = true where relation_name = 't'",
      );
      await one.database.query(
        "select system.sync_event_triggers(id) from system.resources where relation_name = 't'",
      );
      await one.database.query("insert into public.t values (1), (2)");
      await one.database.query("truncate public.t");
      expect(
        await one.database.query(
          "select count(*)::int as deleted from system.row_history where operation = 'DELETE'",
        ),
      ).toEqual([{ deleted: 2 }]);
    } finally {
      await one.drop();
    }
  });

  it("follows pages by the cursor, which is valid for its row alone", async () => {
    await run("insert into public.t (id, title) values (1, 'a'), (2, 'b')");
    for (const title of ["c", "d"]) await run(`update public.t set title = '${title}'`);
    const first = await historyOf(admin, "1", "limit=2");
    const cursor = encodeURIComponent(first.meta?.nextCursor ?? "");
    const rest = await historyOf(admin, "1", `limit=2&cursor=${cursor}`);
    expect([...first.data, ...rest.data].map(({ action }) => action)).toEqual([
      "UPDATE",
      "UPDATE",
      "CREATE",
    ]);
    expect(rest.meta).toBeUndefined();
    expect(await client.history(admin, t, "2", `cursor=${cursor}`)).toMatchObject({ status: 400 });
  });

  it("a changed key ends the history of the old key and begins one of the new key", async () => {
    await run("insert into public.t (id, title) values (1, 'a')");
    await run("update public.t set id = 2");
    expect(await storyOf(admin, "2")).toEqual(['UPDATE id: "1" → "2"']);
    expect(await storyOf(admin, "1")).toEqual([
      'UPDATE id: "1" → "2"',
      'CREATE id: null → "1", title: null → "a"',
    ]);
  });

  it("finds a row by a composite key", async () => {
    await run("drop table if exists public.pairs");
    await run("create table public.pairs (a int, at timestamptz, x text, primary key (a, at))");
    await expose(test.database, "public", "pairs", "GET");
    await recordHistory("pairs");
    await run("insert into public.pairs values (1, '2026-01-02 03:04:05+02', 'x')");
    const id = `1,${encodeURIComponent("2026-01-02T01:04:05Z")}`;
    expect(await storyOf(admin, id, "public/pairs")).toHaveLength(1);
    await run("delete from public.pairs");
    expect(await storyOf(admin, id, "public/pairs")).toHaveLength(2);
  });

  it("does not exist while it is off, and continues when it is switched on again", async () => {
    await run("insert into public.t (id, title) values (1, 'a')");
    await run("update system.resources set history = false where relation_name = 't'");
    expect(await client.history(admin, t, "1")).toMatchObject({ status: 404 });
    await run("update public.t set title = 'unseen'");
    await recordHistory("t");
    await run("update public.t set title = 'c'");
    expect(await storyOf(admin, "1")).toEqual([
      'UPDATE title: "unseen" → "c"',
      'CREATE id: null → "1", title: null → "a"',
    ]);
  });
});

describe("a change of the table", () => {
  beforeEach(async () => {
    await run("insert into public.t (id, title) values (1, 'a')");
  });

  it("a renamed column and a renamed table keep their history", async () => {
    await run("alter table public.t rename column title to name");
    await run("alter table public.t rename to t2");
    expect(await storyOf(admin, "1", "public/t2")).toEqual([
      'CREATE id: null → "1", name: null → "a"',
    ]);
    await run("alter table public.t2 rename to t");
  });

  it("a column that replaces a dropped one of the same name does not show its values", async () => {
    await run("alter table public.t drop column title");
    await run("alter table public.t add column title text");
    expect(await storyOf(admin, "1")).toEqual(['CREATE id: null → "1"']);
  });

  it("another primary key hides the entries of rows that happen to have its values", async () => {
    await run("alter table public.t add column code bigint, drop constraint t_pkey");
    await run("update public.t set id = 5, code = 1");
    await run("alter table public.t add primary key (code)");
    await run("update public.t set title = 'b'");
    expect(await storyOf(admin, "1")).toEqual(['UPDATE title: "a" → "b"']);
  });

  it("a restored dump finds its columns by their names", async () => {
    await run("alter table public.t drop column owner");
    await run("update public.t set title = 'b'");
    await test.service.query("select system.mend_row_history()");
    // As pg_restore leaves it: a new table whose columns have other numbers.
    await run("alter table public.t rename to old");
    await run("create table public.t (id bigint primary key, title text, n numeric, b bytea)");
    await run("insert into public.t select id, title, n, b from public.old");
    await run(
      "update system.resources r set relation_oid = 0 where relation_name = 't'; update system.resources set relation_oid = 'public.t'::regclass, relation_name = 't' where relation_name = 'old'",
    );
    await run("delete from system.resources where relation_oid = 0");
    await run("drop table public.old");
    await test.service.query("select system.mend_row_history()");
    await client.snapshots.fresh();
    expect(await storyOf(admin, "1")).toEqual([
      'UPDATE title: "a" → "b"',
      'CREATE id: null → "1", title: null → "a"',
    ]);
  });
});

describe("the rights of a reader", () => {
  it("a reader without a grant on a field sees neither its values nor its name, and no entry of it alone", async () => {
    await allow({ fields: ["id", "title"] });
    await run("insert into public.t (id, title, n) values (1, 'a', 4711)");
    await run("update public.t set n = 4712");
    await run("update public.t set n = 4713, title = 'b'");
    expect(await storyOf(reader, "1")).toEqual([
      'UPDATE title: "a" → "b"',
      'CREATE id: null → "1", title: null → "a"',
    ]);
  });

  it("two databases that differ only in what the reader may not see give the same pages", async () => {
    await allow({ fields: ["id", "title"], rowFilter: { owner: { _eq: "me" } } });
    const tell = async (hidden: readonly string[]): Promise<unknown> => {
      await run("truncate public.t");
      await run("delete from system.row_history");
      await run("insert into public.t (id, owner, title) values (1, 'me', 'a')");
      for (const sql of hidden) await run(sql);
      await run("update public.t set title = 'z' where id = 1");
      const pages = [];
      for (let query = "limit=1"; pages.length < 5; ) {
        const { data, meta } = await historyOf(reader, "1", query);
        pages.push(data.map(({ action, changes }) => ({ action, changes })));
        if (meta?.nextCursor === undefined) break;
        query = `limit=1&cursor=${encodeURIComponent(meta.nextCursor)}`;
      }
      return pages;
    };
    const plain = await tell([]);
    expect(await tell(["update public.t set n = 1", "update public.t set n = 2"])).toEqual(plain);
    // While the row belongs to another owner, its changes are hidden, and so are the changes of the owner itself.
    expect(
      await tell([
        "update public.t set owner = 'other', title = 'secret'",
        "update public.t set title = 'secret 2'",
        "update public.t set owner = 'me', title = 'a'",
      ]),
    ).toEqual(plain);
  });

  it("a row that the reader may not read now has no history, deleted or not", async () => {
    await allow({ fields: ["id", "title"], rowFilter: { owner: { _eq: "me" } } });
    await run("insert into public.t (id, owner, title) values (1, 'me', 'a'), (2, 'me', 'b')");
    await run("update public.t set owner = 'other' where id = 1");
    expect(await client.history(reader, t, "1")).toMatchObject({ status: 404 });
    await run("delete from public.t");
    expect(await client.history(reader, t, "1")).toMatchObject({ status: 404 });
    expect(await storyOf(reader, "2")).toHaveLength(2);
  });

  it("a field that a grant shows in some rows only appears where both versions show it", async () => {
    await allow({ fields: ["id", "title"] });
    const mine = { action: "READ", fields: ["n"], rowFilter: { owner: { _eq: "me" } } } as const;
    await grant(test.database, client.snapshots, await createRole(test.database, "Own"), t, mine);
    await run(
      `insert into system.role_members (role_id, user_id) select r.id, '${reader.id}' from system.roles r where r.name = 'Own'`,
    );
    await run("insert into public.t (id, owner, n) values (1, 'other', 1)");
    await run("update public.t set n = 2");
    await run("update public.t set owner = 'me', n = 3");
    await run("update public.t set n = 4");
    expect(await storyOf(reader, "1")).toEqual(['UPDATE n: "3" → "4"', 'CREATE id: null → "1"']);
  });

  it("the request after a grant was removed finds nothing", async () => {
    await allow({ fields: ["id", "title"] });
    await run("insert into public.t (id, title) values (1, 'a')");
    expect(await storyOf(reader, "1")).toHaveLength(1);
    await run("delete from system.grants");
    expect(await client.history(reader, t, "1")).toMatchObject({ status: 404 });
  });

  it("shows names of people to administrators, and to readers of names if users are exposed", async () => {
    await run(
      `update system.users set name = 'Ada' from (select system.act_as('${admin.id}')) a where id = '${admin.id}'`,
    );
    await allow({});
    await client.create(admin, t, { id: "1" });
    const names = async () => [
      (await historyOf(reader, "1")).data[0]?.by?.name,
      (await historyOf(admin, "1")).data[0]?.by?.name,
    ];
    expect(await names()).toEqual([null, "Ada"]);
    const readable = { action: "READ", fields: ["name"] } as const;
    await grant(test.database, client.snapshots, roleId, "system/users", readable);
    expect(await names()).toEqual([null, "Ada"]);
    await expose(test.database, "system", "users", "GET");
    expect(await names()).toEqual(["Ada", "Ada"]);
    await expose(test.database, "system", "users");
  });

  it("row security of the database on the table hides the history", async () => {
    await run("insert into public.t (id, title) values (1, 'a')");
    await run("alter table public.t enable row level security, force row level security");
    expect(await client.history(admin, t, "1")).toMatchObject({ status: 404 });
  });
});

describe("the author", () => {
  it("a client of the database cannot name somebody else", async () => {
    await run("insert into public.t (id, title) values (1, 'a')");
    await run("drop role if exists other_client");
    await run("create role other_client");
    await run("grant select, update on public.t to other_client");
    await run("grant usage on schema public to other_client");
    await test.database.transaction(async (transaction) => {
      await transaction.query("set local session authorization other_client");
      const forged = JSON.stringify({ user: admin.id, token: null, request: null });
      await transaction.query("select set_config('rowhouse.writer', $1::text, true)", [forged]);
      await transaction.query("update public.t set title = 'b'");
    });
    expect((await historyOf(admin, "1")).data[0]).toMatchObject({ action: "UPDATE", by: null });
    await run("drop owned by other_client; drop role other_client");
  });

  it("is the user of a run, with the run, for a change by a workflow", async () => {
    const run = "01234567-89ab-cdef-0123-456789abcdef";
    await test.service.service.transaction(async (transaction) => {
      await transaction.query("select set_config('rowhouse.run', $1::text, true)", [run]);
      await transaction.query("insert into public.t (id) values (1)");
    });
    expect((await historyOf(admin, "1")).data[0]).toMatchObject({ runId: run });
  });

  it("an author of a nonsensical setting does not make the write fail", async () => {
    await test.database.transaction(async (transaction) => {
      await transaction.query("select set_config('rowhouse.writer', 'nonsense', true)");
      await transaction.query("insert into public.t (id) values (1)");
    });
    expect((await historyOf(admin, "1")).data[0]?.by).toBeNull();
  });

  it("is named for changes that a write causes in another table", async () => {
    await run("drop table if exists public.parts, public.wholes");
    await run("create table public.wholes (id int primary key)");
    await run(
      "create table public.parts (id int primary key, whole int references public.wholes on delete cascade)",
    );
    await expose(test.database, "public", "wholes", "GET", "DELETE");
    await expose(test.database, "public", "parts", "GET");
    await recordHistory("parts");
    await run("insert into public.wholes values (1)");
    await run("insert into public.parts values (7, 1)");
    await client.remove(admin, "public/wholes", "1");
    const { data } = await historyOf(admin, "7", "", "public/parts");
    expect(data[0]).toMatchObject({ action: "DELETE", by: { id: admin.id } });
  });
});

describe("partitions", () => {
  it("a row that arrives through a partition is recorded", async () => {
    await run("drop table if exists public.parted");
    await run("create table public.parted (id int primary key, x text) partition by range (id)");
    await run(
      "create table public.parted_1 partition of public.parted for values from (0) to (10)",
    );
    await expose(test.database, "public", "parted", "GET");
    await recordHistory("parted");
    await run("insert into public.parted_1 values (1, 'a')");
    await run("update public.parted set x = 'b'");
    expect(await storyOf(admin, "1", "public/parted")).toHaveLength(2);
  });
});

describe("the retention", () => {
  it("deletes the entries that are older", async () => {
    await run("insert into public.t (id) values (1)");
    await run("update public.t set title = 'b'");
    await run(
      "update system.row_history set changed_at = now() - interval '8 days' where operation = 'INSERT'",
    );
    await purgeRowHistory(test.service, 7);
    expect(await storyOf(admin, "1")).toEqual(['UPDATE title: null → "b"']);
  });
});
