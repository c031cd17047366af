/** A setting of the MCP server that opens something, and what agents get by it. */
export interface Switch {
  /** Its key in the texts `mcp.switches`. */
  readonly name: "enabled" | "access" | "deletes" | "workflows" | "sql" | "oauth" | "registration";
  readonly key: string;
  readonly on: boolean | string;
  readonly off: boolean | string;
  /** The tools that agents get by it. */
  readonly tools: readonly string[];
  /** The setting without which it has no effect. */
  readonly needs?: { readonly key: string; readonly value: boolean | string };
}

const flag = { on: true, off: false } as const;

/** The settings in the order in which they open more. */
export const switches: readonly Switch[] = [
  {
    ...{ name: "enabled", key: "mcp.enabled", ...flag },
    tools: ["search_resources", "read_rows", "aggregate_rows", "explain_access"],
  },
  {
    ...{ name: "access", key: "mcp.access", on: "READ_WRITE", off: "READ_ONLY" },
    tools: ["create_rows", "update_rows"],
  },
  {
    ...{ name: "deletes", key: "mcp.allow_deletes", ...flag, tools: ["delete_rows"] },
    needs: { key: "mcp.access", value: "READ_WRITE" },
  },
  { ...{ name: "workflows", key: "mcp.allow_workflows", ...flag, tools: ["run_workflow"] } },
  {
    ...{ name: "sql", key: "mcp.allow_sql", ...flag, tools: ["run_sql"] },
    needs: { key: "sql_console.allow_api_tokens", value: true },
  },
  { name: "oauth", key: "mcp.oauth", ...flag, tools: [] },
  {
    ...{ name: "registration", key: "mcp.dynamic_registration", ...flag, tools: [] },
    needs: { key: "mcp.oauth", value: true },
  },
];
