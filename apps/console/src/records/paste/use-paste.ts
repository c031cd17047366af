import { RowhouseError } from "@rowhouse/client";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import type { GridColumn } from "../grid/grid-column.ts";
import { type ShownFault, useFaultText } from "../model/fault-text.ts";
import { addressOf, titleOf } from "../model/resource.ts";
import type { FailedWrite, RowChanges } from "../rows/use-row-changes.ts";
import { readText } from "../values/read-text.ts";
import { useWays } from "../values/ways.ts";
import {
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
    ({ draft, place: at, found }: Pick<Known, "draft" | "place" | "found">): Paste => {
      const read = (item: GridColumn, text: string): PastedReading => {
        const plain = readText(item.column, text, ways);
        const rows = found.get(item.name)?.get(text);
        const [only] = rows ?? [];
        if (rows !== undefined && rows.length > 1) {
          const candidates = rows.slice(0, candidatesMax);
          const fault = t("paste.ambiguous", {
            ...{ text: text.trim(), count: rows.length },
            keys: `${candidates.map(({ key }) => key).join(", ")}${rows.length > candidatesMax ? ", …" : ""}`,
          });
          return { fault, candidates };
        }
        if (only !== undefined)
          return { ...readText(item.column, only.key, ways), title: only.title };
        if ("value" in plain || !found.has(item.name)) return plain;
        const { reference } = item;
        const target = resources.find(({ id }) => id === reference?.resource.id);
        return target === undefined
          ? plain
          : { fault: t("paste.unknown", { text: text.trim(), table: titleOf(target) }) };
      };
      return placePaste(draft, at, read, t("locked"));
    },
    [ways, resources, t],
  );

  /** Finds the rows of those texts of references that are not known yet. */
  const lookUp = async (
    { draft, place: at, found }: Pick<Known, "draft" | "place" | "found">,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, FoundRows>> => {
    const next = new Map(found);
    const lines = draft.table.slice(draft.hasHeads ? 1 : 0);
    for (const [index, name] of draft.mapping.entries()) {
      const item = at.columns.find((each) => each.name === name);
      if (item === undefined || !isLookedUp(item, resources)) continue;
      const last = found.get(item.name);
      const texts = lines.map((texts) => texts[index] ?? "");
      const wanted = [...new Set(texts)].filter(
        (text) => text.trim() !== "" && text !== "\\N" && last?.has(text) !== true,
      );
      const rows = await findReferences(item, wanted, { resources, ways, signal }).catch(
        // A table that cannot be read gives no titles; the keys are left.
        (): FoundRows => new Map(),
      );
      next.set(item.name, new Map([...(last ?? []), ...rows]));
    }
    return next;
  };

  const read = async (next: Known): Promise<Known | null> => {
    abort.current?.abort();
    const own = new AbortController();
    abort.current = own;
    setState("READING");
    const found = await lookUp(next, own.signal);
    if (own.signal.aborted) return null;
    setState("READ");
    return { ...next, found };
  };

  /** Returns the faults of the service at their lines; the rest is a failure of the whole. */
  const refusedBy = ({ failure, done }: FailedWrite, paste: Paste): Partial<Known> => {
    if (!(failure instanceof RowhouseError)) return { failure };
    const lines = writtenLines(paste);
    const refused = failure.faults.flatMap((fault) => {
      const row = /^\/data\/(\d+)(?:\/data(?:\/(.*))?)?$/.exec(fault.path ?? "");
      const line = row?.[1] === undefined ? undefined : lines[done + Number(row[1])];
      return line === undefined ? [] : [lineFault(line, row?.[2], fault)];
    });
    return refused.length === 0 ? { failure } : { refused };
  };
  const lineFault = (line: number, column: string | undefined, fault: ShownFault): LineFault => {
    const { fields } = fault.details ?? {};
    const named = Array.isArray(fields) ? fields.map(String) : [];
    const own = column === undefined || column === "" ? [] : [unescaped(column)];
    return {
      line,
      columns: [...new Set([...own, ...named])],
      text: faultText(fault, resource.columns),
    };
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
        const row = /^\/(\d+)(?:\/(.*))?$/.exec(fault.path ?? "");
        const line = row?.[1] === undefined ? undefined : paste.createdLines[Number(row[1])];
        return line === undefined ? [] : [lineFault(line, row?.[2], fault)];
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
