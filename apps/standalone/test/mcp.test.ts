// Tiers: usual, topologies.
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
      ["FIELD_UNKNOWN", "/where/nope"],
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

describe("a call that the protocol's library does not have to answer", () => {
  const readThings = {
    name: "read_rows",
    arguments: { schema: "public", name: "things", limit: 3 },
  };
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  type Sent = {
    headers: Record<string, string>;
    message: Record<string, unknown>;
    params: Record<string, unknown>;
  };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call" };
  const stateless = (): Sent => ({
    headers: {
      ...{ ...json, ...accept, "MCP-Protocol-Version": "2026-07-28" },
      ...{ "Mcp-Method": "tools/call", "Mcp-Name": "read_rows" },
    },
    message,
    params: { ...readThings, _meta: envelope },
  });
  const session = (): Sent => ({
    headers: { ...json, ...accept, "MCP-Protocol-Version": "2025-11-25" },
    message,
    params: readThings,
  });
  const header = (name: string, value: string | undefined) => (sent: Sent) => {
    const { [name]: _, ...rest } = sent.headers;
    return { ...sent, headers: value === undefined ? rest : { ...rest, [name]: value } };
  };
  const inMessage = (members: object) => (sent: Sent) => ({
    ...sent,
    message: { ...sent.message, ...members },
  });
  const inParams = (members: object) => (sent: Sent) => ({
    ...sent,
    params: { ...sent.params, ...members },
  });
  const inMeta = (members: object) => (sent: Sent) =>
    inParams({ _meta: { ...(sent.params._meta as object | undefined), ...members } })(sent);
  const unchanged = (sent: Sent) => sent;
  const named = (name: string) => (sent: Sent) =>
    inParams({ name })("Mcp-Name" in sent.headers ? header("Mcp-Name", name)(sent) : sent);
  const changes: Record<string, (sent: Sent) => Sent> = {
    nothing: unchanged,
    "invalid arguments": inParams({ arguments: { schema: "public", extra: 1 } }),
    "no arguments": inParams({ arguments: undefined }),
    "arguments that are no object": inParams({ arguments: [1] }),
    "arguments that are null": inParams({ arguments: null }),
    "a hidden resource": inParams({ arguments: { schema: "public", name: "nothing" } }),
    "a tool that is not offered": named("create_rows"),
    "an unknown tool": named("nothing"),
    "a text as id": inMessage({ id: 'a"b' }),
    "a fraction as id": inMessage({ id: 1.5 }),
    "null as id": inMessage({ id: null }),
    "no id": inMessage({ id: undefined }),
    "another version of JSON-RPC": inMessage({ jsonrpc: "1.0" }),
    "another member": inMessage({ extra: 1 }),
    "a name that is a number": inParams({ name: 1 }),
    "a token of progress": inMeta({ progressToken: "a" }),
    "a token of progress that is an object": inMeta({ progressToken: {} }),
    "text as _meta": inParams({ _meta: "a" }),
    "another member of _meta": inMeta({ "example.com/a": 1 }),
    "a client without a name": inMeta({ "io.modelcontextprotocol/clientInfo": {} }),
    "an unknown revision": inMeta({ "io.modelcontextprotocol/protocolVersion": "2031-01-01" }),
    "no type of content": header("Content-Type", undefined),
    "another type of content": header("Content-Type", "text/plain"),
    "a type of content with a charset": header("Content-Type", "application/json; charset=utf-8"),
    "no accepted types": header("Accept", "*/*"),
    "one accepted type": header("Accept", "application/json"),
    "no header of the revision": header("MCP-Protocol-Version", undefined),
    "a header of the other revision": header("MCP-Protocol-Version", "2025-06-18"),
    "a header of an unknown revision": header("MCP-Protocol-Version", "2031-01-01"),
    "no header of the method": header("Mcp-Method", undefined),
    "a header of another method": header("Mcp-Method", "tools/list"),
    "no header of the name": header("Mcp-Name", undefined),
    "a header of another name": header("Mcp-Name", "run_sql"),
    "an encoded header of the name": header("Mcp-Name", "=?base64?cmVhZF9yb3dz?="),
  };
  const cases = Object.entries(changes).flatMap(([change, make]) => [
    { revision: "2026-07-28", change, sent: make(stateless()) },
    { revision: "2025-11-25", change, sent: make(session()) },
  ]);

  it.each(cases)("has the same answer with $change in $revision", async ({ sent }) => {
    const post = async (params: object) => {
      const { headers } = sent;
      const raw = JSON.stringify({ ...sent.message, params });
      const answer = await environment.ask("POST", "/mcp", { as: token, raw, headers });
      return [answer.status, answer.text.replace(answer.headers.get("x-request-id") ?? "", "")];
    };
    // The library ignores an unknown member, and only the library answers a call with one.
    expect(await post(sent.params)).toEqual(await post({ ...sent.params, unknown: true }));
  });
});
