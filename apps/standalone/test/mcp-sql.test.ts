// Tiers: usual, topologies.
import { createToken } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listTools, useTool } from "./mcp-call.ts";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let environment: TestEnvironment;
let token: string;
const sql = (text: string) =>
  environment.test.database.query<Record<string, string | number>>(text);

beforeAll(async () => {
  environment = await openTestEnvironment();
  token = (await createToken(environment.test.database, environment.admin.id, "admin")).secret;
  await environment.set("mcp.enabled", true);
});
afterAll(() => environment.stop());
beforeEach(async () => {
  await environment.set("mcp.allow_sql", true);
  await environment.set("sql_console.allow_api_tokens", true);
  await environment.set("mcp.access", "READ_WRITE");
  await environment.set("mcp.allow_deletes", true);
  await environment.set("mcp.max_result_bytes", 65_536);
});

const run = (text: string, more: object = {}) =>
  useTool(environment, token, "run_sql", { sql: text, ...more });

describe("run_sql", () => {
  it("exists only for a token of the admin plane, with both settings", async () => {
    const { database } = environment.test;
    const api = (await createToken(database, environment.admin.id, "api")).secret;
    expect(await listTools(environment, token)).toContain("run_sql");
    expect(await listTools(environment, api)).not.toContain("run_sql");
    for (const key of ["mcp.allow_sql", "sql_console.allow_api_tokens"]) {
      await environment.set(key, false);
      expect(await listTools(environment, token)).not.toContain("run_sql");
      expect((await run("select 1")).faults).toEqual(["Unknown tool: run_sql"]);
      await environment.set(key, true);
    }
    expect((await useTool(environment, api, "run_sql", { sql: "select 1" })).faults).toEqual([
      "Unknown tool: run_sql",
    ]);
  });

  it("returns exact values, binds parameters, and is read-only by default", async () => {
    const { content, text } = await run(
      "select 12345678901234567890::numeric as n, '{\"b\":1.00000000000000000001}'::json as j, $1::int as one",
      { parameters: [7] },
    );
    expect(content.data.results[0].rows[0]).toEqual(["12345678901234567890", { b: 1 }, 7]);
    expect(text).toContain("1.00000000000000000001");
    const write = "insert into public.things values (50, 'x')";
    expect((await run(write)).faults).toEqual(["SQL_FAILED /sql"]);
    expect((await run(`${write}; commit`)).faults).toEqual(["BODY_INVALID /sql"]);
    expect(await sql("select id from public.things")).toEqual([{ id: 1 }]);
  });

  it("writes with READ_WRITE and allow_deletes only, and records the token", async () => {
    const write = "update public.things set name = 'by sql'";
    for (const [key, value, back] of [
      ["mcp.access", "READ_ONLY", "READ_WRITE"],
      ["mcp.allow_deletes", false, true],
    ] as const) {
      await environment.set(key, value);
      expect((await run(write, { readOnly: false })).faults).toEqual(["ACTION_DENIED /readOnly"]);
      await environment.set(key, back);
    }
    expect((await run(write, { readOnly: false })).content.data.results[0].rowCount).toBe(1);
    expect(await sql("select name from public.things")).toEqual([{ name: "by sql" }]);
    const [entry] = await sql(
      "select (actor_token_id is not null)::text as has_token from system.audit_log where action = 'sql.write' order by id desc limit 1",
    );
    expect(entry).toEqual({ has_token: "true" });
  });

  it("bounds its result, and says how to go on", async () => {
    await environment.set("mcp.max_result_bytes", 4096);
    const { content } = await run(
      "select n, repeat(chr(1), 100) as t from generate_series(1, 500) n",
    );
    expect(content).toMatchObject({ truncated: true, hint: expect.any(String) });
    expect(content.data.results[0].truncated).toBe(true);
    expect(JSON.stringify(content.data).length).toBeLessThanOrEqual(4096);
    const one = await run("select 1 as one; select 2 as two");
    expect(one.content.truncated).toBeUndefined();
    expect(one.content.data.results).toHaveLength(2);
  });
});
