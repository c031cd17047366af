import type { AdminOperations } from "@rowhouse/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { client } from "../shell/client.ts";
import { loadAll } from "../shell/load-all.ts";

/** Whom secrets serve. No secret serves both. */
export type SecretKind = "workflows" | "providers";

/** A secret without its value. */
export type Secret = AdminOperations["GET /workflow-secrets/{name}"]["answer"]["data"];
type Filters = AdminOperations["GET /workflow-secrets"]["query"];
type NewSecret = AdminOperations["POST /workflow-secrets"]["data"];
type SecretChanges = AdminOperations["PATCH /workflow-secrets/{name}"]["data"];

/** The requests for each kind, and the key of its list in the cache. */
export const secretRequests = {
  workflows: {
    key: ["workflow-secrets"],
    list: (query: Filters, signal: AbortSignal) =>
      client.admin.get("/workflow-secrets", { query, signal }),
    create: (data: NewSecret) => client.admin.post("/workflow-secrets", { data }),
    change: (name: string, data: SecretChanges) =>
      client.admin.patch("/workflow-secrets/{name}", { path: { name }, data }),
    remove: (name: string) => client.admin.delete("/workflow-secrets/{name}", { path: { name } }),
  },
  providers: {
    key: ["provider-secrets"],
    list: (query: Filters, signal: AbortSignal) =>
      client.admin.get("/provider-secrets", { query, signal }),
    create: (data: NewSecret) => client.admin.post("/provider-secrets", { data }),
    change: (name: string, data: SecretChanges) =>
      client.admin.patch("/provider-secrets/{name}", { path: { name }, data }),
    remove: (name: string) => client.admin.delete("/provider-secrets/{name}", { path: { name } }),
  },
} as const;

/** `GET /admin/api/workflow-secrets`: every secret of workflows, without its value. */
const secretsQuery = queryOptions({
  queryKey: [...secretRequests.workflows.key, "all"],
  queryFn: ({ signal }) => loadAll((page) => secretRequests.workflows.list(page, signal)),
});

/** The names of the secrets of workflows; undefined while they load. */
export function useSecretNames(): readonly string[] | undefined {
  return useQuery(secretsQuery).data?.map(({ name }) => name);
}
