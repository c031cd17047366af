import { useQuery } from "@tanstack/react-query";
import { type NavigationResource, personQuery } from "./navigation.ts";

/** A call of a tool of the MCP server. */
export interface McpCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Returns a call as the message that a client sends. */
export function mcpCallText(call: McpCall): string {
  const params = { name: call.tool, arguments: call.arguments };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }, null, 2);
}

/**
 * Returns the call that reads rows of a resource, or one row by its key.
 *
 * @param parts arguments besides the names; undefined ones are left out
 */
export function readRowsCall(
  { schema, name }: Pick<NavigationResource, "schema" | "name">,
  parts: Readonly<Record<string, unknown>> = {},
): McpCall {
  return { tool: "read_rows", arguments: { schema, name, ...parts } };
}

/** Whether the person may have a token; without one, nobody can send the request of a page. */
export function useMayCall(): boolean {
  const { data: person } = useQuery(personQuery);
  return person?.mayCreateTokens === true;
}

/** Whether this installation has an MCP server, so that a page shows its requests as calls of tools too. */
export function useMcp(): boolean {
  const { data: person } = useQuery(personQuery);
  return person?.mcp.enabled === true;
}
