import { useEffect, useRef, useState } from "react";
import { type ImportResult, importFile } from "../../records/files/import-file.ts";
import { readSource, type Source } from "../../records/files/read-source.ts";
import { client } from "../../shell/client.ts";
import { useTask } from "../../shell/use-task.ts";
import { createTable } from "../draft/use-apply.ts";
import { useOpenTable, useStructureChange } from "../draft/use-structure-change.ts";
import type { TableDraft } from "../draft/use-table-draft.ts";
import { mappingOf, type Proposal } from "./propose-table.ts";

type Step =
  | { readonly name: "CONFIRM" }
  | { readonly name: "RUN"; readonly part: number }
  | ImportResult;

type Method = "GET" | "POST" | "PATCH" | "DELETE";

const allMethods: Method[] = ["GET", "POST", "PATCH", "DELETE"];

/**
 * Creates the table of a draft and then imports the rows of its file. These are two transactions: if the service refuses
 * the rows, the table is there and empty, and the person keeps or drops it.
 */
export function useCreateFromFile(tableDraft: TableDraft, proposal: Proposal) {
  const { schema, draft } = tableDraft;
  const [isExposed, setExposed] = useState(true);
  const [step, setStep] = useState<Step>({ name: "CONFIRM" });
  const created = useRef<Awaited<ReturnType<typeof createTable>>>(undefined);
  const abort = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const onChange = useStructureChange();
  const openTable = useOpenTable(tableDraft);

  const expose = async (exposedMethods: Method[]) => {
    const path = { id: created.current?.resourceId ?? "" };
    await client.admin.patch("/resources/{id}", { path, data: { exposedMethods } });
  };
  const importRows = async (source: Source): Promise<void> => {
    const { name = "" } = created.current ?? {};
    abort.current = new AbortController();
    const { signal } = abort.current;
    const onProgress = (part: number) => setStep({ name: "RUN", part });
    onProgress(0);
    try {
      // The import is a request of the Data API. A new table has no grant, so nobody else may use it meanwhile.
      await expose(isExposed ? allMethods : ["POST"]);
      const mapping = mappingOf(source, proposal, draft);
      const into = { schema, name, kind: "table" as const };
      const result = await importFile({ source, mapping, into, signal, onProgress });
      if (!isExposed) await expose([]);
      setStep(result);
    } catch (error) {
      setStep({ name: "FAILED", error });
    }
    await onChange();
  };
  const create = useTask(async () => {
    created.current = await createTable(schema, draft);
    await importRows(proposal.profile.source);
  }, []);
  const again = async (file: File) => {
    try {
      await importRows(await readSource(file));
    } catch (error) {
      setStep({ name: "FAILED", error });
    }
  };
  const drop = useTask(async () => {
    const { name = "" } = created.current ?? {};
    const path = { schema, table: name };
    await client.admin.delete("/schema/{schema}/tables/{table}", {
      path,
      query: { confirm: name },
    });
    created.current = undefined;
    await onChange();
    setStep({ name: "CONFIRM" });
  }, []);
  return {
    ...{ step, isExposed, setExposed, create, drop },
    /** Imports the rows of a mended file. */
    again: (file: File) => void again(file),
    cancel: () => abort.current?.abort(),
    /** Opens the page of the table. */
    open: () => void openTable(created.current?.name ?? ""),
  };
}
