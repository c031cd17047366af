import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { flushSync } from "react-dom";
import { navigationQuery } from "../../shell/navigation.ts";
import { schemaListPath, structurePath } from "../model/paths.ts";
import type { TableDraft } from "./use-table-draft.ts";

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

/** Opens the page of a table whose draft has become the table. */
export function useOpenTable({ schema, table, discard }: TableDraft) {
  const router = useRouter();
  const onChange = useStructureChange();
  return async (name: string, onDone: () => void = () => {}): Promise<void> => {
    // The draft is empty before the page asks whether it may be left.
    flushSync(() => {
      discard();
      onDone();
    });
    if (name !== table?.name) {
      await router.navigate({ href: structurePath(schema, "table", name), replace: true });
    }
    await onChange();
  };
}
