import { type Fault, RowhouseError } from "@rowhouse/client";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import type { GridColumn } from "../grid/grid-column.ts";
import { useFaultText } from "../model/fault-text.ts";
import { targetOf } from "../model/reference.ts";
import { addressOf, titleOf } from "../model/resource.ts";
import type { FailedWrite, RowChanges } from "../rows/use-row-changes.ts";
import { readText } from "../values/read-text.ts";
import { useWays, type Ways } from "../values/ways.ts";
import {
  type Candidate,
  isPlain,
  type Paste,
  type PasteDraft,
  type PastedReading,
  type PastePlace,
  placePaste,
} from "./paste.ts";
import { type FoundRows, findReferences, isLookedUp } from "./read-references.ts";

/** A fault that the service has found in a line. */
export interface LineFault {
  readonly line: number;
  /** Empty for a fault of the whole line. */
  readonly columns: readonly string[];
  readonly text: string;
}

/** A paste while its person looks at it. */
export interface OpenPaste {
  readonly draft: PasteDraft;
  readonly place: PastePlace;
  readonly paste: Paste;
  /** The faults of the service, until their lines are changed. */
  readonly refused: readonly LineFault[];
  /** A failure of the whole paste. */
  readonly failure: unknown;
  readonly state: "READ" | "READING" | "WRITING";
  /** Changes what the person has arranged. */
  change(draft: PasteDraft): void;
  write(): Promise<void>;
  close(): void;
}

interface PasteParts {
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly changes: RowChanges;
}

/** What is known of a paste. */
interface Known {
  readonly draft: PasteDraft;
  readonly place: PastePlace;
  readonly found: ReadonlyMap<string, FoundRows>;
  readonly refused: readonly LineFault[];
  readonly failure: unknown;
}

/** Candidates that a fault names. */
const candidatesMax = 5;

/** Reads, shows and writes a paste. What does only what its person sees is written at once. */
export function usePaste({ resource, resources, changes }: PasteParts) {
  const t = useTranslations("grid");
  const ways = useWays();
  const faultText = useFaultText();
  const [known, setKnown] = useState<Known | null>(null);
  const [state, setState] = useState<OpenPaste["state"]>("READ");
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const place = useCallback(
    ({ draft, place: at, found }: Known): Paste => {
      const words = {
        ambiguous: (text: string, rows: readonly Candidate[]) =>
          t("paste.ambiguous", { text, count: rows.length, keys: keysOf(rows) }),
        unknown: (text: string, table: string) => t("paste.unknown", { text, table }),
      };
      const read = (item: GridColumn, text: string) =>
        readPasted(item, text, found.get(item.name), { resources, ways, words });
      return placePaste(draft, at, read, t("locked"));
    },
    [ways, resources, t],
  );

  const read = async (next: Known): Promise<Known | null> => {
    abort.current?.abort();
    const own = new AbortController();
    abort.current = own;
    setState("READING");
    const found = await lookUp(next, { resources, ways, signal: own.signal });
    if (own.signal.aborted) return null;
    setState("READ");
    return { ...next, found };
  };

  const faultAt = (line: number | undefined, column: string | undefined, fault: Fault) =>
    line === undefined ? [] : [lineFault(line, column, fault, faultText(fault, resource.columns))];
  /** Returns the faults of the service at their lines; the rest is a failure of the whole. */
  const refusedBy = ({ failure, done }: FailedWrite, paste: Paste): Partial<Known> => {
    if (!(failure instanceof RowhouseError)) return { failure };
    const lines = writtenLines(paste);
    const refused = failure.faults.flatMap((fault) => {
      const row = batchForm.exec(fault.path ?? "");
      return faultAt(
        row?.[1] === undefined ? undefined : lines[done + Number(row[1])],
        row?.[2],
        fault,
      );
    });
    return refused.length === 0 ? { failure } : { refused };
  };

  /** Tries the new rows without creating them, since a failed write names only its first fault. */
  const tried = async (paste: Paste): Promise<readonly LineFault[]> => {
    if (paste.creates.length === 0) return [];
    const lines = paste.creates.map((row) => JSON.stringify(row)).join("\n");
    try {
      const options = { format: "ndjson", dryRun: true } as const;
      await client.from(addressOf(resource)).import(lines, options);
      return [];
    } catch (error) {
      if (!(error instanceof RowhouseError)) return [];
      return error.faults.flatMap((fault) => {
        const row = fileForm.exec(fault.path ?? "");
        return faultAt(
          row?.[1] === undefined ? undefined : paste.createdLines[Number(row[1])],
          row?.[2],
          fault,
        );
      });
    }
  };

  const write = async (next: Known): Promise<void> => {
    setState("WRITING");
    const paste = place(next);
    const refused = await tried(paste);
    const failed =
      refused.length > 0
        ? undefined
        : await changes.attempt({ changes: paste.changes, creates: paste.creates });
    setState("READ");
    if (refused.length > 0) return setKnown({ ...next, refused, failure: undefined });
    if (failed === undefined) return setKnown(null);
    // What was written in an earlier transaction is not written again.
    const done = writtenLines(paste).slice(0, failed.done);
    const draft = { ...next.draft, skipped: new Set([...next.draft.skipped, ...done]) };
    setKnown({ ...next, draft, refused: [], failure: undefined, ...refusedBy(failed, paste) });
  };

  const begin = async (draft: PasteDraft, at: PastePlace): Promise<void> => {
    const next = await read({
      draft,
      place: at,
      found: new Map(),
      refused: [],
      failure: undefined,
    });
    if (next === null) return;
    const paste = place(next);
    if (!isPlain(draft, paste)) setKnown(next);
    else if (paste.changes.length > 0) await write(next);
  };

  const paste = useMemo(() => (known === null ? null : place(known)), [known, place]);
  const open: OpenPaste | null =
    known === null || paste === null
      ? null
      : {
          ...known,
          ...{ paste, state },
          change: (draft) => {
            const changed = (line: number) => draft.table[line] !== known.draft.table[line];
            const isOther =
              draft.target !== known.draft.target || draft.mapping !== known.draft.mapping;
            const refused = isOther ? [] : known.refused.filter(({ line }) => !changed(line));
            const next = { ...known, draft, refused, failure: undefined };
            setKnown(next);
            void read(next).then((done) => done !== null && setKnown(done));
          },
          write: () => write(known),
          close: () => {
            abort.current?.abort();
            setState("READ");
            setKnown(null);
          },
        };
  return { begin, open };
}

