import { type Database, deletePiecewise } from "@rowhouse/db";

/**
 * Deletes the entries of the row history that are older than a number of days.
 *
 * @param days `data.history_retention_days`
 */
export async function purgeRowHistory(database: Database, days: number): Promise<void> {
  await deletePiecewise(database, {
    table: "system.row_history",
    key: "place",
    where: "changed_at <= system.clock() - make_interval(days => $1::text::integer)",
    parameters: [String(days)],
    skipsLocked: false,
  });
}
