import type { AdminOperations } from "@rowhouse/client";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import { loadAll } from "../../shell/load-all.ts";
import type { ResourceEntry } from "../../shell/resource-queries.ts";

/** A grant as the Admin API returns it. */
export type Grant = AdminOperations["GET /grants"]["answer"]["data"][number];

/** A role. */
export type Role = AdminOperations["GET /roles"]["answer"]["data"][number];

export type Action = Grant["action"];
export type Method = ResourceEntry["exposedMethods"][number];

/** The actions of grants in their order, each with the method that must be exposed for it. */
export const actionMethods = [
  { action: "READ", method: "GET" },
  { action: "CREATE", method: "POST" },
  { action: "UPDATE", method: "PATCH" },
  { action: "DELETE", method: "DELETE" },
] as const satisfies readonly { readonly action: Action; readonly method: Method }[];

/** Every grant. */
export const grantsQuery = queryOptions({
  queryKey: ["grants", "all"],
  staleTime: 0,
  queryFn: ({ signal }) => loadAll((page) => client.admin.get("/grants", { query: page, signal })),
});

/** Whether a resource accepts an action at all. */
export function isExposedFor(resource: ResourceEntry, action: Action): boolean {
  const pair = actionMethods.find((one) => one.action === action);
  return pair !== undefined && resource.exposedMethods.includes(pair.method);
}

/** Returns the key of a grant ; a role has at most one grant for an action. */
export function grantKey(resourceId: string, roleId: string, action: Action): string {
  return `${resourceId} ${roleId} ${action}`;
}
