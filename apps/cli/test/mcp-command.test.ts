// Tiers: long, topologies. One of the slowest; mcp-bridge.test.ts is in every run.
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createClient } from "@rowhouse/client";
import {
  createToken,
  createUser,
  expose,
  startTestEnvironment,
  type TestEnvironment,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// The official client starts `rowhouse mcp` as a person's agent does.
const root = fileURLToPath(new URL("../../../", import.meta.url));

let environment: TestEnvironment;
let token: string;
beforeAll(async () => {
  environment = await startTestEnvironment();
  const { database } = environment.test;
  await database.query(
    "create table public.parts (id bigint primary key, price numeric, notes jsonb)",
  );
  await database.query(
    `insert into public.parts values (9007199254740993, 1.10, '{"n": 12345678901234567890}')`,
  );
  await expose(database, "public", "parts", "GET");
  const admin = await createUser(database, "grace@example.com", "Administrators");
  token = (await createToken(database, admin.id, "api")).secret;
  await createClient({ url: environment.url, session: admin.secret }).admin.patch("/settings", {
    data: { "mcp.enabled": true },
  });
});
afterAll(() => environment?.stop());

async function start(mode: "legacy" | "auto" | { pin: string }, secret = token) {
  const client = new Client({ name: "agent", version: "1" }, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["--conditions=rowhouse-source", "--import", "tsx", "apps/cli/src/main.ts", "mcp"],
    cwd: root,
    env: { ROWHOUSE_URL: environment.url, ROWHOUSE_TOKEN: secret },
    stderr: "pipe",
  });
  let reported = "";
  transport.stderr?.on("data", (text: Buffer) => {
    reported += text.toString();
  });
  return { client, transport, reported: () => reported };
}

describe.each(["legacy", { pin: "2026-07-28" }] as const)("a client that negotiates %j", (mode) => {
  it("calls tools by rowhouse mcp, and gets every digit", async () => {
    const { client, transport, reported } = await start(mode);
    await client.connect(transport);
    expect(client.getNegotiatedProtocolVersion()).toBe(
      mode === "legacy" ? "2025-11-25" : "2026-07-28",
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("read_rows");
    const read = { schema: "public", name: "parts" };
    const [all, wrong] = await Promise.all([
      client.callTool({ name: "read_rows", arguments: read }),
      client.callTool({ name: "read_rows", arguments: { ...read, fields: ["nothing"] } }),
    ]);
    const [content] = all.content;
    expect(content?.type === "text" ? content.text : "").toContain(
      '"data":[{"id":"9007199254740993","price":"1.10","notes":{"n": 12345678901234567890}}]',
    );
    const [refusal] = wrong.content;
    expect([wrong.isError, wrong.structuredContent]).toEqual([true, undefined]);
    expect(JSON.parse(refusal?.type === "text" ? refusal.text : "")).toMatchObject({
      errors: [{ code: "FIELD_UNKNOWN" }],
    });
    await client.close();
    expect(reported()).toBe("");
  });
});

// With a fixed revision, this client reports only that the revision was not offered.
it.each(["legacy", "auto"] as const)(
  "a client in the mode %s learns why its token is rejected, from the response and from the standard error",
  async (mode) => {
    const { client, transport, reported } = await start(mode, `rhp_${"x".repeat(36)}`);
    const reason = "401 AUTHENTICATION_REQUIRED: the token is not valid";
    await expect(client.connect(transport)).rejects.toThrow(reason);
    await client.close();
    expect(reported().split("\n")[0]).toMatch(/^rowhouse: http:.*\/mcp returned .*\.$/);
    expect(reported()).toContain(reason);
    expect(reported()).not.toContain("xxxx");
  },
);
