import { useEffect, useRef, useState } from "react";
import { readSource } from "../../records/files/read-source.ts";
import type { TableDraft } from "../draft/use-table-draft.ts";
import { type Proposal, proposeTable } from "./propose-table.ts";
import { readProfile } from "./read-profile.ts";

type Reading =
  /** `EMPTY`: the file names no columns. */
  | { readonly name: "IDLE" | "EMPTY" }
  | { readonly name: "READING"; readonly rows: number }
  | { readonly name: "FAILED"; readonly error: unknown };

/** A file whose rows a new table is to have. */
export interface FileProposal {
  readonly reading: Reading;
  /** Undefined without a file, and once the draft has none of its columns. */
  readonly proposal: Proposal | undefined;
  choose(file: File): Promise<void>;
  cancel(): void;
}

/** Reads a file and makes its proposal the draft. The edits of the draft stay if a file with the same names follows. */
export function useFileProposal({ draft, change }: TableDraft): FileProposal {
  const [reading, setReading] = useState<Reading>({ name: "IDLE" });
  const [last, setLast] = useState<Proposal>();
  const abort = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const isUsed = last?.columnIds.some((id) => draft.added.some((column) => column.id === id));
  const proposal = isUsed === true ? last : undefined;

  const choose = async (file: File) => {
    abort.current?.abort();
    abort.current = new AbortController();
    const { signal } = abort.current;
    const onRows = (rows: number) => setReading({ name: "READING", rows });
    onRows(0);
    try {
      const profile = await readProfile(await readSource(file), onRows, signal);
      const { names } = profile.source;
      const isSame = proposal?.profile.source.names.join("\n") === names.join("\n");
      if (isSame) setLast({ ...proposal, profile });
      else if (names.length > 0) {
        const next = proposeTable(profile);
        setLast(next);
        change(() => next.draft);
      }
      setReading({ name: names.length > 0 ? "IDLE" : "EMPTY" });
    } catch (error) {
      if (signal.aborted) setReading({ name: "IDLE" });
      else setReading({ name: "FAILED", error });
    }
  };
  return { reading, proposal, choose, cancel: () => abort.current?.abort() };
}
