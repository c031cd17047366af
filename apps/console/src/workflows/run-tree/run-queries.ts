import type { AdminOperations } from "@rowhouse/client";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import type { Definition } from "../model/definition.ts";

/** A run with its input and result. */
export type Run = AdminOperations["GET /workflows/{id}/runs/{runId}"]["answer"]["data"];
/** A step that a run has reached. In an outline, its input and output are null. */
export type RunStep =
  AdminOperations["GET /workflows/{id}/runs/{runId}/steps"]["answer"]["data"][number];

/** Names a run. */
export interface RunAddress {
  /** Of the workflow. */
  readonly id: string;
  readonly runId: string;
}

/** `GET /admin/api/workflows/{id}/runs/{runId}`. */
export const runQuery = ({ id, runId }: RunAddress) =>
  queryOptions({
    queryKey: ["workflow-run", runId],
    queryFn: async ({ signal }) =>
      (await client.admin.get("/workflows/{id}/runs/{runId}", { path: { id, runId }, signal }))
        .data,
  });

/** `GET /admin/api/workflows/{id}/runs/{runId}/definition`: what the run executes. It never changes. */
export const runDefinitionQuery = ({ id, runId }: RunAddress) =>
  queryOptions({
    queryKey: ["workflow-run-definition", runId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Definition> => {
      const path = { id, runId };
      return (await client.admin.get("/workflows/{id}/runs/{runId}/definition", { path, signal }))
        .data;
    },
  });

/** All steps that a run has reached, without inputs and outputs. */
export const runOutlineQuery = ({ id, runId }: RunAddress) =>
  queryOptions({
    queryKey: ["workflow-run-outline", runId],
    queryFn: async ({ signal }): Promise<readonly RunStep[]> => {
      const steps: RunStep[] = [];
      let cursor: string | null = null;
      do {
        const next: { limit: number; view: "outline"; cursor?: string } = {
          ...{ limit: 1000, view: "outline" },
          ...(cursor === null ? {} : { cursor }),
        };
        const page: { readonly data: RunStep[]; readonly meta: { nextCursor: string | null } } =
          await client.admin.get("/workflows/{id}/runs/{runId}/steps", {
            path: { id, runId },
            query: next,
            signal,
          });
        steps.push(...page.data);
        cursor = page.meta.nextCursor;
      } while (cursor !== null);
      return steps;
    },
  });

/**
 * A step of a run with its input and output; null if the run has not reached it.
 *
 * @param state changes when the step does, so that it is read again
 */
export const runStepQuery = ({ id, runId }: RunAddress, path: string, state: string) =>
  queryOptions({
    queryKey: ["workflow-run-step", runId, path, state],
    queryFn: async ({ signal }): Promise<RunStep | null> => {
      const { data } = await client.admin.get("/workflows/{id}/runs/{runId}/steps", {
        path: { id, runId },
        query: { path, limit: 1 },
        signal,
      });
      return data[0] ?? null;
    },
  });