/** The paths of faults of a batch, and of a file: the number of the row, and the column. */
const batchForm = /^\/data\/(\d+)(?:\/data(?:\/(.*))?)?$/;
const fileForm = /^\/(\d+)(?:\/(.*))?$/;

function lineFault(
  line: number,
  column: string | undefined,
  { details }: Fault,
  text: string,
): LineFault {
  const { fields } = details ?? {};
  const named = Array.isArray(fields) ? fields.map(String) : [];
  const own = column === undefined || column === "" ? [] : [unescaped(column)];
  return { line, columns: [...new Set([...own, ...named])], text };
}

interface ReadingParts {
  readonly resources: readonly NavigationResource[];
  readonly ways: Ways;
}

/** Finds the rows of those texts of references that are not known yet. */
async function lookUp(
  { draft, place, found }: Known,
  { resources, ways, signal }: ReadingParts & { readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, FoundRows>> {
  const next = new Map(found);
  const lines = draft.table.slice(draft.hasHeads ? 1 : 0);
  for (const [index, name] of draft.mapping.entries()) {
    const item = place.columns.find((each) => each.name === name);
    if (item === undefined || !isLookedUp(item, resources)) continue;
    const last = found.get(item.name);
    const texts = new Set(lines.map((line) => line[index] ?? ""));
    const wanted = [...texts].filter(
      (text) => text.trim() !== "" && text !== "\\N" && last?.has(text) !== true,
    );
    const rows = await findReferences(item, wanted, { resources, ways, signal }).catch(
      // A table that cannot be read gives no titles; the keys are left.
      (): FoundRows => new Map(),
    );
    next.set(item.name, new Map([...(last ?? []), ...rows]));
  }
  return next;
}

/** Reads a text as a value, or as the title or the key of the row that a column refers to. */
function readPasted(
  item: GridColumn,
  text: string,
  found: FoundRows | undefined,
  {
    resources,
    ways,
    words,
  }: ReadingParts & {
    readonly words: {
      readonly ambiguous: (text: string, rows: readonly Candidate[]) => string;
      readonly unknown: (text: string, table: string) => string;
    };
  },
): PastedReading {
  const plain = readText(item.column, text, ways);
  const rows = found?.get(text) ?? [];
  const [only, ...others] = rows;
  if (only !== undefined && others.length > 0) {
    const candidates = rows.slice(0, candidatesMax);
    return { fault: words.ambiguous(text.trim(), rows), candidates };
  }
  if (only !== undefined) {
    return { ...readText(item.column, only.key, ways), title: only.title };
  }
  const target = targetOf(resources, item.reference);
  if ("value" in plain || found === undefined || target === undefined) return plain;
  return { fault: words.unknown(text.trim(), titleOf(target)) };
}

function keysOf(rows: readonly Candidate[]): string {
  const shown = rows.slice(0, candidatesMax).map(({ key }) => key);
  return `${shown.join(", ")}${rows.length > candidatesMax ? ", …" : ""}`;
}

/** The lines of the writes of a paste, in the order in which they are made. */
function writtenLines({ lines, createdLines }: Paste): readonly number[] {
  const changed = lines.filter(
    ({ row, cells, isSkipped }) =>
      row !== undefined && !isSkipped && cells.some((cell) => cell.state === "SET"),
  );
  return [...changed.map(({ line }) => line), ...createdLines];
}

function unescaped(pointer: string): string {
  return pointer.replaceAll("~1", "/").replaceAll("~0", "~");
}
