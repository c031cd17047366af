import { useSetting } from "../shell/settings.ts";
import { useMcp } from "../shell/use-mcp.ts";
import type { OfferedTools } from "./operation-call.ts";

/** The tools that the MCP server offers; undefined while it is off. */
export function useOfferedTools(): OfferedTools | undefined {
  const isOn = useMcp();
  const writes = useSetting("mcp.access") === "READ_WRITE";
  const deletes = useSetting("mcp.allow_deletes") === true && writes;
  const sql = useSetting("mcp.allow_sql") === true;
  return isOn ? { writes, deletes, sql } : undefined;
}
