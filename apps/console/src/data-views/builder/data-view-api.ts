import type { ReadingApi } from "../../records/saved/reading-api.ts";
import { client } from "../../shell/client.ts";
import { loadAll } from "../../shell/load-all.ts";

/** The requests of the list of DataViews. */
export const dataViewApi: ReadingApi = {
  kind: "dataView",
  path: "/admin/data-views",
  load: async (signal) => {
    const views = await loadAll((query) => client.admin.get("/data-views", { query, signal }));
    return views.map(({ id, name, description, icon, position, roleIds, resourceId, lost }) => ({
      ...{ id, name, description, icon, position, roleIds, resourceId, lost },
      panelCount: null,
    }));
  },
  place: async (id, position) => {
    await client.admin.patch("/data-views/{id}", { path: { id }, data: { position } });
  },
  duplicate: async (id, name) => {
    const { data: view } = await client.admin.get("/data-views/{id}", { path: { id } });
    const { description, icon, position, resourceId, fields, where, orderBy, limit } = view;
    const data = {
      ...{ name, description, icon, position, resourceId, fields, where, orderBy, limit },
      ...{ presentation: view.presentation, roleIds: [] },
    };
    return (await client.admin.post("/data-views", { data })).data.id;
  },
  remove: async (id) => {
    await client.admin.delete("/data-views/{id}", { path: { id } });
  },
};
