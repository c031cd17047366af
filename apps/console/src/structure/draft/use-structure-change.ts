import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { flushSync } from "react-dom";
import { client } from "../../shell/client.ts";
import { navigationQuery } from "../../shell/navigation.ts";
import { type Task, useTask } from "../../shell/use-task.ts";
import { compileNewTable } from "../model/compile-draft.ts";
import type { Change, Draft } from "../model/draft.ts";
import { schemaListPath, structurePath } from "../model/paths.ts";
import { tableQuery } from "../model/queries.ts";
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

/** Returns the task that makes the changes of a draft, each confirmed with the text at its pointer. */
export function useApply(
  tableDraft: TableDraft,
  confirmations: Readonly<Record<string, string>>,
  onDone: () => void,
): Task {
  const queries = useQueryClient();
  const { schema, table, etag, draft, compiled } = tableDraft;
  const openTable = useOpenTable(tableDraft);
  return useTask(async () => {
    const name =
      table === null
        ? (await createTable(schema, draft)).name
        : await alter(table.name, confirmedChanges());
    await openTable(name, onDone);
  }, Object.keys(confirmations));

  function confirmedChanges(): Change[] {
    return compiled.changes.map(({ change }, index) => {
      const confirm = confirmations[`/data/changes/${index}/confirm`];
      return confirm === undefined ? change : ({ ...change, confirm } as Change);
    });
  }

  async function alter(from: string, changes: Change[]): Promise<string> {
    const options = { path: { schema, table: from }, data: { changes }, ifMatch: etag };
    const answer = await client.admin.patch("/schema/{schema}/tables/{table}", options);
    const { name } = answer.data;
    queries.setQueryData(tableQuery(schema, name).queryKey, answer);
    return name;
  }
}

/** Creates the table of a draft. */
export async function createTable(schema: string, draft: Draft) {
  const options = { path: { schema }, data: compileNewTable(draft) };
  return (await client.admin.post("/schema/{schema}/tables", options)).data;
}
