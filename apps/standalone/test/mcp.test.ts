import { createToken } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callTool, connectMcp, type Revision } from "./mcp-client.ts";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

const revisions: readonly Revision[] = ["2026-07-28", "2025-11-25"];

let environment: TestEnvironment;
let token: string;
beforeAll(async () => {
  environment = await openTestEnvironment();
  const { database } = environment.test;
  token = (await createToken(database, environment.member.id, "api")).secret;
  await database.query(
    "insert into public.things select n, 'thing ' || n from generate_series(2, 30) n",
  );
  await environment.set("mcp.enabled", true);
});
afterAll(() => environment.stop());

const json = { "Content-Type": "application/json" };
const accept = { Accept: "application/json, text/event-stream" };
const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

describe("the address of the MCP server", () => {
  it("does not exist while mcp.enabled is false, with and without a credential", async () => {
    await environment.set("mcp.enabled", false);
    for (const method of ["GET", "POST", "DELETE"]) {
      for (const as of [token, environment.member.secret, undefined]) {
        const answer = await environment.ask(method, "/mcp", { as });
        const unknown = await environment.ask(method, "/mcp-nothing", { as });
        expect([method, answer.status, answer.text]).toEqual([method, 404, unknown.text]);
      }
    }
    await environment.set("mcp.enabled", true);
  });

  it("supports POST only", async () => {
    for (const method of ["GET", "DELETE"]) {
      const answer = await environment.ask(method, "/mcp", { as: token });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    }
  });

  it("refuses a session and a missing token, and names the metadata only for OAuth", async () => {
    for (const as of [environment.member.secret, undefined, "rhp_nonsense"]) {
      const answer = await environment.ask("POST", "/mcp", { as, body: list, headers: accept });
      expect([answer.status, answer.faults]).toEqual([401, ["AUTHENTICATION_REQUIRED"]]);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    }
    await environment.set("mcp.oauth", true);
    const answer = await environment.ask("POST", "/mcp", { body: list, headers: accept });
    expect(answer.headers.get("www-authenticate")).toMatch(
      /^Bearer resource_metadata="https:\/\/[^"]+\/\.well-known\/oauth-protected-resource\/mcp"$/,
    );
    await environment.set("mcp.oauth", false);
  });

  it("refuses a page of an origin that is not permitted", async () => {
    const from = (Origin: string) =>
      environment.ask("POST", "/mcp", { as: token, body: list, headers: { ...accept, Origin } });
    expect((await from("https://evil.example")).status).toBe(403);
    await environment.set("security.cors_origins", ["https://tools.example"]);
    expect((await from("https://tools.example")).status).toBe(200);
    expect((await from("https://tools.example.evil")).status).toBe(403);
    await environment.set("security.cors_origins", []);
    expect((await from("https://tools.example")).status).toBe(403);
  });

  it("answers a body that is not JSON, a batch and an unknown method by errors of the protocol", async () => {
    const send = (raw: string) =>
      environment.ask("POST", "/mcp", { as: token, raw, headers: { ...json, ...accept } });
    const codes = [];
    for (const raw of ["{", JSON.stringify([list]), JSON.stringify({ ...list, method: "x/y" })]) {
      codes.push((await send(raw)).body.error.code);
    }
    expect(codes).toEqual([-32_700, -32_600, -32_601]);
  });
});

describe.each(revisions)("a client of revision %s", (revision) => {
  it("lists the tools that read, with closed schemas", async () => {
    const client = await connectMcp(environment, token, revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).slice(0, 2)).toEqual(["search_resources", "read_rows"]);
    for (const { inputSchema, annotations } of tools) {
      expect([inputSchema.additionalProperties, annotations?.readOnlyHint]).toEqual([false, true]);
    }
    await client.close();
  });

  it("finds a resource and reads its rows page by page", async () => {
    const client = await connectMcp(environment, token, revision);
    const found = await callTool(client, "search_resources", { query: "thing" });
    expect(found.content.data).toEqual([{ schema: "public", name: "things" }]);
    const described = await callTool(client, "search_resources", { name: "things" });
    expect(described.content.data[0].fields).toEqual([
      { name: "id", type: "integer" },
      { name: "name", type: "text", nullable: true },
    ]);
    const things = { schema: "public", name: "things" };
    const first = await callTool(client, "read_rows", { ...things, limit: 2, count: true });
    expect([first.content.data.length, first.content.count]).toEqual([2, 30]);
    const { nextCursor } = first.content;
    const next = await callTool(client, "read_rows", { ...things, limit: 2, cursor: nextCursor });
    expect(next.content.data.map(({ id }: { id: number }) => id)).toEqual([3, 4]);
    const one = await callTool(client, "read_rows", { ...things, key: ["7"], fields: ["name"] });
    expect(one.content.data).toEqual([{ name: "thing 7" }]);
    await client.close();
  });

  it("gets refusals as results with the path of the fault, and unknown tools as errors", async () => {
    const client = await connectMcp(environment, token, revision);
    const things = { schema: "public", name: "things" };
    const faultsOf = async (name: string, input: Record<string, unknown>) => {
      const { isError, content } = await callTool(client, name, input);
      expect(isError).toBe(true);
      return content.errors.map(({ code, path }: { code: string; path?: string }) => [code, path]);
    };
    expect(await faultsOf("read_rows", { ...things, where: { nope: { _eq: 1 } } })).toEqual([
      ["FIELD_UNKNOWN", "/where/nope/_eq"],
    ]);
    expect(await faultsOf("read_rows", { ...things, orderBy: ["nope"] })).toEqual([
      ["FIELD_UNKNOWN", "/orderBy"],
    ]);
    expect(await faultsOf("read_rows", { schema: 1, nope: 2 })).toEqual([
      ["BODY_INVALID", "/schema"],
      ["BODY_INVALID", "/name"],
      ["BODY_INVALID", "/nope"],
    ]);
    expect(await faultsOf("read_rows", { ...things, key: ["99"] })).toEqual([
      ["NOT_FOUND", undefined],
    ]);
    await expect(callTool(client, "nope")).rejects.toThrow(/Unknown tool: nope/);
    await expect(callTool(client, "delete_rows", things)).rejects.toThrow(/Unknown tool/);
    await client.close();
  });
});
