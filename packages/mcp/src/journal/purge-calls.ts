import { type Database, deletePiecewise } from "@rowhouse/db";

/**
 * Deletes the calls that are older than a number of days.
 *
 * @param days `mcp.call_retention_days`
 */
export async function purgeMcpCalls(database: Database, days: number): Promise<void> {
  await deletePiecewise(database, {
    table: "system.mcp_calls",
    key: "id",
    where: "called_at <= system.clock() - make_interval(days => $1::text::integer)",
    parameters: [String(days)],
    skipsLocked: false,
  });
}
