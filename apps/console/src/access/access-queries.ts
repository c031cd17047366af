import type { AdminOperations } from "@rowhouse/client";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../shell/client.ts";

/** A grant as the Admin API returns it. */
export type Grant = AdminOperations["GET /grants"]["answer"]["data"][number];

/** A role. */
export type Role = AdminOperations["GET /roles"]["answer"]["data"][number];

/** A table or view, exposed or hidden. */
export type ResourceEntry = AdminOperations["GET /resources"]["answer"]["data"][number];

export type Action = Grant["action"];
export type Method = ResourceEntry["exposedMethods"][number];

/** The actions of grants in their order, each with the method that must be exposed for it. */
export const actionMethods = [
  { action: "READ", method: "GET" },
  { action: "CREATE", method: "POST" },
  { action: "UPDATE", method: "PATCH" },
  { action: "DELETE", method: "DELETE" },
] as const satisfies readonly { readonly action: Action; readonly method: Method }[];

interface ListPage<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly nextCursor: string | null };
}

const pageSize = 1000;

/** Loads every page of a list. */
async function loadAll<Item>(
  load: (page: { readonly limit: number; readonly cursor?: string }) => Promise<ListPage<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: ListPage<Item> = await load({
      limit: pageSize,
      ...(cursor === null ? {} : { cursor }),
    });
    items.push(...page.data);
    cursor = page.meta.nextCursor;
  } while (cursor !== null);
  return items;
}

/** Every table and view. */
export const resourcesQuery = queryOptions({
  queryKey: ["resources", "all"],
  // Other pages and administrators change them too.
  staleTime: 0,
  queryFn: ({ signal }) =>
    loadAll((page) => client.admin.get("/resources", { query: page, signal })),
});

/** Every role. */
export const rolesQuery = queryOptions({
  queryKey: ["roles", "all"],
  staleTime: 0,
  queryFn: ({ signal }) => loadAll((page) => client.admin.get("/roles", { query: page, signal })),
});

/** Every grant. */
export const grantsQuery = queryOptions({
  queryKey: ["grants", "all"],
  staleTime: 0,
  queryFn: ({ signal }) => loadAll((page) => client.admin.get("/grants", { query: page, signal })),
});

/** The name of a resource as administrators know it. */
export function resourceName({ schema, name }: Pick<ResourceEntry, "schema" | "name">): string {
  return `${schema}.${name}`;
}
/** Whether a resource accepts an action at all. */
export function isExposedFor(resource: ResourceEntry, action: Action): boolean {
  const pair = actionMethods.find((one) => one.action === action);
  return pair !== undefined && resource.exposedMethods.includes(pair.method);
}
