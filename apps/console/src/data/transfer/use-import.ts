import type { Imported } from "@rowhouse/client";
import { useEffect, useMemo, useRef, useState } from "react";
import { type CellForms, proposeForms } from "../../records/files/cell-forms.ts";
import { guessMapping, type Mapping, subjectOfTitles } from "../../records/files/column-mapping.ts";
import type { FileFault } from "../../records/files/import-faults.ts";
import { type ImportResult, importFile } from "../../records/files/import-file.ts";
import { readSource, type Source } from "../../records/files/read-source.ts";
import { addressOf, referenceOf } from "../../records/model/resource.ts";
import { valueKindOf } from "../../records/values/value-kind.ts";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";

/** What happens to a row whose key exists. */
type OnConflict = "refuse" | "ignore" | "merge";

/** How the cells of a file refer to rows: by their keys, or by their titles where they are no keys. */
export type ReferenceWay = "key" | "title";

/** Where an import is. */
export type ImportStep =
  | { readonly name: "CHOOSE" }
  | { readonly name: "RUN"; readonly isCheck: boolean; readonly part: number }
  | Exclude<ImportResult, { readonly name: "WRITTEN" | "CANCELED" }>
  | { readonly name: "CHECKED" | "DONE"; readonly numbers: Imported };

/** Checks of a file without its faulty rows that follow one another. The service reports 100 faults of each. */
const roundsMax = 20;

/** Whether each fault is one of a row, so that the others can be imported. */
export function isSkippable(
  result: ImportStep | ImportResult,
): result is Extract<ImportResult, { readonly name: "FAULTS" }> {
  return result.name === "FAULTS" && result.faults.every(({ place }) => place !== undefined);
}

function without(source: Source, faults: readonly FileFault[]): Source {
  return { ...source, skipped: new Set(faults.flatMap(({ place }) => place?.row ?? [])) };
}

