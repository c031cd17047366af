import { queryOptions } from "@tanstack/react-query";
import { client } from "../shell/client.ts";

/** `GET /admin/api/roles`: the roles that new accounts may get. */
export const settingRolesQuery = queryOptions({
  queryKey: ["settings", "roles"],
  queryFn: async ({ signal }) =>
    (await client.admin.get("/roles", { query: { limit: 1000 }, signal })).data,
});

/** `GET /admin/api/sealed-values`. */
export const sealedValuesQuery = queryOptions({
  queryKey: ["sealed-values"],
  queryFn: async ({ signal }) => (await client.admin.get("/sealed-values", { signal })).data,
});
