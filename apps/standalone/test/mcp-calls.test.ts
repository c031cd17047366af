// Tiers: usual, topologies.
import { createToken } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { callTool, connectMcp } from "./mcp-client.ts";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let environment: TestEnvironment;
let token: { readonly id: string; readonly secret: string };
beforeAll(async () => {
  environment = await openTestEnvironment();
  token = await createToken(environment.test.database, environment.member.id, "api");
  await environment.set("mcp.enabled", true);
});
afterAll(() => environment.stop());

const recorded = async (query: string) => {
  await environment.settle();
  const answer = await environment.ask("GET", `/admin/api/mcp/calls?${query}`, {
    as: environment.admin.secret,
  });
  return answer.body.data;
};

it("the calls of a client are recorded with person, tool and outcome, without arguments and values", async () => {
  const client = await connectMcp(environment, token.secret);
  await client.listTools();
  const where = { title: { _eq: "a very private title" } };
  await callTool(client, "read_rows", { schema: "public", name: "things", where });
  await callTool(client, "read_rows", { schema: "public", name: "no_such_things" });
  const calls = await recorded(`tokenId=${token.id}&limit=1000`);
  expect(calls).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        ...{ userId: environment.member.id, clientName: "test-client", method: "tools/call" },
        ...{ tool: "read_rows", outcome: "REFUSED", code: "NOT_FOUND" },
        resource: "public.no_such_things",
      }),
      expect.objectContaining({ method: "tools/list", tool: null, outcome: "SUCCEEDED" }),
    ]),
  );
  expect(JSON.stringify(calls)).not.toContain("private");
});

it("a request without a valid token is recorded nowhere", async () => {
  const before = await recorded("limit=1000");
  const body = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const headers = { Accept: "application/json, text/event-stream" };
  for (const as of [undefined, environment.member.secret, "rhp_nonsense"]) {
    const answer = await environment.ask("POST", "/mcp", { as, body, headers });
    expect(answer.status).toBe(401);
  }
  expect(await recorded("limit=1000")).toEqual(before);
});
