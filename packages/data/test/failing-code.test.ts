// Tier: long. One of the longest files; code-of-users.test.ts is in every run.
import { renderError } from "@rowhouse/errors";
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
import { createExporter } from "./exporter.ts";
import { createImporter } from "./importer.ts";

// Triggers, views, defaults, checks and functions of the database that fail with every kind of state.

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;
let roleId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  await run(
    "create table two_rows (id int)",
    "insert into two_rows values (1), (2)",
    `create function fail(how text) returns int language plpgsql as $$
     declare n int; s text; c refcursor;
     begin
       case how
         when 'none' then return 1;
         when 'case' then case n when 1 then return 1; end case;
         when 'cardinality' then select (select id from two_rows) into n;
         when 'no return' then return no_return();
         when 'table' then perform 1 from dropped_table;
         when 'column' then perform dropped_column from two_rows;
         when 'function' then perform dropped_function();
         when 'ambiguous' then execute 'select id from two_rows a, two_rows b';
         when 'syntax' then execute 'selec 1';
         when 'schema' then execute 'select 1 from dropped_schema.x';
         when 'setting' then s := current_setting('dropped.setting');
         when 'strict none' then select id into strict n from two_rows where id = 9;
         when 'strict many' then select id into strict n from two_rows;
         when 'assert' then assert false, 'canary';
         when 'raise' then raise exception 'canary';
         when 'division' then n := 1 / (select 0);
         when 'commit' then commit;
         when 'cursor' then fetch c into n;
         when 'sequence' then n := currval('numbers');
         when 'unsupported' then execute 'alter table two_rows add constraint x foreign key (id) references two_rows (id) not valid, alter id type bigint using (select 1)';
         when 'type' then execute 'select null::dropped_type';
         when 'savepoint' then execute 'rollback to dropped';
         when 'depth' then n := deep(1);
         when 'raised' then raise exception using errcode = 'XX000', message = 'canary';
         when '38' then raise exception using errcode = '38002', message = 'canary';
         when '39' then raise exception using errcode = '39004', message = 'canary';
         when '25' then raise exception using errcode = '25001', message = 'canary';
         when '20' then raise exception using errcode = '20000', message = 'canary';
         when 'F0' then raise exception using errcode = 'F0000', message = 'canary';
         else raise exception using errcode = how, message = 'canary';
       end case;
       return 1;
     end $$`,
    "create sequence numbers",
    "create function no_return() returns int language plpgsql as $$ begin if false then return 1; end if; end $$",
    "create function deep(n int) returns int language plpgsql as $$ begin return deep(n + 1); end $$",
    "create table tasks (id int primary key, how text not null default 'none', note text)",
    `create function fail_row() returns trigger language plpgsql as $$
       begin perform fail(new.how); return new; end $$`,
    "create trigger failing before insert or update on tasks for each row execute function fail_row()",
    "create table steps (id int primary key, how text not null default 'none')",
    "create view seen as select id, how, fail(how) as n from steps",
  );
  await open("tasks");
  await open("steps");
  await openView("seen");
});
afterAll(() => test.drop());

const run = async (...statements: readonly string[]): Promise<void> => {
  for (const statement of statements) await test.database.query(statement);
};
const open = async (name: string): Promise<void> => {
  await expose(test.database, "public", name, "GET", "POST", "PATCH", "DELETE");
  for (const action of ["READ", "CREATE", "UPDATE", "DELETE"] as const) {
    await grant(test.database, client.snapshots, roleId, `public/${name}`, { action });
  }
};
const openView = async (name: string): Promise<void> => {
  await expose(test.database, "public", name, "GET");
  await grant(test.database, client.snapshots, roleId, `public/${name}`, { action: "READ" });
};
const resultOf = ({ status, body }: Pick<Answer, "status" | "body">) => {
  expect(JSON.stringify(body)).not.toMatch(/canary|dropped|PL\/pgSQL/);
  const { errors } = body as { errors?: { code: string; path?: string }[] };
  const [{ code, path } = { code: "" }] = errors ?? [];
  return path === undefined ? `${status} ${code}` : `${status} ${code} ${path}`;
};

const failing = [
  ...["case", "cardinality", "no return", "table", "column", "function", "ambiguous", "syntax"],
  ...["schema", "setting", "strict none", "strict many", "assert", "raise", "division", "commit"],
  ...["cursor", "sequence", "unsupported", "type", "savepoint", "depth", "raised", "38", "39"],
  ...["25", "20", "F0", "3B001", "2D000", "0A000", "55000", "0L000", "22P02", "40002", "XXABC"],
];

describe("a trigger that fails", () => {
  it.each(failing)("refuses a write with 400: %s", async (how) => {
    await run("delete from tasks", "insert into tasks values (1)");
    expect((await client.create(user, "public/tasks", { id: 2, how })).status).toBe(400);
    const update = await client.update(user, "public/tasks", "1", { how });
    expect(resultOf(update)).toMatch(/^400 (?:CHECK_VIOLATION|VALUE_INVALID|QUERY_INVALID)$/);
    const many = await client.updateMany(user, "public/tasks", "where[id][_eq]=1&max_affected=2", {
      how,
    });
    expect(many.status).toBe(400);
    const write = { method: "PATCH", path: "/api/public/table/tasks/1", data: { how } };
    expect((await client.batch(user, [write])).status).toBe(400);
  });

  it.each(failing.filter((how) => how !== "depth"))("names the row of a list: %s", async (how) => {
    await run("delete from tasks");
    const rows = [{ id: 1 }, { id: 2, how }, { id: 3 }];
    const created = await client.create(user, "public/tasks", rows);
    expect(resultOf(created)).toMatch(/^400 (?:CHECK_VIOLATION|VALUE_INVALID) \/data\/1$/);
    const file = rows.map((row) => JSON.stringify(row)).join("\n");
    const imported = await createImporter(test.database).ndjson(user, "public/tasks", file);
    expect(resultOf(imported)).toMatch(/^400 (?:CHECK_VIOLATION|VALUE_INVALID) \/1$/);
  });
});

