// Tiers: long, topologies. Starts processes; client-types.test.ts is in every run.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type AdminOperations, createClient } from "@rowhouse/client";
import {
  createRole,
  createToken,
  createUser,
  expose,
  findFreePort,
  startTestEnvironment,
  type TestEnvironment,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "./run-cli.ts";

type Grant = AdminOperations["POST /grants"]["data"];

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));

const statements = [
  "create schema yard",
  "create type yard.state as enum ('NEW', 'SOLD \"as is\"')",
  `create table yard.people (id int primary key, name text not null, phone text not null,
     boss_id int references yard.people)`,
  `create table yard.cars (id bigint generated always as identity primary key, plate text not null unique,
     price numeric not null, state yard.state not null default 'NEW', owner_id int references yard.people,
     tags text[] not null default '{}', notes jsonb, photo bytea)`,
  "comment on table yard.cars is 'Cars */ export const stolen = 1; /*'",
  "comment on column yard.cars.plate is E'First line\\nsecond line */ x'",
  "create table yard.parts (car_id bigint references yard.cars, number int, primary key (car_id, number))",
  "create table yard.log (line text)",
  'create table yard."a.b""; export const y = 1; //" ("constructor" int primary key, "__proto__" text, "x y" int not null)',
  'create table yard."أجزاء" (id uuid primary key)',
  'create table yard."log!" (line text)',
  "create view yard.prices as select plate, price from yard.cars",
  "insert into yard.people values (1, 'Ada', '1', null), (2, 'Grace', '2', 1)",
  "insert into yard.cars (plate, price, owner_id) values ('A', 12.50, 2)",
];

const program = `
import { createClient } from "@rowhouse/client";
import type { Resources } from "./resources.ts";

const [url = "", token = ""] = process.argv.slice(2);
const client = createClient<Resources>({ url, token });
const cars = client.from("yard.cars");
const page = await cars.list({
  fields: ["id", "plate", "owner.name", "owner.boss.name", "parts"],
  where: { owner: { boss: { name: { _eq: "Ada" } } }, price: { _gt: 12n }, parts: { _none: {} } },
});
const [car] = page.rows;
const price: string | undefined = (await cars.list()).rows[0]?.price;
const boss: string | undefined = car?.owner?.boss?.name;
const numbers: number[] = (car?.parts ?? []).map((part) => part.number);
// @ts-expect-error: not selected
car?.price;
// @ts-expect-error: no such field
cars.list({ fields: ["id", "colour"] }).catch(() => null);
// @ts-expect-error: no such field of the related row
cars.list({ fields: ["owner.nam"] }).catch(() => null);
// @ts-expect-error: no such label
cars.list({ where: { state: { _eq: "OLD" } } }).catch(() => null);
// @ts-expect-error: a required field is missing
cars.create({ plate: "B" }).catch(() => null);
// @ts-expect-error: a generated column
cars.update(1, { id: 2 }).catch(() => null);
// @ts-expect-error: no such table
(() => client.from("yard.people2"))();
// @ts-expect-error: a view without its kind
(() => client.from("yard.prices"))();
// @ts-expect-error: no key
client.from("yard.log").get(1).catch(() => null);
const prices = await client.from("yard.prices", "view").list({ fields: ["price"] });
// @ts-expect-error: a view is not written
client.from("yard.prices", "view").create({ price: "1" }).catch(() => null);
const made = await cars.create({ plate: "B", price: 3, state: 'SOLD "as is"', tags: ["x"] });
const state: "NEW" | 'SOLD "as is"' | undefined = made.row?.state;
const part = await client.from("yard.parts").create({ car_id: made.row?.id ?? 0, number: 7 });
const read = await client.from("yard.parts").get([part.row?.car_id ?? 0, 7], { fields: ["car.plate"] });
const noted = (await cars.list({ fields: ["id", "notes.size.w", "notes.color"] })).rows[0]?.notes;
const size: unknown = noted?.size;
// @ts-expect-error: a text has no parts
cars.list({ fields: ["plate.x"] }).catch(() => null);
const odd = client.from('yard."a.b""; export const y = 1; //"');
const oddRow = (await odd.create({ constructor: 1, ["__proto__"]: "p", "x y": 2 })).row;
const proto: string | null | undefined = (await odd.get(1)).row["__proto__"];
const sums = await cars.aggregate({ aggregate: ["count", "sum(price)"], groupBy: ["state"] });
const count: number = sums.rows[0]?.count ?? 0;
console.log(JSON.stringify({ price, boss, numbers, prices: prices.rows, state, read: read.row, size, x: oddRow?.["x y"], proto, count }));
`;

