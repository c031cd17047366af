import type { Imported } from "@rowhouse/client";
import { useEffect, useRef, useState } from "react";
import { guessMapping, type Mapping } from "../../records/files/column-mapping.ts";
import { type ImportResult, importFile } from "../../records/files/import-file.ts";
import { readSource, type Source } from "../../records/files/read-source.ts";
import { addressOf } from "../../records/model/resource.ts";
import type { NavigationResource } from "../../shell/navigation.ts";

/** What happens to a row whose key exists. */
export type OnConflict = "refuse" | "ignore" | "merge";

/** Where an import is. */
export type ImportStep =
  | { readonly name: "CHOOSE" }
  | { readonly name: "RUN"; readonly isCheck: boolean; readonly part: number }
  | Exclude<ImportResult, { readonly name: "WRITTEN" | "CANCELED" }>
  | { readonly name: "CHECKED" | "DONE"; readonly numbers: Imported };

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
    const onProgress = (part: number) => setStep({ name: "RUN", isCheck, part });
    onProgress(0);
    const result = await importFile({
      ...{ source, mapping, signal, onProgress },
      into: addressOf(resource),
      options: {
        dryRun: isCheck,
        ...(onConflict === "refuse"
          ? {}
          : { onConflict: resource.primaryKey, resolution: onConflict }),
      },
    });
    if (result.name === "CANCELED") return setStep({ name: "CHOOSE" });
    if (result.name !== "WRITTEN") return setStep(result);
    setStep({ name: isCheck ? "CHECKED" : "DONE", numbers: result.numbers });
    if (!isCheck) onDone();
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
