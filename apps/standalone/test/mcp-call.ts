import type { Answer, TestEnvironment } from "./test-environment.ts";

/** The result of a tool by a plain request. */
export interface ToolAnswer {
  readonly status: number;
  /** The whole body. */
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly content: any;
  readonly isError: boolean;
  /** `CODE path` of each fault of a refusal; the message of an error of the protocol. */
  readonly faults: string[];
}

const headers = { Accept: "application/json, text/event-stream" };

/** Sends one message to the MCP server, as clients of 2025 do without a session. */
export function sendMcp(
  environment: Pick<TestEnvironment, "ask">,
  as: string | undefined,
  method: string,
  params: unknown = {},
): Promise<Answer> {
  return environment.ask("POST", "/mcp", {
    ...{ as, headers },
    body: { jsonrpc: "2.0", id: 1, method, params },
  });
}

/** Calls a tool by a plain request. @param input JSON text, or a value without exact numbers */
export async function useTool(
  environment: Pick<TestEnvironment, "ask">,
  as: string,
  name: string,
  input: string | object = {},
): Promise<ToolAnswer> {
  const json = typeof input === "string" ? input : JSON.stringify(input);
  const { status, text, body } = await environment.ask("POST", "/mcp", {
    ...{ as, headers },
    raw: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${json}}}`,
  });
  const { structuredContent, content: blocks } = body?.result ?? {};
  // A refusal has only the text.
  const content =
    structuredContent ?? (blocks === undefined ? undefined : JSON.parse(blocks[0].text));
  const errors: { code: string; path?: string }[] = content?.errors ?? body?.errors ?? [];
  const faults = errors.map(({ code, path }) => (path === undefined ? code : `${code} ${path}`));
  if (body?.error !== undefined) faults.push(body.error.message);
  return { status, text, content, isError: body?.result?.isError === true, faults };
}

/** The names in `tools/list`. */
export async function listTools(
  environment: Pick<TestEnvironment, "ask">,
  as: string,
): Promise<string[]> {
  const { body } = await sendMcp(environment, as, "tools/list");
  return body.result.tools.map(({ name }: { name: string }) => name);
}
