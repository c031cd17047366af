import type { AdminOperations } from "@rowhouse/client";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import { workflowListKey } from "../parts/workflow-queries.ts";

/** The state of all workflows, and their runs of the last hours. */
export type Overview = AdminOperations["GET /workflow-overview"]["answer"]["data"];

/** The periods that the page offers, in hours. */
export const periods = [1, 24, 168, 720] as const;

/** `GET /admin/api/workflow-overview`, read again each half a minute while it is shown. */
export const workflowOverviewQuery = (hours: number) =>
  queryOptions({
    queryKey: [...workflowListKey, "overview", hours],
    refetchInterval: 30_000,
    queryFn: async ({ signal }) =>
      (await client.admin.get("/workflow-overview", { query: { hours }, signal })).data,
  });
