import type { TestDatabase, TestUser } from "@rowhouse/testing";
import { createRole, createTestDatabase, createUser, expose } from "@rowhouse/testing";
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
    create domain public.consent as boolean check (value);
    create table public.flags (id int primary key, flag boolean, flags boolean[], agreed public.consent, note text)`);
  await expose(test.database, "public", "flags", "GET", "POST");
  await grant(test.database, snapshots, roleId, "public/flags", { action: "CREATE" });
});
afterAll(() => test.drop());
beforeEach(() => test.database.query("truncate public.flags"));

/** Imports a file; returns its rows without their ids, or its faults with their lines. */
async function imported(file: string | Uint8Array, query = ""): Promise<readonly unknown[]> {
  const answer = await importer.csv(user, "public/flags", file, { query });
  const faults = faultsOf(answer);
  if (faults.length > 0) return faults;
  const rows = await test.database.query<Record<string, unknown>>(
    "select flag::text, flags::text, agreed::text, note from public.flags order by id",
  );
  return rows.map((row) =>
    Object.values(row)
      .filter((value) => value !== null)
      .join(" "),
  );
}

function faultsOf({ body }: Imported): readonly string[] {
  const { errors = [] } = body as {
    readonly errors?: readonly {
      readonly code: string;
      readonly path?: string;
      readonly message: string;
      readonly details?: { readonly line?: number; readonly column?: string };
    }[];
  };
  return errors.map(({ code, path, message, details }) =>
    code === "VALUE_INVALID"
      ? `${path} in line ${details?.line}, ${details?.column}`
      : `${code} ${path ?? ""} in line ${details?.line}: ${message}`,
  );
}

it("booleans are read in any case, of domains and in lists of PostgreSQL too", async () => {
  const file =
    'id,flag,flags,agreed\n1,TRUE,"{TRUE,F,null}",True\n2,False,"[true,false]",T\n3,f,"{{t},{False}}",\n4,,"{""TRUE""}",\n';
  expect(await imported(file)).toEqual([
    "true {t,f,NULL} true",
    "false {t,f} true",
    "false {{t},{f}}",
    "{t}",
  ]);
});

it("what is no boolean is a fault with its row and column, NULL, numbers and words included", async () => {
  const cells = [
    "NULL",
    "1",
    "0",
    "yes",
    "No",
    "on",
    " true",
    "TRUE ",
    "tru",
    "null",
    "WAHR",
    '""',
  ];
  const rows = cells.map((cell, index) => `${index},${cell}`);
  expect(await imported(`id,flag\n${rows.join("\n")}\n`)).toEqual(
    cells.map((_, index) => `/${index}/flag in line ${index + 2}, flag`),
  );
  expect(
    await imported('id,flags,agreed\n1,"{YES}",\n2,"{1,0}",\n3,"[TRUE]",\n4,TRUE,FALSE\n'),
  ).toEqual([
    ...["/0/flags in line 2, flags", "/1/flags in line 3, flags", "/2/flags in line 4, flags"],
    "/3/flags in line 5, flags",
  ]);
  // The condition of the domain.
  expect(await imported("id,agreed\n1,FALSE\n")).toEqual(["/0/agreed in line 2, agreed"]);
  expect((await importer.ndjson(user, "public/flags", '{"id":1,"flag":"TRUE"}')).status).toBe(400);
});

it("a parameter names the two texts of booleans, and only these are read", async () => {
  const file = (yes: string, no: string) =>
    `id,flag,flags,agreed,note\n1,${yes},{t},${yes},${yes}\n2,${no},,,\n`;
  for (const [yes, no, format] of [
    ...[["1", "0"] as const, ["YES", "no"] as const, ["Y", "N"] as const, ["on", "OFF"] as const],
    ...[["WAHR", "FALSCH", "wahr/falsch"] as const, ["x", "-"] as const],
  ]) {
    await test.database.query("truncate public.flags");
    const query = `boolean_format=${encodeURIComponent(format ?? `${yes}/${no}`)}`;
    expect(await imported(file(yes, no), query)).toEqual([`true {t} true ${yes}`, "false"]);
  }
  const strict = "id,flag\n1,true\n2,1\n3,Y\n4,yes\n5,NULL\n";
  expect(await imported(strict, "boolean_format=yes/no")).toEqual([
    ...["/0/flag in line 2, flag", "/1/flag in line 3, flag", "/2/flag in line 4, flag"],
    "/4/flag in line 6, flag",
  ]);
});

it("a format that is none, or would exchange true and false, is a fault of its parameter", async () => {
  for (const format of ["", "yes", "yes/yes", "0/1", "no/yes", "yes/no/maybe", "a".repeat(80)]) {
    const query = `boolean_format=${format}`;
    const { status, body } = await importer.csv(user, "public/flags", "id\n", { query });
    expect({ format, status, body }).toMatchObject({
      ...{
        format,
        status: 400,
        body: { errors: [{ code: "QUERY_INVALID", path: "boolean_format" }] },
      },
    });
  }
  const query = "boolean_format=yes/no";
  const lines = await importer.ndjson(user, "public/flags", '{"id":1}', { query });
  expect(lines).toMatchObject({ status: 400, body: { errors: [{ path: "boolean_format" }] } });
});

it("a key repeats the response only for the same format of booleans", async () => {
  const run = (query: string) =>
    importer.csv(user, "public/flags", "id,note\n1,x\n", { query, key: "one" });
  const first = await run("boolean_format=yes/no");
  expect(first.status).toBe(201);
  expect(await run("boolean_format=YES/NO")).toEqual(first);
  expect((await run("boolean_format=1/0")).status).toBe(409);
});

it("the first line of Excel names the sign between cells, after a byte order mark and in every encoding", async () => {
  const text = "sep=;\r\nid;flag;note\r\n1;TRUE;a,b\r\n2;;c\r\n";
  expect(await imported(`\ufeff${text}`)).toEqual(["true a,b", "c"]);
  await test.database.query("truncate public.flags");
  const wide = Buffer.from(`\ufeff${text}`, "utf16le");
  expect(await imported(wide, "encoding=utf-16&delimiter=;")).toEqual(["true a,b", "c"]);
  for (const [line, sign] of [
    ["sep=\t", "\t"],
    ["sep=\\t", "\t"],
    ["sep=|", "|"],
    ["sep=,", ","],
  ]) {
    await test.database.query("truncate public.flags");
    expect(await imported(`${line}\nid${sign}flag\n1${sign}F\n`)).toEqual(["false"]);
  }
  await test.database.query("truncate public.flags");
  expect(await imported(`${text}3;yes;d\r\n`)).toEqual(["/2/flag in line 5, flag"]);
});

it("a first line that names an impossible sign, or another than the parameter, is a fault", async () => {
  const file = (sign: string) => `sep=${sign}\nid${sign}note\n1${sign}x\n`;
  expect(await imported(file(":"))).toEqual([
    "BODY_INVALID  in line 1: The first line (sep=) must name one of , ; tab pipe as the sign between cells",
  ]);
  expect(await imported(file(":"), "delimiter=;")).toHaveLength(1);
  expect(await imported(file(";"), "delimiter=tab")).toEqual([
    "BODY_INVALID  in line 1: The first line (sep=) names ; as the sign between cells, and the parameter delimiter tab",
  ]);
  expect(await imported("sep=;\n")).toEqual([
    "BODY_INVALID  in line undefined: The first line must name the columns",
  ]);
});

it("lines end with CR, LF or CRLF, also in turn; faults name the line that a person sees", async () => {
  for (const end of ["\r", "\n", "\r\n"]) {
    await test.database.query("truncate public.flags");
    const rows = ["id,flag,note", '1,TRUE,"a\rb"', "2,f,c\td", "", '3,,"e\r\nf"'];
    expect(await imported(rows.join(end))).toEqual(["true a\rb", "false c\td", "e\r\nf"]);
    await test.database.query("truncate public.flags");
    expect(await imported([...rows, "4,no,", "5,t,x,y"].join(end))).toEqual([
      ...[
        "/3/flag in line 8, flag",
        "BODY_INVALID /4 in line 9: The row has 4 cells, and the header 3",
      ],
    ]);
  }
  await test.database.query("truncate public.flags");
  expect(await imported("id,note\r1,a\r\n2,b\n3,c\r\r4,d")).toEqual(["a", "b", "c", "d"]);
  const wrong = Buffer.concat([Buffer.from("id,note\r1,a\r\n2,"), Buffer.from([0xff, 13])]);
  expect(await imported(wrong)).toEqual(["BODY_INVALID  in line 3: The body is not UTF-8 text"]);
});

it("a file that arrives byte by byte has the same rows", async () => {
  const text = '\ufeffsep=;\r\nid;flag;note\r\n1;TRUE;"a\r\n""b"\r2;FALSE;\r\n';
  const bytes = Buffer.from(text);
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  expect((await importer.stream(user, "public/flags", body)).status).toBe(201);
  expect(await test.database.query("select id, flag, note from public.flags order by id")).toEqual([
    { id: 1, flag: true, note: 'a\r\n"b' },
    { id: 2, flag: false, note: null },
  ]);
});