let environment: TestEnvironment;
let token: string;
let session: string;
let folder: string;
beforeAll(async () => {
  environment = await startTestEnvironment();
  const { database } = environment.test;
  for (const statement of statements) await database.query(statement);
  const tables = await database.query<{ name: string }>(
    "select relation_name as name from system.resources where schema_name = 'yard'",
  );
  for (const { name } of tables) {
    await expose(database, "yard", name, "GET", ...(name === "prices" ? [] : ["POST", "PATCH"]));
  }
  const admin = await createUser(database, "grace@example.com", "Administrators");
  token = (await createToken(database, admin.id, "api")).secret;
  session = admin.secret;
  folder = await mkdtemp(join(root, "apps/cli/.types-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await environment.stop();
});

/** Creates a user with a role for each of these grants on `yard.people`, and returns a token. */
async function tokenOf(name: string, ...grants: readonly Omit<Grant, "roleId" | "resourceId">[]) {
  const { database } = environment.test;
  const { admin } = createClient({ url: environment.url, session });
  const { data: resources } = await admin.get("/resources", { query: { search: "people" } });
  const resourceId = resources[0]?.id ?? "";
  const roles = grants.map((_grant, index) => `${name} ${index}`);
  for (const [index, grant] of grants.entries()) {
    const roleId = await createRole(database, roles[index] ?? "");
    await admin.post("/grants", { data: { roleId, resourceId, ...grant } });
  }
  const user = await createUser(database, `${name}@example.com`, ...roles);
  return (await createToken(database, user.id, "api")).secret;
}

const typesOf = async (as: string) => {
  const { stdout, stderr } = await runCli(["types", "--url", environment.url, "--token", as]);
  expect(stderr).toBe("");
  return stdout;
};

describe("rowhouse types", () => {
  it("writes one file, with which a program compiles under strict and runs", async () => {
    const out = join(folder, "resources.ts");
    const ended = await runCli(["types", "--out", out], {
      ROWHOUSE_URL: environment.url,
      ROWHOUSE_TOKEN: token,
    });
    expect(ended).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await readFile(out, "utf8")).not.toMatch(/^export const/m);
    await writeFile(join(folder, "program.ts"), program);
    const compilerOptions = {
      ...{
        target: "ES2023",
        lib: ["ES2023", "ES2024.String"],
        module: "NodeNext",
        strict: true,
        noUncheckedIndexedAccess: true,
      },
      ...{ exactOptionalPropertyTypes: true, allowImportingTsExtensions: true, noEmit: true },
      ...{ skipLibCheck: false, types: ["node"], customConditions: ["rowhouse-source"] },
    };
    const config = { compilerOptions, files: ["program.ts"] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    const compiler = join(root, "node_modules/.bin/tsc");
    const compiled = await run(compiler, ["--project", folder, "--pretty", "false"]).catch(
      (error: { readonly stdout: string }) => error,
    );
    expect(compiled.stdout).toBe("");
    const argv = ["--conditions=rowhouse-source", "--import", "tsx", join(folder, "program.ts")];
    const { stdout } = await run(process.execPath, [...argv, environment.url, token]);
    expect(JSON.parse(stdout)).toEqual({
      price: "12.50",
      size: { w: null },
      boss: "Ada",
      numbers: [],
      prices: [{ price: "12.50" }],
      state: 'SOLD "as is"',
      read: { car: { plate: "B" } },
      x: 2,
      proto: "p",
      count: 1,
    });
  });

  it("describes what the caller may do and nothing else", async () => {
    const reader = await tokenOf("reader", { action: "READ", fields: ["id", "name"] });
    expect(await typesOf(reader)).toMatchInlineSnapshot(`
      "// Written by \`rowhouse types\`. Run it again after a change of tables, exposure or grants.

      /** The resources of one caller, for \`createClient<Resources>\`. */
      export interface Resources {
        "yard.people": YardPeople;
      }

      export interface YardPeople {
        Kind: "table";
        Row: {
          /** \`integer\` */
          id: number;
          /** \`text\` */
          name: string;
        };
        New: never;
        Change: never;
        Exact: never;
        Key: string | number | bigint;
        Relations: {
          boss: ["one", "yard.people"];
          people: ["many", "yard.people"];
        };
      }
      "
    `);
  });

  it("marks a field as optional that is hidden in some rows", async () => {
    const rowFilter = { id: { _eq: 1 } };
    const clerk = await tokenOf(
      "clerk",
      { action: "READ", fields: ["id", "name"] },
      { action: "READ", fields: ["phone"], rowFilter },
    );
    expect(await typesOf(clerk)).toContain("phone?: string | null;");
  });

  it("returns the key alone for a written row that the caller may not read", async () => {
    const writer = await tokenOf("writer", { action: "CREATE" });
    const text = await typesOf(writer);
    expect(text).toContain("Row: Record<never, never>;");
    expect(text).toMatch(/Written: \{[^;]*id: number;\s+\};/);
  });

  it("writes the same file again for the same document", async () => {
    expect(await typesOf(token)).toBe(await typesOf(token));
  });
});

describe("an error", () => {
  it.each([
    [
      [],
      "rowhouse: A command is missing; the commands are pull, plan, apply, drift, secret set, types, mcp, files move, backup and restore.\n",
    ],
    [
      ["serve"],
      "rowhouse: Unknown command; the commands are pull, plan, apply, drift, secret set, types, mcp, files move, backup and restore.\n",
    ],
    [["types"], "rowhouse: --url or ROWHOUSE_URL is required.\n"],
    [["types", "--url", "x"], "rowhouse: --token or ROWHOUSE_TOKEN is required.\n"],
    [
      ["types", "--url", "x", "--token", "t"],
      "rowhouse: url must be an http or https URL without user, query and fragment.\n",
    ],
    [
      ["types", "--folder", "x"],
      "rowhouse: Unknown option '--folder'; the options are --url, --token, --out, --from, --to, --for and --without-secret.\n",
    ],
  ])("of the arguments %j is one sentence, with exit code 1", async (args, message) => {
    expect(await runCli(args)).toEqual({ code: 1, stdout: "", stderr: message });
  });

  it("of the service is one sentence without the token", async () => {
    const { url } = environment;
    const port = await findFreePort();
    const rejected = await runCli(["types", "--url", url, "--token", "rhp_WRONG"]);
    expect(rejected).toEqual({
      code: 1,
      stdout: "",
      stderr: "rowhouse: Authentication required: AUTHENTICATION_REQUIRED.\n",
    });
    const closed = await runCli([
      "types",
      "--url",
      `http://127.0.0.1:${port}`,
      "--token",
      "rhp_WRONG",
    ]);
    expect(closed.code).toBe(1);
    expect(closed.stderr).toMatch(
      /^rowhouse: The service did not respond \(connect ECONNREFUSED .*\): NETWORK_ERROR\.\n$/,
    );
  });

  it("of a server that is not the service is one sentence", async () => {
    const server = createServer((_request, response) => response.end('{"data": []}'));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const ended = await runCli(["types", "--url", `http://127.0.0.1:${port}`, "--token", "t"]);
    server.close();
    expect(ended).toMatchObject({
      code: 1,
      stderr: "rowhouse: The service has no OpenAPI document.\n",
    });
  });

  it("of the file is one sentence", async () => {
    const out = join(folder, "missing/resources.ts");
    const ended = await runCli(["types", "--url", environment.url, "--token", token, "--out", out]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/^rowhouse: The file cannot be written: ENOENT.*\.\n$/);
  });
});

it("rowhouse --help prints the usage", async () => {
  expect(await runCli(["--help"])).toMatchObject({ code: 0, stderr: "" });
});
