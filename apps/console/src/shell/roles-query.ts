import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";
import { loadAll } from "./load-all.ts";

/** Every role. */
export const rolesQuery = queryOptions({
  queryKey: ["roles", "all"],
  staleTime: 0,
  queryFn: ({ signal }) => loadAll((page) => client.admin.get("/roles", { query: page, signal })),
});
