import { setTimeout as sleep } from "node:timers/promises";
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createClient, grant } from "./engine.ts";
import { createImporter, type Imported } from "./importer.ts";

let test: TestDatabase;
let importer: ReturnType<typeof createImporter>;
let user: TestUser;

beforeAll(async () => {
  test = await createTestDatabase();
  importer = createImporter(test.database);
  const { snapshots } = createClient(test.database);
  const roleId = await createRole(test.database, "Writers");
  user = await createUser(test.database, "writer@example.com", "Writers");
  await test.database.query(`
    create table public.notes (id text primary key, body text, doc jsonb, size int);
    create table public.odd ("__proto__" text, "constructor" text, "a""b.c$1" text, "x,y" text, lo int, rh int);
    create table public.flags (name text)`);
  for (const name of ["notes", "odd", "flags"]) {
    await expose(test.database, "public", name, "GET", "POST");
    await grant(test.database, snapshots, roleId, `public/${name}`, { action: "CREATE" });
  }
});
afterAll(() => test.drop());
beforeEach(() => test.database.query("delete from public.notes"));

const notes = (columns = "id, body") =>
  test.database.query(`select ${columns} from public.notes order by id`);
const first = ({ status, body }: Imported) => {
  const { errors } = body as { readonly errors?: readonly Record<string, unknown>[] };
  return { status, ...errors?.[0] };
};

it("treats the end-of-data mark of COPY, escapes and formulas as text", async () => {
  const file = 'id,body\n\\.,x\n\\N,\\t\n3,=1+1\n4,"\\"\n';
  expect((await importer.csv(user, "public/notes", file)).status).toBe(201);
  expect(await notes()).toEqual([
    { id: "3", body: "=1+1" },
    { id: "4", body: "\\" },
    { id: "\\.", body: "x" },
    { id: "\\N", body: "\\t" },
  ]);
});

it("reports bytes that are not UTF-8 with their line", async () => {
  const bytes = Buffer.concat([
    Buffer.from("id,body\n1,a\n2,"),
    Buffer.from([0xff]),
    Buffer.from("\n"),
  ]);
  expect(first(await importer.csv(user, "public/notes", bytes))).toMatchObject({
    ...{ status: 400, code: "BODY_INVALID", message: "The body is not UTF-8 text" },
    details: { line: 3 },
  });
  const cut = Buffer.from("id,body\n1,ü").subarray(0, -1);
  expect(first(await importer.csv(user, "public/notes", cut))).toMatchObject({ status: 400 });
});

it("reports NUL and lone surrogates at their field", async () => {
  expect(first(await importer.csv(user, "public/notes", "id,body\n1,a\0b\n"))).toMatchObject({
    ...{ status: 400, code: "VALUE_INVALID", path: "/0/body" },
  });
  const line = '{"id":"1","body":"\\ud800"}';
  expect(first(await importer.ndjson(user, "public/notes", line))).toMatchObject({
    ...{ status: 400, code: "VALUE_INVALID", path: "/0/body" },
  });
});

it("rejects headers without a name, with a repeated name, or with too many names", async () => {
  const header = (text: string) => importer.csv(user, "public/notes", text).then(first);
  expect(await header("")).toMatchObject({ status: 400, code: "BODY_INVALID" });
  expect(await header("id,,body\n")).toMatchObject({
    message: "Column 2 of the header has no name",
  });
  expect(await header("id,body,id\n1,2,3\n")).toMatchObject({
    ...{ path: "/id", message: "The header names a column twice", details: { line: 1 } },
  });
  const many = Array.from({ length: 10_000 }, (_, index) => `c${index}`).join();
  expect(await header(`${many}\n`)).toMatchObject({
    ...{ status: 400, message: "The header names at most 1600 columns" },
  });
  expect(await header('"id\n')).toMatchObject({ status: 400, code: "BODY_INVALID" });
});

