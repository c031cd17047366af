import { queryOptions } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import type { Workflow } from "../parts/workflow-queries.ts";
import type { Edition } from "./versions-search.ts";

/** `GET /admin/api/workflows/{id}/versions/{number}/diff`, read anew after each change of the draft. */
export const diffQuery = ({ id, updatedAt }: Workflow, from: number, to: Edition) =>
  queryOptions({
    queryKey: ["workflow-diff", id, from, to, to === "draft" ? updatedAt : ""],
    queryFn: async ({ signal }) => {
      const options = { path: { id, number: String(from) }, query: { to: String(to) }, signal };
      return (await client.admin.get("/workflows/{id}/versions/{number}/diff", options)).data;
    },
  });

/** The name of a user; null for one who was deleted. */
export const userNameQuery = (id: string) =>
  queryOptions({
    queryKey: ["user-name", id],
    queryFn: async ({ signal }) => {
      const { data } = await client.admin.get("/users/{id}", { path: { id }, signal });
      return data.name || data.email;
    },
    retry: false,
  });
