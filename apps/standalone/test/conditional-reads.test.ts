import { expose } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// `If-None-Match` on rows that show other rows, as a member whose grants change.

let environment: TestEnvironment;

const sql = (text: string) => environment.test.database.query<Record<string, string>>(text);

beforeAll(async () => {
  environment = await openTestEnvironment();
  await sql(
    `create table people (id int primary key, name text, age int);
     create table tasks (id int primary key, title text, spec jsonb, boss_id int references people);
     create table notes (id int primary key, task_id int references tasks, hours int);
     insert into system.roles (name) values ('Others');
     insert into system.role_members (user_id, role_id)
     select u.id, r.id from system.users u, system.roles r
     where u.email = 'member@example.com' and r.name = 'Others'`,
  );
  for (const table of ["people", "tasks", "notes"]) {
    await expose(environment.test.database, "public", table, "GET", "POST", "PATCH", "DELETE");
  }
});
afterAll(() => environment.stop());

beforeEach(async () => {
  await sql(
    `truncate people, tasks, notes;
     insert into people values (1, 'Ida', 40), (2, 'Bo', 30);
     insert into tasks values (1, 'one', '{"a": {"b": 1}}', 1);
     insert into notes values (1, 1, 2), (2, 1, 3)`,
  );
  await sql(
    `delete from system.grants g using system.roles r
     where r.id = g.role_id and r.name in ('Members', 'Others')`,
  );
  for (const table of ["people", "tasks", "notes"]) await grant(table, { action: "READ" });
  await grant("tasks", { action: "UPDATE" });
});

interface GrantInput {
  readonly role?: string;
  readonly action: "READ" | "UPDATE";
  readonly fields?: readonly string[];
  readonly rowFilter?: object;
}
type Mask = Omit<GrantInput, "action">;

async function grant(table: string, { role = "Members", ...input }: GrantInput): Promise<void> {
  const [row] = await sql(
    `select r.id as role, s.id as resource from system.roles r, system.resources s
     where r.name = '${role}' and s.schema_name = 'public' and s.relation_name = '${table}'`,
  );
  const data = { roleId: row?.role, resourceId: row?.resource, fields: null, ...input };
  const { secret } = environment.admin;
  const made = await environment.ask("POST", "/admin/api/grants", { as: secret, body: { data } });
  expect(made.status).toBe(201);
}

/** Replaces the READ grants of a table. */
async function allow(table: string, ...inputs: Mask[]): Promise<void> {
  const { secret } = environment.admin;
  const grants = await sql(
    `select g.id from system.grants g join system.resources s on s.id = g.resource_id
     join system.roles r on r.id = g.role_id
     where r.name in ('Members', 'Others') and g.action = 'READ' and s.relation_name = '${table}'`,
  );
  for (const { id } of grants) {
    await environment.ask("DELETE", `/admin/api/grants/${id}`, { as: secret });
  }
  for (const input of inputs) await grant(table, { action: "READ", ...input });
}

const path = "/api/public/table/tasks/1";

const read = (query: string, headers: Record<string, string> = {}) =>
  environment.ask("GET", `${path}${query}`, { as: environment.member.secret, headers });

const change = (ifMatch: string, data: object) =>
  environment.ask("PATCH", path, {
    as: environment.member.secret,
    headers: { "If-Match": ifMatch },
    body: { data },
  });

const tagOf = ({ headers }: { readonly headers: Headers }): string => headers.get("etag") ?? "";

