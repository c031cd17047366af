import type { AdminOperations } from "@rowhouse/client";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";

/** A schema with the number of its tables and views. */
export type Schema = AdminOperations["GET /schema"]["answer"]["data"][number];

/** A table with everything that PostgreSQL knows of it. */
export type Table = AdminOperations["GET /schema/{schema}/tables/{table}"]["answer"]["data"];

/** A column of a table or view with its presentation. */
export type ResourceColumn =
  AdminOperations["GET /resources/{id}/columns"]["answer"]["data"][number];

/** The most entries of one page of a list. */
const entriesMax = 1000;

/** `GET /admin/api/schema`. */
export const schemasQuery = queryOptions({
  queryKey: ["structure", "schemas"],
  queryFn: async ({ signal }): Promise<readonly Schema[]> =>
    (await client.admin.get("/schema", { query: { limit: entriesMax }, signal })).data,
});

/** The tables and views of a schema, with the methods that they expose. */
export function exposureQuery(schema: string) {
  return queryOptions({
    queryKey: ["structure", "exposure", schema],
    queryFn: async ({ signal }) => {
      const query = { schema, limit: entriesMax };
      const { data } = await client.admin.get("/resources", { query, signal });
      return new Map(data.map(({ id, exposedMethods }) => [id, exposedMethods]));
    },
  });
}

/** `GET /admin/api/schema/{schema}/tables/{table}`. */
export function tableQuery(schema: string, table: string) {
  return queryOptions({
    queryKey: ["structure", "table", schema, table],
    queryFn: async ({ signal }) =>
      client.admin.get("/schema/{schema}/tables/{table}", { path: { schema, table }, signal }),
  });
}

/** `GET /admin/api/resources/{id}`. */
export function resourceQuery(id: string) {
  return queryOptions({
    queryKey: ["structure", "resource", id],
    queryFn: async ({ signal }) =>
      (await client.admin.get("/resources/{id}", { path: { id }, signal })).data,
  });
}

/** `GET /admin/api/resources/{id}/columns`. */
export function columnsQuery(id: string) {
  return queryOptions({
    queryKey: ["structure", "columns", id],
    queryFn: async ({ signal }): Promise<readonly ResourceColumn[]> =>
      (await client.admin.get("/resources/{id}/columns", { path: { id }, signal })).data,
  });
}

/** A view with its definition, columns and latest refresh. */
export type View = AdminOperations["GET /schema/{schema}/views/{view}"]["answer"]["data"];

/** `GET /admin/api/schema/{schema}/views/{view}`. */
export function viewQuery(schema: string, view: string) {
  return queryOptions({
    queryKey: ["structure", "view", schema, view],
    queryFn: async ({ signal }): Promise<View> =>
      (await client.admin.get("/schema/{schema}/views/{view}", { path: { schema, view }, signal }))
        .data,
  });
}
