import type { QueryClient, QueryFilters } from "@tanstack/react-query";

/**
 * Loads queries again after a change: those that are shown at once. Others are forgotten, so that no page begins with a
 * record that was deleted.
 */
export async function renew(queries: QueryClient, filters: QueryFilters): Promise<void> {
  queries.removeQueries({ ...filters, type: "inactive" });
  await queries.invalidateQueries(filters);
}
