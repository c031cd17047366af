// Tiers: usual, topologies.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Database, openDatabase } from "@rowhouse/db";
import { loadChinook, startTestEnvironment, type TestEnvironment } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { questions, type ToolCall, type ToolRows } from "./mcp/chinook-questions.ts";
import { exposeToAgent } from "./mcp/expose-to-agent.ts";

// A public database, a token that may read it, and a scripted agent that has the tools alone. SQL gives the same answers.
let environment: TestEnvironment;
let database: Database;
let agent: Client;
beforeAll(async () => {
  environment = await startTestEnvironment();
  database = openDatabase({
    url: environment.test.ownerUrl,
    applicationName: "another-client",
    connectionsMax: 1,
  });
  await loadChinook(database);
  const token = await exposeToAgent(environment, "public");
  agent = new Client(
    { name: "scripted agent", version: "1" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await agent.connect(
    new StreamableHTTPClientTransport(new URL(`${environment.url}/mcp`), {
      authProvider: { token: async () => token },
    }),
  );
});
afterAll(async () => {
  await agent?.close();
  await database?.close();
  await environment?.stop();
});

type Answer = { readonly data: ToolRows; readonly nextCursor?: string };

async function call({ tool, arguments: args }: ToolCall): Promise<Answer> {
  const { isError, structuredContent, content } = await agent.callTool({
    name: tool,
    arguments: { ...args },
  });
  expect(isError, JSON.stringify(content)).not.toBe(true);
  const [first] = content;
  expect(first?.type === "text" && JSON.parse(first.text)).toEqual(structuredContent);
  return structuredContent as Answer;
}

test("there are thirty different questions", () => {
  expect(new Set(questions.map(({ question }) => question)).size).toBe(30);
});

test.each(questions)(
  "$question The tools answer as SQL does.",
  async ({ first, next = [], sql }) => {
    let answer = await call(first);
    for (const callAfter of next) answer = await call(callAfter(answer.data, answer.nextCursor));
    const [row] = await database.query<{ rows: ToolRows }>(
      `select coalesce(json_agg(q), '[]') as rows from (${sql}) q`,
    );
    expect(answer.data.length).toBeGreaterThan(0);
    expect(answer.data).toEqual(row?.rows);
  },
);
