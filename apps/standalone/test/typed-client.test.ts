// Tiers: long, topologies. Compiles programs.
import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openDatabase } from "@rowhouse/db";
import {
  documentFaults,
  loadChinook,
  signIn,
  startTestEnvironment,
  type TestEnvironment,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "./client.ts";

// The documents support generated clients: a generator makes types of them, a program uses these types, is compiled
// under `strict`, and runs against the service.

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));
const home = join(root, "infra/checks/typed-client");
const clerk = { email: "clerk@example.com", password: "another horse battery staple" };
const exposed: Record<string, string[]> = {
  customer: ["GET", "POST", "PATCH"],
  invoice: ["GET"],
  artist: ["GET"],
  employee: ["GET"],
  playlist: ["GET"],
  playlist_track: ["GET"],
  track: ["GET"],
};

let environment: TestEnvironment;
let client: Client;
let admin: string;
let role: string;
let folder: string;

const administer = async (method: string, path: string, data?: unknown) =>
  (
    await client.ask(method, `/admin/api${path}`, {
      as: admin,
      ...(data === undefined ? {} : { body: { data } }),
    })
  ).body.data;

beforeAll(async () => {
  environment = await startTestEnvironment();
  const { ownerUrl: url } = environment.test;
  const database = openDatabase({ url, applicationName: "another-client", connectionsMax: 1 });
  await loadChinook(database);
  await database.close();
  client = createClient(environment);
  admin = await client.signIn(signIn);
  await createClerk();
  folder = await mkdtemp(join(home, ".run-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await environment.stop();
});

/**
 * Canada's clerk: reads the catalogue of sales and edits the customers of Canada, with fields, filter and a preset.
 */
async function createClerk(): Promise<void> {
  role = (await administer("POST", "/roles", { name: "Canada" })).id;
  const user = await administer("POST", "/users", clerk);
  await administer("POST", `/roles/${role}/members`, { userId: user.id });
  const grant = (resourceId: string, action: string, terms: object = {}) =>
    administer("POST", "/grants", { roleId: role, resourceId, action, ...terms });
  const rowFilter = { country: { _eq: "Canada" } };
  for (const { id, name } of await administer("GET", "/resources?schema=public")) {
    if (exposed[name] === undefined) continue;
    await administer("PATCH", `/resources/${id}`, { exposedMethods: exposed[name] });
    if (name !== "customer") {
      await grant(
        id,
        "READ",
        name === "invoice" ? { rowFilter: { billing_country: { _eq: "Canada" } } } : {},
      );
      continue;
    }
    const fields = ["first_name", "last_name", "email"];
    await grant(id, "READ", { fields: ["customer_id", ...fields, "country"], rowFilter });
    await grant(id, "CREATE", { fields: [...fields, "country"], presets: { country: "Canada" } });
    await grant(id, "UPDATE", { fields, rowFilter });
  }
}

async function typesOf(name: string, path: string, as: string): Promise<void> {
  const { body } = await client.ask("GET", path, { as });
  expect(await documentFaults(body)).toEqual([]);
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(body));
  const generator = join(root, "infra/checks/node_modules/.bin/openapi-typescript");
  await run(generator, [file, "--output", join(folder, `${name}.d.ts`)]);
}

describe("the documents of the Chinook sample", () => {
  test("produce a typed client that compiles, reads and writes", async () => {
    await typesOf("admin", "/admin/api/openapi", admin);
    await typesOf("data", `/admin/api/openapi/data?role=${role}`, admin);
    await typesOf("own", "/api/openapi", await client.signIn(clerk));
    for (const file of ["shop.ts", "tsconfig.json"]) {
      await copyFile(join(home, file), join(folder, file));
    }
    const compiler = join(root, "node_modules/.bin/tsc");
    const compiled = await run(compiler, ["--project", folder]).catch(
      (error: { readonly stdout: string }) => error,
    );
    expect(compiled.stdout).toBe("");

    const argument = [environment.url, admin, clerk.email, clerk.password];
    const { stdout } = await run(process.execPath, [join(folder, "shop.js"), ...argument]);
    expect(JSON.parse(stdout)).toEqual({
      names: ["Robert", "Martha"],
      count: 7,
      totals: ["0.99", "1.98"],
      created: ["Ada", "Canada"],
      changed: 200,
      stale: "PRECONDITION_FAILED",
      entry: {
        playlist: { name: "Music" },
        track: { name: 'Band Members Discuss Tracks from "Revelations"' },
      },
      missing: "NOT_FOUND",
      roles: ["Canada"],
      made: "Made by a program",
      twice: "CONFLICT",
    });
  });
});
