import { queryOptions, useQuery } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import { loadAll } from "../../shell/load-all.ts";

/** The beginning of the keys of every query about secrets. */
export const secretListKey = ["workflow-secrets"] as const;

/** `GET /admin/api/workflow-secrets`: every secret, without its value. */
const secretsQuery = queryOptions({
  queryKey: [...secretListKey, "all"],
  queryFn: ({ signal }) =>
    loadAll((page) => client.admin.get("/workflow-secrets", { query: page, signal })),
});

/** The names of the secrets; undefined while they load. */
export function useSecretNames(): readonly string[] | undefined {
  return useQuery(secretsQuery).data?.map(({ name }) => name);
}
