import type { AdminOperations } from "@rowhouse/client";
import { textParameter } from "../../shell/text-parameter.ts";

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
  const entries = [...runFilters, "orderBy" as const].map((name) => [
    name,
    textParameter(raw[name]),
  ]);
  return Object.fromEntries(entries) as RunsSearch;
}

/** What the address of a run's page has beside its id. */
interface RunSearch {
  /** Path of the chosen step. */
  readonly step?: string | undefined;
  /** The run that the step is compared with. */
  readonly compare?: string | undefined;
  /** Undefined for the tree. */
  readonly view?: "graph" | undefined;
}

/** Reads the parameters of an address. */
export function readRunSearch(raw: Readonly<Record<string, unknown>>): RunSearch {
  return {
    step: textParameter(raw.step),
    compare: textParameter(raw.compare),
    view: raw.view === "graph" ? "graph" : undefined,
  };
}
