import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { flushSync } from "react-dom";
import { client } from "../../shell/client.ts";
import { type Task, useTask } from "../../shell/use-task.ts";
import { compileNewTable } from "../model/compile-new-table.ts";
import type { Change } from "../model/draft.ts";
import { structurePath } from "../model/paths.ts";
import { tableQuery } from "../model/queries.ts";
import { useStructureChange } from "./use-structure-change.ts";
import type { TableDraft } from "./use-table-draft.ts";

/** Returns the task that makes the changes of a draft, each confirmed with the text at its pointer. */
export function useApply(
  { schema, table, etag, draft, compiled, discard }: TableDraft,
  confirmations: Readonly<Record<string, string>>,
  onDone: () => void,
): Task {
  const queries = useQueryClient();
  const router = useRouter();
  const onChange = useStructureChange();
  return useTask(async () => {
    const name =
      table === null
        ? await create(schema, compileNewTable(draft))
        : await alter(table.name, confirmedChanges());
    // The draft is empty before the page asks whether it may be left.
    flushSync(() => {
      discard();
      onDone();
    });
    if (name !== table?.name) {
      await router.navigate({ href: structurePath(schema, "table", name), replace: true });
    }
    await onChange();
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

async function create(schema: string, data: ReturnType<typeof compileNewTable>): Promise<string> {
  return (await client.admin.post("/schema/{schema}/tables", { path: { schema }, data })).data.name;
}
