import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { navigationQuery } from "../../shell/navigation.ts";
import { schemaListPath } from "../model/paths.ts";

/** Loads again what a change of the structure changes on the pages. */
export function useStructureChange(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ["structure"] }),
      queries.invalidateQueries({ queryKey: navigationQuery.queryKey }),
    ]);
  };
}

/** Leaves the page of a dropped table or view for the list of its schema. */
export function useLeaveDropped(kind: "table" | "view", schema: string, name: string) {
  const queries = useQueryClient();
  const router = useRouter();
  const onChange = useStructureChange();
  return async (): Promise<void> => {
    await router.navigate({ href: schemaListPath(schema), replace: true });
    queries.removeQueries({ queryKey: ["structure", kind, schema, name] });
    await onChange();
  };
}
