import { queryOptions } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import { requireDocument, requireMail } from "./template-parts.ts";

/** `GET /admin/api/templates`: every mail in every language. */
export const templatesQuery = queryOptions({
  queryKey: ["templates"],
  queryFn: async ({ signal }) =>
    (await client.admin.get("/templates", { query: { limit: 1000 }, signal })).data.map(
      requireMail,
    ),
});

/** `GET /admin/api/templates?kind=DOCUMENT`: every document in every language. */
export const documentsQuery = queryOptions({
  queryKey: ["document-templates"],
  queryFn: async ({ signal }) => {
    const query = { kind: "DOCUMENT", limit: 1000 } as const;
    return (await client.admin.get("/templates", { query, signal })).data.map(requireDocument);
  },
});

/** `GET /admin/api/templates/{id}` with its entity tag. */
export function templateQuery(id: string) {
  return queryOptions({
    queryKey: ["templates", id],
    queryFn: ({ signal }) => client.admin.get("/templates/{id}", { path: { id }, signal }),
  });
}
