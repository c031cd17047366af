import { type AdminOperations, readJson } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import type { Row } from "../../records/model/resource.ts";
import { findJsonFault } from "../../records/values/json-fault.ts";
import { client } from "../../shell/client.ts";
import type { SeenAs } from "../access-search.ts";

/** The response that a caller would receive. */
export type Preview = AdminOperations["POST /permissions/preview"]["answer"]["data"];

/** Runs a GET request as a caller, read-only; nothing without a caller. */
export function usePreview(as: SeenAs | undefined, path: string) {
  return useQuery({
    queryKey: ["access", "preview", as, path],
    enabled: as !== undefined,
    // Rows and grants may have changed since.
    staleTime: 0,
    queryFn: async ({ signal }): Promise<Preview> => {
      const caller =
        as !== undefined && "userId" in as
          ? { userId: as.userId }
          : { roleIds: [...(as?.roleIds ?? [])] };
      const data = { ...caller, path };
      return (await client.admin.post("/permissions/preview", { data, signal })).data;
    },
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the member `data` of a response; undefined for anything but JSON of the service. */
export function dataOf({ contentType, body }: Preview): unknown {
  if (contentType?.includes("json") !== true || findJsonFault(body) !== undefined) return undefined;
  const value = readJson(body);
  return isObject(value) ? value.data : undefined;
}

/** Returns the rows of a list; undefined for any other response. */
export function rowsOf(preview: Preview): readonly Row[] | undefined {
  const data = dataOf(preview);
  return Array.isArray(data) && data.every(isObject) ? data : undefined;
}

/** The first error of a refused request. */
export function errorOf({ status, body }: Preview): string | undefined {
  if (status < 400) return undefined;
  const value = findJsonFault(body) === undefined ? readJson(body) : undefined;
  const errors = isObject(value) && Array.isArray(value.errors) ? value.errors : [];
  const [first] = errors as readonly unknown[];
  return isObject(first) ? `${String(first.code)}: ${String(first.message)}` : String(status);
}
