import type { Authenticator } from "@rowhouse/access";
import type { Database } from "@rowhouse/db";
import { jsonText, type Service } from "@rowhouse/http";
import { readRunResult } from "@rowhouse/workflows";
import { runResult } from "./workflow-documents.ts";

export interface WorkflowRunRouteDependencies {
  readonly database: Database;
  readonly authenticator: Authenticator;
}

/** `GET /api/workflows/runs/{run_id}/result`: the status and result of a run for the caller who started it. */
export function mountWorkflowRunRoute(
  service: Service,
  { database, authenticator }: WorkflowRunRouteDependencies,
): void {
  service.get("/api/workflows/runs/:run_id/result", async (c) => {
    const principal = await authenticator.authenticate(c.req.header("authorization"));
    const body = await readRunResult(database, c.req.param("run_id"), principal);
    return jsonText(200, body, c.env.edge.requestId);
  });
  service.openAPIRegistry.registerPath(runResult);
}
