import type { AppOperations } from "@rowhouse/client";
import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";
import { type LabeledNavigation, withLabels } from "./names.ts";

/** What the person may open. */
export type Navigation = LabeledNavigation;

/** A table or view that the person may use. */
export type NavigationResource = Navigation["resources"][number];

/**
 * A column, with what the person may do with it.
 *
 * @public
 */
export type NavigationColumn = NavigationResource["columns"][number];

/**
 * A relation from a resource to another, in either direction.
 *
 * @public
 */
export type NavigationRelation = NavigationResource["relations"][number];

/** The person of the session. */
export type Person = AppOperations["GET /me"]["answer"]["data"];

/** `GET /app/api/navigation`. */
export const navigationQuery = queryOptions({
  queryKey: ["navigation"],
  queryFn: async ({ signal }): Promise<Navigation> =>
    withLabels((await client.app.get("/navigation", { signal })).data),
});

/** `GET /app/api/me`. */
export const personQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async ({ signal }): Promise<Person> => (await client.app.get("/me", { signal })).data,
});

/** Returns the address of the rows of a table or view. */
export function resourcePath(resource: {
  readonly schema: string;
  readonly name: string;
  readonly kind: "TABLE" | "VIEW";
}): string {
  const { schema, name, kind } = resource;
  return `/app/data/${encodeURIComponent(schema)}/${kind.toLowerCase()}/${encodeURIComponent(name)}`;
}