/** The state of an import, from the choice of a file to its result. */
export function useImport(resource: NavigationResource, onDone: () => void) {
  const columns = useMemo(
    () => resource.columns.filter(({ creatable }) => creatable),
    [resource.columns],
  );
  const referenceNames = useMemo(
    () => new Set(columns.flatMap(({ name }) => (referenceOf(resource, { name }) ? [name] : []))),
    [resource, columns],
  );
  const [source, setSource] = useState<Source | null>(null);
  const [mapping, setMapping] = useState<Mapping>([]);
  const [chosen, setChosen] = useState<Partial<CellForms>>({});
  const [chosenReferences, setReferences] = useState<ReferenceWay>();
  const [onConflict, setOnConflict] = useState<OnConflict>("refuse");
  const [step, setStep] = useState<ImportStep>({ name: "CHOOSE" });
  /** The faults of the rows that the person leaves out. */
  const [skipped, setSkipped] = useState<readonly FileFault[]>([]);
  /** The last file that was chosen. Nothing runs until it is read: the source is still the one before. */
  const reading = useRef<object>(undefined);
  const [isReading, setReading] = useState(false);
  const abort = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const proposed = useMemo(
    () => proposeForms(source?.rows ?? [], mapping, columns),
    [source, mapping, columns],
  );
  const forms = {
    dateFormat: chosen.dateFormat ?? onlyOne(proposed.dateFormats),
    booleanFormat: chosen.booleanFormat ?? onlyOne(proposed.booleanFormats),
    decimal: chosen.decimal ?? onlyOne(proposed.decimals),
  };

  const hasReferences = mapping.some((name) => referenceNames.has(name ?? ""));
  const references =
    chosenReferences ?? (isTitled(source, mapping, columns, referenceNames) ? "title" : "key");

  const choose = async (file: File, as: Parameters<typeof readSource>[1] = {}) => {
    const own = {};
    reading.current = own;
    setReading(true);
    try {
      const read = await readSource(file, as);
      if (reading.current !== own) return;
      // A mended file has the names of the last one, and keeps what was chosen for them.
      const isSame = source !== null && source.names.join("\n") === read.names.join("\n");
      if (!isSame) {
        setMapping(guessMapping(read.names, columns));
        setChosen({});
        setReferences(undefined);
      }
      setSource(read);
      setSkipped([]);
      setStep({ name: "CHOOSE" });
    } catch (error) {
      if (reading.current === own) setStep({ name: "FAILED", error });
    }
    if (reading.current === own) setReading(false);
  };

  const send = (sent: Source, isCheck: boolean): Promise<ImportResult> => {
    abort.current = new AbortController();
    const { signal } = abort.current;
    const onProgress = (part: number) => setStep({ name: "RUN", isCheck, part });
    onProgress(0);
    return importFile({
      ...{ source: sent, mapping, signal, onProgress },
      into: addressOf(resource),
      options: {
        dryRun: isCheck,
        ...(sent.format === "csv" && forms.dateFormat ? { dateFormat: forms.dateFormat } : {}),
        ...(sent.format === "csv" && forms.booleanFormat
          ? { booleanFormat: forms.booleanFormat }
          : {}),
        ...(sent.format === "csv" && forms.decimal ? { decimal: forms.decimal } : {}),
        ...(sent.format === "csv" && hasReferences ? { references } : {}),
        ...(onConflict === "refuse"
          ? {}
          : { onConflict: resource.primaryKey, resolution: onConflict }),
      },
    });
  };
  const end = (result: ImportResult, isCheck: boolean) => {
    if (result.name === "CANCELED") return setStep({ name: "CHOOSE" });
    if (result.name !== "WRITTEN") return setStep(result);
    setStep({ name: isCheck ? "CHECKED" : "DONE", numbers: result.numbers });
    if (!isCheck) onDone();
  };
  const run = async (isCheck: boolean) => {
    if (source !== null) end(await send(without(source, skipped), isCheck), isCheck);
  };
  /**
   * Leaves the rows of the shown faults out and imports the others. If the service has reported a part of the faults, it
   * checks the others only, again without the next faulty rows, until none is left or the rounds are.
   */
  const skip = async () => {
    if (source === null || step.name !== "FAULTS") return;
    const isCheck = step.count > step.faults.length;
    let result: ImportResult = step;
    let left = skipped;
    for (let round = 0; round < roundsMax && isSkippable(result); round += 1) {
      if (round > 0 && !isCheck) break;
      left = [...left, ...result.faults];
      setSkipped(left);
      result = await send(without(source, left), isCheck);
    }
    end(result, isCheck);
  };

  const change = (parts: { readonly mapping?: Mapping; readonly onConflict?: OnConflict }) => {
    if (parts.mapping !== undefined) setMapping(parts.mapping);
    if (parts.onConflict !== undefined) setOnConflict(parts.onConflict);
    setSkipped([]);
    setStep({ name: "CHOOSE" });
  };
  const changeForms = (parts: Partial<CellForms>) => {
    setChosen({ ...chosen, ...parts });
    setSkipped([]);
    setStep({ name: "CHOOSE" });
  };
  const refer = (by: ReferenceWay) => {
    setReferences(by);
    setSkipped([]);
    setStep({ name: "CHOOSE" });
  };
  const cancel = () => abort.current?.abort();
  return {
    ...{ columns, source, isReading, mapping, onConflict, step, forms, proposed, skipped },
    ...{ choose, run, skip, change, changeForms, cancel, refer },
    /** Null for a file without columns that refer to rows. */
    references: hasReferences ? references : null,
  };
}

/** Whether a cell of the sample cannot be the key of the row that its column refers to. */
function isTitled(
  source: Source | null,
  mapping: Mapping,
  columns: readonly NavigationColumn[],
  names: ReadonlySet<string>,
): boolean {
  return mapping.some((name, index) => {
    const column = columns.find((each) => each.name === name);
    if (column === undefined || !names.has(column.name)) return false;
    if (subjectOfTitles(source?.names[index] ?? "") !== null) return true;
    const isNumber = valueKindOf(column) === "INTEGER";
    const isKey = (cell: string) =>
      isNumber ? /^\s*-?\d*\s*$/.test(cell) : !/\s/.test(cell.trim());
    return source?.rows.some((row) => !isKey(row[index] ?? "")) === true;
  });
}

/** The one value of a list; undefined if the person must choose among several. */
function onlyOne<Value>(values: readonly Value[]): Value | undefined {
  return values.length === 1 ? values[0] : undefined;
}

/** The state and the actions of an import. */
export type Import = ReturnType<typeof useImport>;
