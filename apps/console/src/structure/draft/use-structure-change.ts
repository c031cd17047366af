import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { flushSync } from "react-dom";
import { client } from "../../shell/client.ts";
import { navigationQuery } from "../../shell/navigation.ts";
import { type Task, useTask } from "../../shell/use-task.ts";
import { imageColumns } from "../model/column-model.ts";
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

/**
 * Returns the task that makes the changes of a draft, each confirmed with the text at its pointer, and then stores the
 * format of new columns of images.
 */
export function useApply(
  tableDraft: TableDraft,
  confirmations: Readonly<Record<string, string>>,
  onDone: (isFormatStored: boolean) => void,
): Task {
  const queries = useQueryClient();
  const { schema, table, etag, draft, compiled } = tableDraft;
  const openTable = useOpenTable(tableDraft);
  return useTask(async () => {
    const { name, resourceId } =
      table === null
        ? await createTable(schema, draft)
        : await alter(table.name, confirmedChanges());
    const isFormatStored = await showImages(resourceId, imageColumns(draft));
    await openTable(name, () => onDone(isFormatStored));
  }, Object.keys(confirmations));

  function confirmedChanges(): Change[] {
    return compiled.changes.map(({ change }, index) => {
      const confirm = confirmations[`/data/changes/${index}/confirm`];
      return confirm === undefined ? change : ({ ...change, confirm } as Change);
    });
  }

  async function alter(from: string, changes: Change[]) {
    const options = { path: { schema, table: from }, data: { changes }, ifMatch: etag };
    const answer = await client.admin.patch("/schema/{schema}/tables/{table}", options);
    queries.setQueryData(tableQuery(schema, answer.data.name).queryKey, answer);
    return answer.data;
  }
}

/** Shows columns as images; whether that is stored. The columns exist either way. */
async function showImages(id: string, columns: readonly string[]): Promise<boolean> {
  if (columns.length === 0) return true;
  const data = columns.map((name) => ({ name, format: { type: "image" as const } }));
  return client.admin.patch("/resources/{id}/columns", { path: { id }, data }).then(
    () => true,
    () => false,
  );
}

/** Creates the table of a draft. */
export async function createTable(schema: string, draft: Draft) {
  const options = { path: { schema }, data: compileNewTable(draft) };
  return (await client.admin.post("/schema/{schema}/tables", options)).data;
}