/** Every form in which a read of one row shows others, and a change of those that it shows. */
const shown: readonly (readonly [name: string, query: string, statement: string])[] = [
  ["a field of a row", "?fields=id,boss.name", "update people set name = 'Eve' where id = 1"],
  ["a whole row", "?fields=id,boss", "update people set age = 41 where id = 1"],
  ["a row under an alias", "?fields=id,x:boss.name", "update people set name = 'Eve' where id = 1"],
  ["a list", "?fields=id,notes.hours", "update notes set hours = 9 where id = 2"],
  ["a number of rows", "?fields=id,notes.count", "delete from notes where id = 2"],
  ["a sum", "?fields=id,notes.sum(hours)", "update notes set hours = 9 where id = 2"],
  [
    "a page of rows",
    "?fields=id,notes.id&deep[notes][limit]=1&deep[notes][order_by]=-hours",
    "update notes set hours = 9 where id = 1",
  ],
  [
    "a list of rows of a row",
    "?fields=id,boss.tasks.notes.hours",
    "update notes set hours = 9 where id = 2",
  ],
];

describe("If-None-Match on a row that shows other rows", () => {
  it.each(shown)("returns 200 after a change of %s", async (_name, query, statement) => {
    const before = await read(query);
    expect(before.status).toBe(200);
    expect((await read(query, { "If-None-Match": tagOf(before) })).status).toBe(304);
    await sql(statement);
    const after = await read(query, { "If-None-Match": tagOf(before) });
    expect(after.status).toBe(200);
    expect(after.body).not.toEqual(before.body);
    // Each part of the tag alone, and the tag of the row without others, name no version of this answer.
    const own = tagOf(await read(""));
    for (const tag of [own, tagOf(await read("?fields=id"))]) {
      expect((await read(query, { "If-None-Match": tag })).status).toBe(200);
    }
  });

  it.each(shown)(
    "keeps the ETag usable as If-Match after a change of %s",
    async (_n, query, statement) => {
      const tag = tagOf(await read(query));
      expect(tag.startsWith(tagOf(await read("")).slice(0, -1))).toBe(true);
      await sql(statement);
      expect((await change(tag, { title: "two" })).status).toBe(200);
      expect((await change(tag, { title: "three" })).status).toBe(412);
    },
  );

  it("returns the tag of the row itself for values inside its document", async () => {
    const own = tagOf(await read(""));
    expect(tagOf(await read("?fields=id,spec.a.b"))).toBe(own);
  });

  it("takes the tag of such a read as ifMatch of a batch", async () => {
    const ifMatch = tagOf(await read("?fields=id,boss.name"));
    const write = (title: string) => ({
      ...{ method: "PATCH", path, ifMatch },
      data: { title },
    });
    const batch = (title: string) =>
      environment.ask("POST", "/api/batch", {
        as: environment.member.secret,
        body: { data: [write(title)] },
      });
    expect((await batch("two")).status).toBe(200);
    expect((await batch("three")).status).toBe(412);
  });
});

describe("If-None-Match after a change of the caller's grants", () => {
  const masks: [string, string, Parameters<typeof allow>[1][]][] = [
    ["a column of the row", "", [{ fields: ["id", "title", "boss_id"] }]],
    [
      "a column in this row alone",
      "?fields=id,title,spec",
      [{ fields: ["id", "title"] }, { role: "Others", rowFilter: { id: { _gt: 1 } } }],
    ],
  ];
  it.each(masks)("returns 200 once %s is hidden", async (_name, query, grants) => {
    const before = await read(query);
    await allow("tasks", ...grants);
    const after = await read(query, { "If-None-Match": tagOf(before) });
    expect(after.status).toBe(200);
    expect(after.body.data).not.toHaveProperty("spec");
  });

  const related: readonly (readonly [name: string, table: string, query: string, mask: Mask])[] = [
    ["a field of a related row", "people", "?fields=id,boss", { fields: ["id"] }],
    ["a related row", "people", "?fields=id,boss", { rowFilter: { id: { _gt: 1 } } }],
    ["a counted row", "notes", "?fields=id,notes.count", { rowFilter: { id: { _gt: 1 } } }],
  ];
  it.each(related)("returns 200 once %s is hidden", async (_name, table, query, mask) => {
    const before = await read(query);
    await allow(table, mask);
    const after = await read(query, { "If-None-Match": tagOf(before) });
    expect(after.status).toBe(200);
    expect(after.body).not.toEqual(before.body);
  });
});
