// Tier: long. Installs generators and runs them.
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createRole,
  createUser,
  documentFaults,
  expose,
  startTestEnvironment,
  type TestEnvironment,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { nodeOf, root, run } from "./archives.ts";

// A user's project with the usual generators, installed by npm in a folder of its own: each generates a client from the
// document of a role, and the same program is compiled with it and runs against the service.

const home = join(root, "infra/checks/generated-clients");
const schema = "Shop floor";
const exposed: Readonly<Record<string, readonly string[]>> = {
  orders: ["GET", "POST", "PATCH"],
  order_lines: ["GET", "POST"],
  open_orders: ["GET"],
  rates: ["GET"],
  journal: ["POST"],
  stock: ["GET", "POST", "PATCH", "DELETE"],
  // Generators give these the names of others.
  stocK: ["GET", "POST"],
  order: ["GET", "POST"],
  orders_list: ["GET", "POST"],
  "my table! {1}": ["GET", "POST", "PATCH", "DELETE"],
};

let environment: TestEnvironment;
let clerk: TestUser;
let folder: string;
let node: string | undefined;

beforeAll(async () => {
  environment = await startTestEnvironment();
  const { database } = environment.test;
  for (const statement of [
    'create schema "Shop floor"',
    `create type "Shop floor"."order state" as enum ('open', 'in progress', 'done!')`,
    `create table "Shop floor".orders (tenant int, no int, state "Shop floor"."order state" not null default 'open',
       tags text[], marks int[] not null default '{}', facts jsonb, price numeric(10,2), total bigint, placed timestamptz
       not null default now(), "due-on" date, "class" text, "a.b" text, span int4range, primary key (tenant, no))`,
    `comment on table "Shop floor".orders is 'Orders */ of a tenant'`,
    `create table "Shop floor".order_lines (id bigint generated always as identity primary key, tenant int not null,
       no int not null, "2nd name" text not null, foreign key (tenant, no) references "Shop floor".orders)`,
    `create view "Shop floor".open_orders as select tenant, no, state from "Shop floor".orders where state = 'open'`,
    'create table "Shop floor".rates (id int primary key, rate numeric)',
    'create table "Shop floor".journal (id bigint generated always as identity primary key, text text not null)',
    `create table "Shop floor".stock (site text, code uuid, no int, at date, n float8 not null default 0,
       primary key (site, code, no, at))`,
    'create table "Shop floor"."stocK" (id int primary key, z text)',
    'create table "Shop floor"."order" (id int primary key, "delete" text)',
    'create table "Shop floor".orders_list (id int primary key, order_id int references "Shop floor"."order")',
    'create table "Shop floor"."my table! {1}" ("key/1" text primary key, "__proto__" text, constructor text, "?" int)',
  ]) {
    await database.query(statement);
  }
  const role = await createRole(database, "Clerks");
  for (const [name, methods] of Object.entries(exposed)) {
    await expose(database, schema, name, ...methods);
  }
  await database.query(
    `insert into system.grants (role_id, resource_id, action, all_fields)
     select $1::text::uuid, r.id, a.action, true from system.resources r
     cross join (values ('READ'), ('CREATE'), ('UPDATE'), ('DELETE')) a (action)
     where r.schema_name = $2::text and (r.kind = 'TABLE' or a.action = 'READ')`,
    [role, schema],
  );
  clerk = await createUser(database, "clerk@example.com", "Clerks");
  const admin = await createUser(database, "other@example.com", "Administrators");
  folder = await mkdtemp(join(tmpdir(), "rowhouse-generated-"));
  await cp(home, folder, { recursive: true });
  await keep("data.json", `/admin/api/openapi/data?role=${role}`, admin);
  await keep("files.json", `/admin/api/openapi/data?role=${role}&exports=true`, admin);
  await keep("own.json", "/api/openapi", clerk);
  await keep("admin.json", "/admin/api/openapi", admin);
  await keep("app.json", "/app/api/openapi", admin);
  await run("npm", ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder,
  });
  // The current generators need a newer version than the oldest one that the service runs on.
  node = await nodeOf("24");
}, 600_000);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await environment.stop();
});
beforeEach(async () => {
  await environment.test.database.query('truncate "Shop floor".orders cascade');
});

async function keep(file: string, path: string, { secret }: TestUser): Promise<void> {
  const answer = await fetch(environment.url + path, {
    headers: { Authorization: `Bearer ${secret}` },
  });
  expect(answer.status, path).toBe(200);
  await writeFile(join(folder, file), await answer.text());
}

const documents = ["data.json", "files.json", "own.json", "admin.json", "app.json"];
const env = () => ({ ...process.env, SERVICE_URL: environment.url });

it("the documents have no findings of four validators", async (context) => {
  if (node === undefined) return context.skip("npm cannot load node@24");
  const { stdout } = await run(node, ["validate.mjs", ...documents], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual([]);
  for (const file of documents) {
    const text = await readFile(join(folder, file), "utf8");
    expect(await documentFaults(JSON.parse(text)), file).toEqual([]);
  }
});

const created = { tenant: 7, no: 1, tags: ["a,b", "c"], facts: { seats: 4 }, price: "12.50" };

describe.each([
  ["openapi-typescript with openapi-fetch", "use-openapi-fetch", "openapi-typescript"],
  ["@hey-api/openapi-ts", "use-hey-api", "@hey-api/openapi-ts"],
  ["orval", "use-orval", "orval"],
])("%s", (_name, program, generator) => {
  it("generates a client that compiles under strict, lists, filters, creates and updates", async (context) => {
    if (node === undefined) return context.skip("npm cannot load node@24");
    const { bin } = JSON.parse(
      await readFile(join(folder, "node_modules", generator, "package.json"), "utf8"),
    ) as { readonly bin: Readonly<Record<string, string>> };
    const [command = ""] = Object.values(bin);
    const options =
      generator === "openapi-typescript" ? ["data.json", "-o", "openapi-typescript.d.ts"] : [];
    const script = join("node_modules", generator, command);
    await run(node, [script, ...options], { cwd: folder, env: env() });
    const config = { extends: "./tsconfig.json", include: [`${program}.ts`] };
    await writeFile(join(folder, `${program}.json`), JSON.stringify(config));
    const compiled = await run("node_modules/.bin/tsc", ["-p", `${program}.json`], {
      cwd: folder,
    }).catch((error: { readonly stdout: string }) => error);
    expect(compiled.stdout).toBe("");

    const { stdout } = await run(node, [`${program}.js`, environment.url, clerk.secret], {
      cwd: folder,
    });
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      created: { ...created, state: "open", total: null },
      more: [2, 1],
      line: 201,
      grouped: [{ state: "open", count: 2, sum_price: "15.50" }],
      changed: "done!",
      read: { state: "done!" },
      all: 1,
      viewed: [],
      wrong: ["QUERY_INVALID where"],
    });
    expect(report.listed.meta).toEqual({ count: 2 });
    expect(report.listed.data).toMatchObject([
      { tenant: 8, no: 1, tags: null, order_lines: [] },
      { tenant: 7, no: 1, tags: ["a,b", "c"], order_lines: [{ "2nd name": "bolt & nut" }] },
    ]);
    const rows = await environment.test.database.query(
      'select tenant, no, state, price from "Shop floor".orders order by tenant, no',
    );
    expect(rows.map((row) => Object.values(row).join(" "))).toEqual([
      "7 1 done! 12.50",
      "7 2 in progress 1.20",
      "8 1 open 4.75",
    ]);
  }, 300_000);
});