it("rejects a row above the size of a body without reading the rest", async () => {
  let sent = 0;
  const part = Buffer.alloc(65_536, "x");
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      controller.enqueue(sent === 0 ? Buffer.from('id,body\n1,"') : part);
      sent += 1;
    },
  });
  expect(first(await importer.stream(user, "public/notes", endless))).toMatchObject({
    ...{ status: 413, code: "BODY_TOO_LARGE", details: { line: 2 } },
  });
  expect(sent).toBeLessThan(60);
});

it("ends at its time limit, also if its sender never completes the header", async () => {
  const { database } = test;
  await database.query(
    "insert into system.settings (key, value) values ('limits.import_timeout_ms', '1000')",
  );
  const slow = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      await sleep(50);
      controller.enqueue(Buffer.from("x"));
    },
  });
  expect(first(await importer.stream(user, "public/notes", slow))).toMatchObject({
    ...{ status: 504, code: "QUERY_TIMEOUT" },
  });
  await database.query("delete from system.settings where key = 'limits.import_timeout_ms'");
});

it("treats any name and value as data", async () => {
  const file = `"__proto__","constructor","a""b.c$1","x,y",lo,rh\n'',a,$1,$2,1,2\n`;
  expect((await importer.csv(user, "public/odd", file)).status).toBe(201);
  const line = '{"__proto__":"p","a\\"b.c$1":"$$","lo":3}';
  expect((await importer.ndjson(user, "public/odd", line)).status).toBe(201);
  expect(
    await test.database.query(
      'select "__proto__" as p, constructor as c, "a""b.c$1" as a, "x,y" as x, lo, rh from public.odd order by lo',
    ),
  ).toEqual([
    { p: "''", c: "a", a: "$1", x: "$2", lo: 1, rh: 2 },
    { p: "p", c: null, a: "$$", x: null, lo: 3, rh: null },
  ]);
  const faulty = await importer.csv(user, "public/odd", `lo,"a""b.c$1"\n1,x\n99999999999,y\n`);
  expect(first(faulty)).toMatchObject({ code: "VALUE_INVALID", path: "/1/lo" });
});

it("rejects lines of NDJSON that are no rows, each with its line", async () => {
  const lines = [
    '{"id":"1"}',
    "",
    "[1]",
    "{",
    "{}",
    `{"id":"2","doc":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    '{"id":"3","id":"4"}',
    '{"id":"5","doc":{"a":1,"a":2}}',
    '{"id":"6","constructor":1}',
    '{"id":"7","size":1.5}',
  ];
  const { body } = await importer.ndjson(user, "public/notes", lines.join("\n"));
  const { errors } = body as { errors: { path: string; message: string; details: unknown }[] };
  expect(errors.map(({ path, message, details }) => [path, message, details])).toEqual([
    ["/1", "A row is an object of fields", { line: 3 }],
    ["/2", "It is not valid JSON", { line: 4 }],
    ["/3", "A row of a list sets at least one field", { line: 5 }],
    ["/4", "It is nested deeper than 64 levels", { line: 6 }],
    ["/5", "A key occurs twice in one object", { line: 7 }],
    ["/6", "A key occurs twice in one object", { line: 8 }],
    ["/7/constructor", expect.any(String), { line: 9, column: "constructor" }],
    ["/8/size", expect.any(String), { line: 10, column: "size" }],
  ]);
});

it("distinguishes the null of a file with one column from an empty text", async () => {
  await importer.csv(user, "public/flags", 'name\n""\n\nx\n');
  expect(await test.database.query("select name from public.flags order by name")).toEqual([
    { name: "" },
    { name: "x" },
  ]);
  await importer.csv(user, "public/odd", 'rh\r\n""\r\n77\r\n');
  expect(
    await test.database.query("select rh from public.odd where lo is null order by rh"),
  ).toEqual([{ rh: 77 }, { rh: null }]);
});
