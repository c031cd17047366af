import type { AdminOperations } from "@rowhouse/client";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";

/** A dashboard as the Admin API returns it. */
export type StoredDashboard = AdminOperations["GET /dashboards/{id}"]["answer"]["data"];

/** The body of a request that creates a dashboard. */
export type DashboardBody = AdminOperations["POST /dashboards"]["data"];

/** `GET /admin/api/dashboards/{id}`, as it is now. */
export function dashboardQuery(id: string) {
  return queryOptions({
    queryKey: ["dashboards", "stored", id],
    // Other administrators change it too.
    staleTime: 0,
    queryFn: async ({ signal }): Promise<StoredDashboard> =>
      (await client.admin.get("/dashboards/{id}", { path: { id }, signal })).data,
  });
}
