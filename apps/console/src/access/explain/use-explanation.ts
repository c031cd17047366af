import type { AdminOperations } from "@rowhouse/client";
import { parseJson } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { findJsonFault } from "../../records/values/json-fault.ts";
import { client } from "../../shell/client.ts";
import type { ExplainSearch } from "./explain-search.ts";

/** What the service says about a request of a person. */
export type Explanation = AdminOperations["POST /permissions/explain"]["answer"]["data"];

/** Explains the request of an address; nothing without a person and a path. */
export function useExplanation({ user, method = "GET", path }: ExplainSearch, body: string) {
  return useQuery({
    queryKey: ["access", "explanation", user, method, path, body],
    enabled: user !== undefined && path !== undefined,
    // Grants may have changed since.
    staleTime: 0,
    queryFn: async ({ signal }): Promise<Explanation> => {
      const given = bodyOf(body);
      const data = {
        ...{ userId: user ?? "", method, path: path ?? "" },
        ...(given === undefined ? {} : { body: given }),
      };
      return (await client.admin.post("/permissions/explain", { data, signal })).data;
    },
  });
}

/** The body of the explained request; a text that is no JSON is sent as the text that it is. */
function bodyOf(text: string): unknown {
  if (text.trim() === "") return undefined;
  return findJsonFault(text) === undefined ? parseJson(text) : text;
}
