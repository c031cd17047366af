import { z } from "zod";
import type { SettingDefinition } from "./setting-definition.ts";
import { host, whole } from "./value-schemas.ts";

/** The settings of the MCP server. Each opens or bounds something for agents, so none can be changed with a token. */
export const mcpDefinitions = {
  "mcp.enabled": {
    schema: z.boolean(),
    default: false,
    description: "Whether the MCP server is enabled",
    sessionOnly: true,
  },
  "mcp.access": {
    schema: z.enum(["READ_ONLY", "READ_WRITE"]),
    default: "READ_ONLY",
    description: "Whether agents may only read, or also create and update rows",
    sessionOnly: true,
  },
  "mcp.allow_deletes": {
    schema: z.boolean(),
    default: false,
    description: "Whether agents may delete rows; requires `mcp.access` READ_WRITE",
    sessionOnly: true,
  },
  "mcp.allow_workflows": {
    schema: z.boolean(),
    default: false,
    description: "Whether agents may start workflows that are marked as tools",
    sessionOnly: true,
  },
  "mcp.allow_sql": {
    schema: z.boolean(),
    default: false,
    description:
      "Whether agents with a token of the admin plane may run SQL; requires `sql_console.allow_api_tokens`",
    sessionOnly: true,
  },
  "mcp.oauth": {
    schema: z.boolean(),
    default: false,
    description: "Whether people can connect clients by OAuth, without a token of their own",
    sessionOnly: true,
  },
  "mcp.dynamic_registration": {
    schema: z.boolean(),
    default: false,
    description: "Whether unknown OAuth clients may register themselves",
    sessionOnly: true,
  },
  "mcp.client_hosts": {
    schema: z.array(host).max(100),
    default: [],
    description:
      "Hosts (`name` or `name:port`) of OAuth clients with non-public addresses whose documents may be read",
    sessionOnly: true,
  },
  "mcp.max_result_bytes": {
    schema: whole(4096, 16_777_216),
    default: 65_536,
    description: "Maximum size in bytes of the content of a tool's result",
    sessionOnly: true,
  },
  "mcp.call_retention_days": {
    schema: whole(1, 3650),
    default: 30,
    description: "Number of days for which calls of agents are stored",
    sessionOnly: true,
  },
} as const satisfies Record<string, SettingDefinition>;
