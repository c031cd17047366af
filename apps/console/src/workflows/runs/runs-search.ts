import type { AdminOperations } from "@rowhouse/client";

type RunsQuery = AdminOperations["GET /workflow-runs"]["query"];

/** The filters of a list of runs, in the order in which the page shows them. */
export const runFilters = [
  "search",
  "status",
  "origin",
  "workflowId",
  "errorCode",
  "callerUserId",
  "executeAsUserId",
  "parentRunId",
  "requestId",
  "acceptedSince",
  "acceptedUntil",
  "finishedSince",
  "finishedUntil",
  "durationMinMs",
] as const satisfies readonly (keyof RunsQuery)[];

export type RunFilter = (typeof runFilters)[number];

/** The filters and the order of a list of runs, as the address of its page has them. */
export type RunsSearch = { readonly [Name in RunFilter | "orderBy"]?: string | undefined };

/** Reads the parameters of an address. A parameter of another form is left out. */
export function readRunsSearch(raw: Readonly<Record<string, unknown>>): RunsSearch {
  const entries = [...runFilters, "orderBy" as const].map((name) => {
    const value = raw[name];
    const text = typeof value === "number" ? String(value) : value;
    return [name, typeof text === "string" && text !== "" ? text : undefined];
  });
  return Object.fromEntries(entries) as RunsSearch;
}
