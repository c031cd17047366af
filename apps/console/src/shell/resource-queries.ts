import type { AdminOperations } from "@rowhouse/client";
import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";
import { loadAll } from "./load-all.ts";

/** A table or view, exposed or hidden. */
export type ResourceEntry = AdminOperations["GET /resources"]["answer"]["data"][number];

/** Every table and view. */
export const resourcesQuery = queryOptions({
  queryKey: ["resources", "all"],
  // Other pages and administrators change them too.
  staleTime: 0,
  queryFn: ({ signal }) =>
    loadAll((page) => client.admin.get("/resources", { query: page, signal })),
});

/** The name of a resource as administrators know it. */
export function resourceName({ schema, name }: Pick<ResourceEntry, "schema" | "name">): string {
  return `${schema}.${name}`;
}
