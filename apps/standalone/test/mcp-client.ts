import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Transport1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { TestEnvironment } from "./test-environment.ts";

/** The revisions of the protocol that clients use. */
export type Revision = "2026-07-28" | "2025-11-25";

/** Connects the official client with a token. */
export async function connectMcp(
  environment: Pick<TestEnvironment, "ask">,
  token: string,
  revision: Revision = "2026-07-28",
): Promise<Client> {
  const client = new Client(
    { name: "test-client", version: "1.0.0" },
    { versionNegotiation: { mode: revision === "2026-07-28" ? { pin: revision } : "legacy" } },
  );
  await client.connect(new StreamableHTTPClientTransport(place, transportTo(environment, token)));
  return client;
}

/** Connects the official client of the first generation, which most agents have. */
export async function connectMcp1(
  environment: Pick<TestEnvironment, "ask">,
  token: string,
): Promise<Client1> {
  const client = new Client1({ name: "test-client", version: "1.0.0" });
  await client.connect(new Transport1(place, transportTo(environment, token)) as never);
  return client;
}

const place = new URL("http://localhost/mcp");

/** The options of a transport whose requests reach the environment without a socket. */
function transportTo(environment: Pick<TestEnvironment, "ask">, token: string) {
  return {
    fetch: async (_: unknown, init?: RequestInit) => {
      const { body } = init ?? {};
      const headers = new Headers(init?.headers);
      // `ask` adds it to every body.
      headers.delete("content-type");
      const answer = await environment.ask(init?.method ?? "GET", "/mcp", {
        headers: Object.fromEntries(headers),
        ...(typeof body === "string" ? { raw: body } : {}),
      });
      const text = answer.text === "" ? null : answer.text;
      return new Response(text, { status: answer.status, headers: answer.headers });
    },
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  };
}

export interface ToolAnswer {
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly content: any;
  /** The JSON of the result as text. */
  readonly text: string;
}

/** Calls a tool. */
export async function callTool(
  client: Client,
  name: string,
  input: Readonly<Record<string, unknown>> = {},
): Promise<ToolAnswer> {
  const result = await client.callTool({ name, arguments: { ...input } });
  const [block] = result.content;
  const text = block?.type === "text" ? block.text : "";
  // A refusal has only the text.
  const content = result.structuredContent ?? (JSON.parse(text) as unknown);
  return { isError: result.isError === true, content, text };
}
