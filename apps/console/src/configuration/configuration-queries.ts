import type { AdminOperations } from "@rowhouse/client";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../shell/client.ts";
import type { Files } from "./zip.ts";

export type Drift = AdminOperations["GET /configuration/drift"]["answer"]["data"];
/** Where applied files are from. */
export type AppliedSource = NonNullable<Drift["lastApply"]>["source"];
export type Plan = AdminOperations["POST /configuration/plan"]["answer"]["data"];
export type PlanStep = Plan["steps"][number];

/** `GET /admin/api/configuration/drift`. */
export const driftQuery = queryOptions({
  queryKey: ["configuration", "drift"],
  queryFn: async ({ signal }) => (await client.admin.get("/configuration/drift", { signal })).data,
  staleTime: 0,
});

/** Reads the present configuration as files. */
export async function readFiles(parts?: readonly string[], signal?: AbortSignal): Promise<Files> {
  const query = parts === undefined ? {} : { part: parts.join(",") };
  const options = signal === undefined ? { query } : { query, signal };
  return (await client.admin.get("/configuration", options)).data.files;
}