describe("a view that fails", () => {
  it.each(failing)("refuses a read: %s", async (how) => {
    await run("delete from steps", `insert into steps values (1, '${how}')`);
    // A read must not write, whatever else is wrong with it.
    const status = how === "unsupported" ? 409 : 400;
    for (const query of ["", "aggregate=sum(n)", "count=exact"]) {
      expect((await client.list(user, "public/seen/view", query)).status).toBe(status);
    }
    const { open: start } = createExporter(test.database);
    await expect(start(user, "public/seen/view", "", "CSV")).rejects.toMatchObject({ status });
  });
});

/** Expressions that leave no function in the error. */
const expressions = [
  "current_setting('dropped.setting')",
  "(('dropped_' || id)::regclass)::text",
  "(('dropped_' || id)::regprocedure)::text",
  "(('dropped_' || id || '.x')::regclass)::text",
  "has_table_privilege('dropped_' || id, 'two_rows', 'select')::text",
  "has_column_privilege('two_rows', 'dropped_' || id, 'select')::text",
  "currval('numbers')::text",
  "(select t.id from two_rows t where t.id + plain.id > 0)::text",
];

describe("an expression that fails outside a function", () => {
  beforeAll(() => run("create table plain (id int primary key)", "insert into plain values (1)"));

  it.each(expressions.map((expression, index) => [expression, index] as const))(
    "refuses the read of a view with 400: %s",
    async (expression, index) => {
      await run(`create view plain_${index} as select id, ${expression} as x from plain`);
      await openView(`plain_${index}`);
      const answer = await client.list(user, `public/plain_${index}/view`);
      expect(resultOf(answer)).toMatch(/^400 /);
      await run(`drop view plain_${index}`);
    },
  );

  it.each(
    expressions
      .filter((expression) => !expression.includes("select t"))
      .map((expression, index) => [expression.replaceAll("id", "1"), index] as const),
  )("refuses a write with 400 in a default: %s", async (expression, index) => {
    await run(`create table def_${index} (id int primary key, x text default ${expression})`);
    await open(`def_${index}`);
    expect(resultOf(await client.create(user, `public/def_${index}`, { id: 1 }))).toMatch(/^400 /);
    const list = [{ id: 1, x: "a" }, { id: 2 }];
    expect(resultOf(await client.create(user, `public/def_${index}`, list))).toMatch(/^400 /);
    await run(`drop table def_${index}`);
  });

  it("names the row of a list whose check fails", async () => {
    await run(
      "create table checked (id int primary key, name text check (has_table_privilege(name, 'two_rows', 'select') is not null))",
    );
    await open("checked");
    const me = (await test.database.query<{ name: string }>("select current_user as name"))[0];
    const list = [
      { id: 1, name: me?.name },
      { id: 2, name: "dropped_role" },
    ];
    const answer = await client.create(user, "public/checked", list);
    expect(resultOf(answer)).toBe("400 CHECK_VIOLATION /data/1");
  });
});

describe("the log", () => {
  it("receives the cause of a failure, and no response does", async () => {
    await run("delete from steps", "insert into steps values (1, 'case')");
    await run("delete from tasks", "insert into tasks values (1)");
    for (const answer of [
      client.list(user, "public/seen/view"),
      client.create(user, "public/tasks", { id: 2, how: "case" }),
      client.create(user, "public/tasks", [{ id: 2 }, { id: 3, how: "case" }]),
    ]) {
      const { error } = await answer;
      expect(error?.cause).toMatchObject({ code: "20000" });
      const { status, isLogged, unexpected, body } = renderError(error, "a");
      expect({ status, isLogged, unexpected }).toEqual({
        status: 400,
        isLogged: true,
        unexpected: false,
      });
      expect(JSON.stringify(body)).not.toContain("case not found");
    }
  });
});

describe("a failure without such code", () => {
  it("remains 503 for resources and 504 for the limit of time", async () => {
    for (const [how, status] of [
      ["53100", 503],
      ["58030", 503],
      ["57014", 504],
    ] as const) {
      await run("delete from steps", `insert into steps values (1, '${how}')`);
      expect((await client.list(user, "public/seen/view")).status).toBe(status);
      expect((await client.create(user, "public/tasks", { id: 9, how })).status).toBe(status);
    }
  });

  it("remains an error of the service for damaged data, and for a statement that PostgreSQL does not compile", async () => {
    for (const how of ["XX001", "XX002"]) {
      await run("delete from steps", `insert into steps values (1, '${how}')`);
      await expect(client.list(user, "public/seen/view")).rejects.toMatchObject({ code: how });
    }
  });
});
