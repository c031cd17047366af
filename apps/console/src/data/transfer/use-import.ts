import { RowhouseError } from "@rowhouse/client";
import { useEffect, useRef, useState } from "react";
import { addressOf } from "../../records/model/resource.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { guessMapping, type Mapping } from "./column-mapping.ts";
import { type FileFault, placeFaults } from "./import-faults.ts";
import { readSource, type Source } from "./read-source.ts";
import { rewriteFile } from "./rewrite-file.ts";
import { uploadClient } from "./upload-client.ts";

/** What happens to a row whose key exists. */
export type OnConflict = "refuse" | "ignore" | "merge";

/** Numbers of rows of an import or of its check. */
interface Numbers {
  readonly inserted: number;
  readonly updated: number;
  readonly skipped: number;
}

/** Where an import is. */
export type ImportStep =
  | { readonly name: "CHOOSE" }
  | { readonly name: "RUN"; readonly isCheck: boolean; readonly part: number }
  | { readonly name: "FAULTS"; readonly faults: readonly FileFault[]; readonly count: number }
  | { readonly name: "FAILED"; readonly error: unknown }
  | { readonly name: "CHECKED" | "DONE"; readonly numbers: Numbers };

/** The state of an import, from the choice of a file to its result. */
export function useImport(resource: NavigationResource, onDone: () => void) {
  const columns = resource.columns.filter(({ creatable }) => creatable);
  const [source, setSource] = useState<Source | null>(null);
  const [mapping, setMapping] = useState<Mapping>([]);
  const [onConflict, setOnConflict] = useState<OnConflict>("refuse");
  const [step, setStep] = useState<ImportStep>({ name: "CHOOSE" });
  const abort = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const choose = async (file: File) => {
    try {
      const read = await readSource(file);
      // A mended file has the names of the last one, and keeps what was chosen for them.
      const isSame = source !== null && source.names.join("\n") === read.names.join("\n");
      if (!isSame) setMapping(guessMapping(read.names, columns));
      setSource(read);
      setStep({ name: "CHOOSE" });
    } catch (error) {
      setStep({ name: "FAILED", error });
    }
  };

  const run = async (isCheck: boolean) => {
    if (source === null) return;
    abort.current = new AbortController();
    const { signal } = abort.current;
    const show = (part: number) => setStep({ name: "RUN", isCheck, part });
    show(0);
    try {
      const content = await rewriteFile(source, mapping, signal);
      const numbers = await uploadClient(show)
        .from(addressOf(resource))
        .import(content, {
          ...{ format: source.format, dryRun: isCheck, signal },
          ...(onConflict === "refuse"
            ? {}
            : { onConflict: resource.primaryKey, resolution: onConflict }),
        });
      setStep({ name: isCheck ? "CHECKED" : "DONE", numbers });
      if (!isCheck) onDone();
    } catch (error) {
      if (signal.aborted) return setStep({ name: "CHOOSE" });
      if (!(error instanceof RowhouseError) || !error.faults.some(isOfFile)) {
        return setStep({ name: "FAILED", error });
      }
      const faults = await placeFaults(source, error.faults);
      setStep({ name: "FAULTS", faults, count: error.faultCount });
    }
  };

  const change = (parts: { readonly mapping?: Mapping; readonly onConflict?: OnConflict }) => {
    if (parts.mapping !== undefined) setMapping(parts.mapping);
    if (parts.onConflict !== undefined) setOnConflict(parts.onConflict);
    setStep({ name: "CHOOSE" });
  };
  const cancel = () => abort.current?.abort();
  return { columns, source, mapping, onConflict, step, choose, run, change, cancel };
}

/** The state and the actions of an import. */
export type Import = ReturnType<typeof useImport>;

/** Whether a fault is at a place of the file. */
function isOfFile({ path }: { readonly path?: string }): boolean {
  return path?.startsWith("/") === true;
}
