import type { AdminOperations } from "@rowhouse/client";
import type { RunSummary } from "../parts/workflow-queries.ts";
import type { RunsSearch } from "./runs-search.ts";

type RunsQuery = AdminOperations["GET /workflow-runs"]["query"];

export const runOrders = ["-acceptedAt", "acceptedAt", "-finishedAt", "finishedAt"] as const;
export const runStatuses = [
  "QUEUED",
  "RUNNING",
  "SUCCEEDED",
  "FAILED",
  "CANCELLED",
] as const satisfies readonly RunSummary["status"][];
export const runOrigins = [
  "WEBHOOK",
  "SCHEDULE",
  "EVENT",
  "MANUAL",
  "WORKFLOW",
  "AGAIN",
  "TEST",
] as const satisfies readonly RunSummary["origin"][];

/** The request of the filters. */
export function runsQuery({ orderBy, durationMinMs, ...texts }: RunsSearch): RunsQuery {
  const order = runOrders.find((one) => one === orderBy);
  const given = Object.entries(texts).filter(([, text]) => text !== undefined);
  return {
    ...Object.fromEntries(given),
    // The service refuses another text than digits, and says so.
    ...(durationMinMs === undefined ? {} : { durationMinMs: Number(durationMinMs) }),
    ...(order === undefined ? {} : { orderBy: order }),
  };
}
