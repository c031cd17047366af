import { useQueryClient } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import { type Task, useTask } from "../../shell/use-task.ts";
import { compileNewTable } from "../model/compile-new-table.ts";
import type { Change, Draft } from "../model/draft.ts";
import { tableQuery } from "../model/queries.ts";
import { useOpenTable } from "./use-structure-change.ts";
import type { TableDraft } from "./use-table-draft.ts";

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
