import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
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
  const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
    fetch: async (_, init) => {
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
  });
  await client.connect(transport);
  return client;
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
  return {
    isError: result.isError === true,
    content: result.structuredContent,
    text: block?.type === "text" ? block.text : "",
  };
}
