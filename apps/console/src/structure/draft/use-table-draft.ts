import { useMemo, useState } from "react";
import { type CompiledDraft, compileDraft, compileNewTable } from "../model/compile-draft.ts";
import { createTableDraft, type Draft, emptyDraft } from "../model/draft.ts";
import { locateChanges, locateDefinition, type PlacedText } from "../model/places.ts";
import type { Table } from "../model/queries.ts";
import { type Preview, usePreview } from "./use-preview.ts";

/** A table with the draft of its change. */
export interface TableDraft {
  readonly schema: string;
  /** Null for a new table. */
  readonly table: Table | null;
  readonly etag: string | undefined;
  /** Whether the table is kept in files, and its person has not decided to edit it anyway. */
  readonly isLocked: boolean;
  readonly draft: Draft;
  readonly compiled: CompiledDraft;
  readonly preview: Preview;
  /** The number of changes; for a new table that of its columns with a name. */
  readonly changeCount: number;
  /** Whether a person has changed anything, also what the service is not asked about yet. */
  readonly isChanged: boolean;
  change(edit: (draft: Draft) => Draft): void;
  discard(): void;
  /** The faults of a place, such as `column/id`. */
  faultsAt(place: string): readonly PlacedText[];
}

const nothing: CompiledDraft = { changes: [], missing: [] };

/** Collects the changes of a table, and asks for their effects. The draft stays when the table is read again. */
export function useTableDraft(
  schema: string,
  table: Table | null,
  etag: string | undefined,
  isLocked: boolean,
): TableDraft {
  const [first] = useState(() => (table === null ? createTableDraft() : emptyDraft));
  const [draft, setDraft] = useState(first);
  const compiled = useMemo(
    () => (table === null ? nothing : compileDraft(table, draft)),
    [table, draft],
  );
  const body = useMemo(() => bodyOf(table, draft, compiled), [table, draft, compiled]);
  const preview = usePreview({
    ...{ schema, etag, body, changes: compiled.changes },
    table: table?.name ?? null,
    locate: table === null ? locateDefinition(draft) : locateChanges(compiled),
  });
  return {
    ...{ schema, table, etag, isLocked, draft, compiled, preview },
    changeCount: table === null ? compileNewTable(draft).columns.length : compiled.changes.length,
    isChanged: draft !== first && draft !== emptyDraft,
    change: setDraft,
    discard: () => setDraft(first),
    faultsAt: (place) => preview.faults.filter((fault) => fault.place === place),
  };
}

/** A new table is asked about once it has a name. */
function bodyOf(table: Table | null, draft: Draft, { changes }: CompiledDraft): string {
  if (table === null) return draft.name === "" ? "" : JSON.stringify(compileNewTable(draft));
  return changes.length === 0 ? "" : JSON.stringify({ changes: changes.map((one) => one.change) });
}
