import { type AdminOperations, RowhouseError } from "@rowhouse/client";
import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import { renew } from "../../shell/renew.ts";

/** A workflow with its draft. */
export type Workflow = AdminOperations["GET /workflows/{id}"]["answer"]["data"];
/** A run in a list. */
export type RunSummary = AdminOperations["GET /workflow-runs"]["answer"]["data"][number];

/** The key of every list of workflows; `["workflows", id]` is that of one. */
export const workflowListKey = ["workflow-list"] as const;

/** `GET /admin/api/workflows/{id}`. */
export const workflowQuery = (id: string) =>
  queryOptions({
    queryKey: ["workflows", id],
    queryFn: async ({ signal }) =>
      (await client.admin.get("/workflows/{id}", { path: { id }, signal })).data,
  });

/** Returns the function that shows a changed workflow everywhere: what the service answered, and the lists anew. */
export function useWorkflowChange(): (workflow: Workflow) => Promise<void> {
  const cache = useQueryClient();
  return async (workflow) => {
    cache.setQueryData(workflowQuery(workflow.id).queryKey, workflow);
    await renew(cache, { queryKey: workflowListKey });
  };
}

/** Whether the service has no such record. */
export function isMissing(error: unknown): boolean {
  return error instanceof RowhouseError && error.status === 404;
}
