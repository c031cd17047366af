import type { Document } from "@rowhouse/client/openapi";
import type { McpCall } from "../shell/mcp-call.ts";
import type { Operation } from "./operations.ts";
import { resourceOf } from "./row-call.ts";
import { type SnippetValues, sampleBody } from "./snippets.ts";

/** The tools that the settings of the installation switch on. */
export interface OfferedTools {
  readonly writes: boolean;
  readonly deletes: boolean;
  readonly sql: boolean;
}

/** Returns an operation as a call of a tool of the MCP server; undefined if no offered tool does the same. */
export function operationCall(
  document: Document,
  operation: Operation,
  values: SnippetValues,
  offered: OfferedTools,
): McpCall | undefined {
  const body = dataOf(sampleBody(document, operation));
  if (operation.key === "POST /admin/api/sql") {
    return offered.sql ? { tool: "run_sql", arguments: { sql: "select 1" } } : undefined;
  }
  const resource = resourceOf(operation);
  if (resource === undefined) return undefined;
  const { schema, name, rest } = resource;
  const names = { schema, name };
  const key = [values.path.id ?? "id"];
  switch (`${operation.method} ${rest}`.trim()) {
    case "GET":
    case "POST /query":
      return { tool: "read_rows", arguments: { ...names, limit: 10 } };
    case "GET /{id}":
      return { tool: "read_rows", arguments: { ...names, key } };
    case "POST":
      if (!offered.writes) return undefined;
      return {
        tool: "create_rows",
        arguments: { ...names, rows: [body], idempotencyKey: "a-name-of-this-write" },
      };
    case "PATCH /{id}":
      if (!offered.writes) return undefined;
      return { tool: "update_rows", arguments: { ...names, key, values: body } };
    case "DELETE /{id}":
      return offered.deletes ? { tool: "delete_rows", arguments: { ...names, key } } : undefined;
    default:
      return undefined;
  }
}

function dataOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "data" in body ? body.data : body;
}
