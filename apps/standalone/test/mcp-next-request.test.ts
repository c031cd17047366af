// Tiers: usual, topologies.
import { createToken, expose, runAs, type TestToken } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useTool } from "./mcp-call.ts";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// What is revoked between two calls is refused by the second one, through every tool. Another client of the database
// revokes it, so no process is notified.

let environment: TestEnvironment;
let member: TestToken;
let admin: TestToken;
const sql = (text: string) => environment.test.database.query<Record<string, string>>(text);
const asAdmin = (text: string) => runAs(environment.test.database, environment.admin.id, text);

const settings = {
  ...{ "mcp.enabled": true, "mcp.access": "READ_WRITE", "mcp.allow_deletes": true },
  ...{ "mcp.allow_workflows": true, "mcp.allow_sql": true, "sql_console.allow_api_tokens": true },
} as const;

beforeAll(async () => {
  environment = await openTestEnvironment();
  await sql(
    `create table trips (id int primary key, note text);
     insert into trips select n, 'note ' || n from generate_series(1, 50) n;
     insert into system.roles (name) values ('Drivers')`,
  );
  await expose(environment.test.database, "public", "trips", "GET", "POST", "PATCH", "DELETE");
});
afterAll(() => environment.stop());

let created = 100;
const trips = { schema: "public", name: "trips" };
const change = { where: { id: { _eq: 1 } }, maxAffected: 1, dryRun: true };

/** A call of each tool by a member that succeeds with its grants, with the action that it needs. */
const calls = {
  read_rows: () => ({ ...trips, limit: 1 }),
  aggregate_rows: () => ({ ...trips, aggregate: ["count"] }),
  create_rows: () => {
    created += 1;
    return { ...trips, rows: [{ id: created, note: "x" }], idempotencyKey: `key-${created}` };
  },
  update_rows: () => ({ ...trips, ...change, values: { note: "x" } }),
  delete_rows: () => ({ ...trips, ...change }),
} as const;
type Tool = keyof typeof calls;
const tools = Object.keys(calls) as Tool[];
const actions: Readonly<Record<Tool, string>> = {
  ...{ read_rows: "READ", aggregate_rows: "READ", create_rows: "CREATE" },
  ...{ update_rows: "UPDATE", delete_rows: "DELETE" },
};

const use = (tool: Tool, token: TestToken = member) =>
  useTool(environment, token.secret, tool, calls[tool]());
const outcome = async (tool: Tool) => {
  const { status, isError, faults } = await use(tool);
  return status === 200 && !isError && faults.length === 0 ? "OK" : (faults[0] ?? String(status));
};

beforeEach(async () => {
  const { database } = environment.test;
  for (const [key, value] of Object.entries(settings)) await environment.set(key, value);
  await sql(
    `update system.users set active = true where email = 'member@example.com';
     update system.resources set exposed_methods = '{GET,POST,PATCH,DELETE}' where relation_name = 'trips';
     delete from system.grants where role_id = (select id from system.roles where name = 'Drivers');
     insert into system.grants (role_id, resource_id, action, all_fields)
       select r.id, s.id, action, true from system.roles r, system.resources s, unnest('{READ,CREATE,UPDATE,DELETE}'::text[]) action
       where r.name = 'Drivers' and s.relation_name = 'trips'`,
  );
  await asAdmin(
    `insert into system.role_members (role_id, user_id) select r.id, '${environment.member.id}' from system.roles r
     where r.name = 'Drivers' on conflict do nothing`,
  );
  member = await createToken(database, environment.member.id, "api");
  admin = await createToken(database, environment.admin.id, "admin");
});

describe.each(tools)("%s", (tool) => {
  it.each([
    [
      "its grant",
      () =>
        sql(
          `delete from system.grants g using system.roles r where r.id = g.role_id and r.name = 'Drivers' and g.action = '${actions[tool]}'`,
        ),
    ],
    [
      "the role",
      () =>
        asAdmin(
          "delete from system.role_members where role_id = (select id from system.roles where name = 'Drivers')",
        ),
    ],
    [
      "the exposure",
      () => sql("update system.resources set exposed_methods = '{}' where relation_name = 'trips'"),
    ],
  ])("is refused at once without %s", async (_, revoke) => {
    expect(await outcome(tool)).toBe("OK");
    await revoke();
    expect(await outcome(tool)).toMatch(/^(?:NOT_FOUND|ACTION_DENIED|METHOD_NOT_ALLOWED)/);
  });

  it.each([
    ["token", () => sql(`update system.tokens set revoked_at = now() where id = '${member.id}'`)],
    [
      "account",
      () => asAdmin("update system.users set active = false where email = 'member@example.com'"),
    ],
  ])("is 401 at once after the end of the %s", async (_, end) => {
    expect(await outcome(tool)).toBe("OK");
    await end();
    const { status, faults } = await use(tool);
    expect([status, faults]).toEqual([401, ["AUTHENTICATION_REQUIRED"]]);
  });

  it("is 404 at once after mcp.enabled is off", async () => {
    expect(await outcome(tool)).toBe("OK");
    await environment.set("mcp.enabled", false);
    expect(await use(tool)).toMatchObject({ status: 404, faults: ["NOT_FOUND"] });
  });
});

describe("a setting that is off", () => {
  it.each([
    ["create_rows", "mcp.access", "READ_ONLY"],
    ["update_rows", "mcp.access", "READ_ONLY"],
    ["delete_rows", "mcp.access", "READ_ONLY"],
    ["delete_rows", "mcp.allow_deletes", false],
  ] as const)("%s does not exist at once after %s is %s", async (tool, key, value) => {
    expect(await outcome(tool)).toBe("OK");
    await environment.set(key, value);
    expect(await outcome(tool)).toBe(`Unknown tool: ${tool}`);
  });

  it.each([
    ["mcp.allow_sql", false, "Unknown tool: run_sql"],
    ["sql_console.allow_api_tokens", false, "Unknown tool: run_sql"],
  ] as const)("run_sql does not exist at once after %s is %s", async (key, value, fault) => {
    const run = () => useTool(environment, admin.secret, "run_sql", { sql: "select 1" });
    expect((await run()).faults).toEqual([]);
    await environment.set(key, value);
    expect((await run()).faults).toEqual([fault]);
  });

  it("run_sql is 401 at once after the token is revoked", async () => {
    const run = () => useTool(environment, admin.secret, "run_sql", { sql: "select 1" });
    expect((await run()).faults).toEqual([]);
    await sql(`update system.tokens set revoked_at = now() where id = '${admin.id}'`);
    expect(await run()).toMatchObject({ status: 401, faults: ["AUTHENTICATION_REQUIRED"] });
  });
});

describe("what a caller may know", () => {
  it("search_resources and explain_access show no resource whose grants were just revoked", async () => {
    const search = async () => {
      const { content } = await useTool(environment, member.secret, "search_resources");
      return content.data.map(({ name }: { name: string }) => name);
    };
    const explain = () => useTool(environment, member.secret, "explain_access", trips);
    expect(await search()).toEqual(["things", "trips"]);
    expect((await explain()).faults).toEqual([]);
    await sql(
      "delete from system.grants g using system.roles r where r.id = g.role_id and r.name = 'Drivers'",
    );
    expect(await search()).toEqual(["things"]);
    const unknown = await useTool(environment, member.secret, "explain_access", {
      ...{ schema: "public", name: "nothing" },
    });
    expect((await explain()).faults).toEqual(unknown.faults);
  });
});
