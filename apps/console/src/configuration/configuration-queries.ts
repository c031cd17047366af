import type { AdminOperations } from "@rowhouse/client";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../shell/client.ts";
import type { Files } from "./zip.ts";

export type Drift = AdminOperations["GET /configuration/drift"]["answer"]["data"];
export type LastApply = NonNullable<Drift["lastApply"]>;
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
  return (await client.admin.get("/configuration", { query, signal })).data.files;
}

/** The files after the last apply of each part; null without drift. */
export const appliedFilesQuery = queryOptions({
  queryKey: ["configuration", "applied"],
  queryFn: async ({ signal }) => {
    const { data: drift } = await client.admin.get("/configuration/drift", { signal });
    if (drift.lastApply === null || drift.files.length === 0) return null;
    const present = await readFiles(drift.parts, signal);
    const gone = new Set(drift.files.map(({ path }) => path));
    const files = Object.entries(present).filter(([path]) => !gone.has(path));
    const before = drift.files.flatMap(({ path, before }): [string, string][] =>
      before === null ? [] : [[path, before]],
    );
    return { lastApply: drift.lastApply, files: Object.fromEntries([...files, ...before]) };
  },
  staleTime: 0,
  gcTime: 0,
});
