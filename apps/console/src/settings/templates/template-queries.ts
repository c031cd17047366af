import { queryOptions } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";

/** `GET /admin/api/templates`: every mail in every language. */
export const templatesQuery = queryOptions({
  queryKey: ["templates"],
  queryFn: async ({ signal }) =>
    (await client.admin.get("/templates", { query: { limit: 1000 }, signal })).data,
});

/** `GET /admin/api/templates/{id}` with its entity tag. */
export function templateQuery(id: string) {
  return queryOptions({
    queryKey: ["templates", id],
    queryFn: ({ signal }) => client.admin.get("/templates/{id}", { path: { id }, signal }),
  });
}
