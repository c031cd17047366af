import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Answer, createClient, grant } from "./engine.ts";

// Rules (`create rule`) that replace or accompany writes.

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  const roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  await run(
    "create table notes (id int primary key, text text, deleted boolean not null default false, locked boolean not null default false)",
    "create table bin (id int, text text)",
  );
  await expose(test.database, "public", "notes", "GET", "POST", "PATCH", "DELETE");
  for (const action of ["READ", "CREATE", "UPDATE", "DELETE"] as const) {
    const rowFilter = action === "DELETE" ? { locked: { _eq: false } } : null;
    await grant(test.database, client.snapshots, roleId, "public/notes", { action, rowFilter });
  }
});
afterAll(() => test.drop());
beforeEach(async () => {
  const rules = await test.database.query<{ name: string }>(
    "select rulename as name from pg_rules where tablename = 'notes'",
  );
  for (const { name } of rules) await run(`drop rule ${name} on notes`);
  await run(
    "delete from notes",
    "delete from bin",
    "insert into notes values (1, 'a', false, false), (2, 'b', false, false), (3, 'c', false, true)",
  );
});

const run = async (...statements: readonly string[]): Promise<void> => {
  for (const statement of statements) await test.database.query(statement);
};
const rowsOf = (table: string, where = "true") =>
  test.database.query<{ id: string }>(`select id::text from ${table} where ${where} order by id`);
const resultOf = ({ status, body }: Pick<Answer, "status" | "body">) => {
  const { errors } = (body ?? {}) as { errors?: { code: string }[] };
  return errors === undefined ? status : `${status} ${errors[0]?.code}`;
};
const softly = "create rule softly as on delete to notes do instead";
const remove = (id: string, options = {}) => client.remove(user, "public/notes", id, options);

describe("a rule that replaces each deletion", () => {
  const rules: readonly (readonly [name: string, action: string, marked: string, table: string])[] =
    [
      ["an update", "update notes set deleted = true where id = old.id", "deleted", "notes"],
      [
        "an update with a condition of its own",
        "update notes set deleted = true where id = old.id and text <> 'b'",
        "deleted",
        "notes",
      ],
      [
        "an update that returns rows",
        "update notes set deleted = true where id = old.id returning notes.*",
        "deleted",
        "notes",
      ],
      [
        "an update of another table",
        "update bin set text = 'gone' where id = old.id",
        "text = 'gone'",
        "bin",
      ],
    ];
  it.each(rules)(
    "runs for the rows that the grant allows: %s",
    async (name, action, marked, table) => {
      await run("insert into bin values (1), (2), (3)", `${softly} ${action}`);
      expect(await remove("1")).toEqual({ status: 204, body: null });
      expect(await rowsOf(table, marked)).toEqual([{ id: "1" }]);
      expect(resultOf(await remove("3"))).toBe("404 NOT_FOUND");
      expect(resultOf(await remove("9"))).toBe("404 NOT_FOUND");
      const many = await client.removeMany(user, "public/notes", "where[id][_gt]=1&max_affected=5");
      expect(many.status).toBe(204);
      const others = name.includes("own") ? [] : [{ id: "2" }];
      expect(await rowsOf(table, marked)).toEqual([{ id: "1" }, ...others]);
      expect(await rowsOf("notes")).toHaveLength(3);
    },
  );

  it("keeps the conditions of a request", async () => {
    await run(`${softly} update notes set deleted = true where id = old.id`);
    expect(resultOf(await remove("1", { ifMatch: ['"other"'] }))).toBe("412 PRECONDITION_FAILED");
    const many = await client.removeMany(user, "public/notes", "where[id][_lt]=3&max_affected=1");
    expect(resultOf(many)).toBe("409 CONFLICT");
    expect(await rowsOf("notes", "deleted")).toEqual([]);
    const write = { method: "DELETE", path: "/api/public/table/notes/2" };
    expect((await client.batch(user, [write])).status).toBe(200);
    expect(await rowsOf("notes", "deleted")).toEqual([{ id: "2" }]);
  });
});

describe("any other rule", () => {
  const rules: readonly (readonly [rule: string, method: "POST" | "PATCH" | "DELETE"])[] = [
    ["on delete to notes do instead nothing", "DELETE"],
    ["on delete to notes where old.id = 1 do instead nothing", "DELETE"],
    ["on delete to notes do also insert into bin values (old.id)", "DELETE"],
    ["on delete to notes where old.id = 1 do also insert into bin values (old.id)", "DELETE"],
    [
      "on delete to notes do instead (insert into bin values (old.id); update notes set deleted = true where id = old.id)",
      "DELETE",
    ],
    ["on delete to notes do instead select 1", "DELETE"],
    ["on delete to notes do instead insert into bin values (old.id, old.text)", "DELETE"],
    [
      "on delete to notes do instead insert into bin select n.id from notes n where n.id = old.id",
      "DELETE",
    ],
    ["on delete to notes do instead notify deletions", "DELETE"],
    ["on insert to notes do instead nothing", "POST"],
    [
      "on insert to notes do instead insert into bin values (new.id) returning id, text, true, false",
      "POST",
    ],
    ["on insert to notes do also insert into bin values (new.id)", "POST"],
    ["on update to notes do instead nothing", "PATCH"],
    [
      "on update to notes do instead insert into bin values (new.id) returning id, text, true, false",
      "PATCH",
    ],
    ["on update to notes where new.id = 1 do also insert into bin values (new.id)", "PATCH"],
  ];
  it.each(rules)("makes its method 405: %s", async (rule, method) => {
    await run(`create rule other as ${rule}`);
    const answers = {
      POST: () => client.create(user, "public/notes", { id: 7 }),
      PATCH: () => client.update(user, "public/notes", "1", { text: "z" }),
      DELETE: () => remove("1"),
    };
    for (const [name, send] of Object.entries(answers)) {
      const result = resultOf(await send());
      if (name === method) expect(result).toBe("405 METHOD_NOT_ALLOWED");
      else expect(result).toBeLessThan(300);
    }
    expect(await rowsOf("bin")).toEqual([]);
    await run("alter table notes disable rule other");
    expect(resultOf(await answers[method]())).not.toBe("405 METHOD_NOT_ALLOWED");
  });

  it("refuses a merge, which would update rows", async () => {
    await run("create rule other as on update to notes do instead nothing");
    const merge = await client.create(
      user,
      "public/notes",
      { id: 1 },
      "on_conflict=id&resolution=merge",
    );
    expect(resultOf(merge)).toBe("403 ACTION_DENIED");
  });

  it("applies to its own table only", async () => {
    await run("create rule other as on delete to bin do instead nothing");
    expect(resultOf(await remove("1"))).toBe(204);
    await run("drop rule other on bin");
  });
});
