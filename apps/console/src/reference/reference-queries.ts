import type { Document } from "@rowhouse/client/openapi";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../shell/client.ts";

/** `GET /admin/api/roles`: the roles whose document can be read. */
export const referenceRolesQuery = queryOptions({
  queryKey: ["reference", "roles"],
  queryFn: async ({ signal }) =>
    (await client.admin.get("/roles", { query: { limit: 1000 }, signal })).data,
});

/**
 * An OpenAPI document: that of the Admin API, of the App API, of everything that one may call oneself, or of the Data API
 * as the members of a role see it.
 *
 * @param of `admin`, `app` or `own`, or the id of a role
 */
export function documentQuery(of: string) {
  return queryOptions({
    queryKey: ["reference", "document", of],
    // Tables, grants and exposure change on other pages.
    staleTime: 0,
    queryFn: async ({ signal }): Promise<Document> =>
      (await loadDocument(of, signal)) as unknown as Document,
  });
}

function loadDocument(of: string, signal: AbortSignal): Promise<object> {
  if (of === "admin") return client.admin.get("/openapi", { signal });
  if (of === "app") return client.app.get("/openapi", { signal });
  if (of === "own") return client.api.get("/openapi", { signal });
  return client.admin.get("/openapi/data", { query: { role: of }, signal });
}
