import { queryOptions } from "@tanstack/react-query";
import type { ReadingApi } from "../../records/saved/reading-api.ts";
import { client } from "../../shell/client.ts";
import { loadAll } from "../../shell/load-all.ts";
import { bodyOf, draftOf } from "./dashboard-body.ts";
import type { StoredDashboard } from "./draft.ts";

/** The requests of the list of dashboards. */
export const dashboardApi: ReadingApi = {
  kind: "dashboard",
  path: "/admin/dashboards",
  load: async (signal) => {
    const boards = await loadAll((query) => client.admin.get("/dashboards", { query, signal }));
    return boards.map(({ id, name, description, icon, position, roleIds, panels, lost }) => ({
      ...{ id, name, description, icon, position, roleIds, lost },
      resourceId: null,
      panelCount: panels.length,
    }));
  },
  place: async (id, position) => {
    await client.admin.patch("/dashboards/{id}", { path: { id }, data: { position } });
  },
  duplicate: async (id, name) => {
    const { data: board } = await client.admin.get("/dashboards/{id}", { path: { id } });
    const data = bodyOf({ ...draftOf(board), name, roleIds: [] });
    return (await client.admin.post("/dashboards", { data })).data.id;
  },
  remove: async (id) => {
    await client.admin.delete("/dashboards/{id}", { path: { id } });
  },
};

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
