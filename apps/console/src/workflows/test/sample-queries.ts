import { queryOptions } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";

/** `GET /admin/api/workflows/{id}/samples`: at most 100, without their data. */
export const samplesQuery = (id: string) =>
  queryOptions({
    queryKey: ["workflow-samples", id],
    queryFn: async ({ signal }) =>
      (
        await client.admin.get("/workflows/{id}/samples", {
          path: { id },
          query: { limit: 100 },
          signal,
        })
      ).data,
  });

/** `GET /admin/api/workflows/{id}/examples`: the steps that have one. */
export const examplesQuery = (id: string) =>
  queryOptions({
    queryKey: ["workflow-examples", id],
    queryFn: async ({ signal }) =>
      (await client.admin.get("/workflows/{id}/examples", { path: { id }, signal })).data,
  });
