import { useQuery } from "@tanstack/react-query";
import { personQuery } from "./navigation.ts";

/** Whether this installation has an MCP server, so that a page shows its requests as calls of tools too. */
export function useMcp(): boolean {
  const { data: person } = useQuery(personQuery);
  return person?.mcp.enabled === true;
}
