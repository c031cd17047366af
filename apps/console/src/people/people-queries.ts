import type { AdminOperations } from "@rowhouse/client";
import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { client } from "../shell/client.ts";
import { navigationQuery, personQuery } from "../shell/navigation.ts";
import { renew } from "../shell/renew.ts";

/** A user or system account with its roles. */
export type User = AdminOperations["GET /users/{id}"]["answer"]["data"];
/** A role with the number of its members. */
export type Role = AdminOperations["GET /roles/{id}"]["answer"]["data"];

/** A provider of sign-in, without its client secret. */
export type Provider = AdminOperations["GET /auth-providers"]["answer"]["data"][number];
/** A token of any user. */
export type Token = AdminOperations["GET /tokens"]["answer"]["data"][number];

/** `GET /admin/api/users/{id}`. */
export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ["people", "user", id],
    queryFn: async ({ signal }) =>
      (await client.admin.get("/users/{id}", { path: { id }, signal })).data,
  });

/** `GET /admin/api/roles/{id}`. */
export const roleQuery = (id: string) =>
  queryOptions({
    queryKey: ["people", "role", id],
    queryFn: async ({ signal }) =>
      (await client.admin.get("/roles/{id}", { path: { id }, signal })).data,
  });

/** Returns the function that loads every list of people again, and what the person of the session may open. */
export function usePeopleChange(): () => Promise<void> {
  const cache = useQueryClient();
  return async () => {
    const keys = [["people"], navigationQuery.queryKey, personQuery.queryKey];
    await Promise.all(keys.map((queryKey) => renew(cache, { queryKey })));
  };
}
