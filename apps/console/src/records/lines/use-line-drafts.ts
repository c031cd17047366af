import { useCallback, useRef, useState } from "react";
import type { NavigationRelation } from "../../shell/navigation.ts";
import { PendingText } from "../editors/draft.ts";
import { useFaultText } from "../model/fault-text.ts";
import { isEqual } from "../model/is-equal.ts";
import { keyOf, type Row } from "../model/resource.ts";
import type { GridRow } from "../rows/row-store.ts";
import type { RecordLines } from "../rows/row-writes.ts";
import type { LineList } from "./line-list.ts";
import {
  countMissing,
  type LinesDraft,
  placeLineFaults,
  type SentLine,
  unreadOf,
  writesOf,
} from "./lines-draft.ts";

/** Writes of one batch, besides that of the record. */
const linesMax = 99;

/** The edits of all lines of a form, and what became of them. */
export interface LineDrafts {
  readonly lists: readonly LineList[];
  draftOf(list: LineList): LinesDraft;
  set(list: LineList, change: (last: LinesDraft) => LinesDraft): void;
  /** The number of edited lines. */
  readonly count: number;
  /** Required fields of new lines that are empty. */
  readonly missing: number;
  /** Whether a text is no value, or more lines are edited than one save writes. */
  readonly isUnready: boolean;
  /** Whether a text is being looked up. */
  readonly isPending: boolean;
  readonly isTooMany: boolean;
  /** The writes of all edits, to be sent once; undefined for none. */
  collect(record: GridRow | undefined): RecordLines | undefined;
  /** Drops the edits that were written. What was typed meanwhile stays, over the rows as they are now. */
  settle(): void;
  discard(): void;
  /** The id that a line had as a new one, so that the focus stays in it. */
  idOf(list: LineList, row: Pick<GridRow, "id">): string;
  /** An id that no line has. */
  nextId(list: LineList): string;
  /** Places the faults of the last save. */
  place(error: unknown): ReturnType<typeof placeLineFaults>;
}

interface Sent extends SentLine {
  readonly list: LineList;
}

interface Written {
  readonly row: Row;
  readonly etag: string | undefined;
}

const none: LinesDraft = [];

/** Keeps the edits of lists of lines until they are saved with their record. */
export function useLineDrafts(lists: readonly LineList[]): LineDrafts {
  const textOf = useFaultText();
  const [drafts, setDrafts] = useState<Readonly<Record<string, LinesDraft>>>({});
  const [sent, setSent] = useState<readonly Sent[]>([]);
  /** The writes of the last batch before those of the lines. */
  const [before, setBefore] = useState(0);
  const sending = useRef<readonly Sent[]>([]);
  const written = useRef(new Map<string, Written>());
  const [ids, setIds] = useState<ReadonlyMap<string, string>>(new Map());
  const keepId = ({ name }: NavigationRelation, rowId: string, id: string): void =>
    setIds((last) => new Map(last).set(`${name} ${rowId}`, last.get(`${name} ${id}`) ?? id));
  const set = useCallback<LineDrafts["set"]>(
    ({ relation: { name } }, change) =>
      setDrafts((last) => {
        const before = last[name] ?? none;
        const after = change(before);
        return after === before ? last : { ...last, [name]: after };
      }),
    [],
  );
  const draftOf = ({ relation }: LineList): LinesDraft => drafts[relation.name] ?? none;
  const all = lists.map((list) => ({ list, draft: draftOf(list) }));
  const count = all.reduce((sum, { draft }) => sum + draft.length, 0);
  const unread = all.flatMap(({ draft }) => unreadOf(draft));
  return {
    ...{ lists, draftOf, count, set },
    missing: all.reduce((sum, { list, draft }) => sum + countMissing(list, draft), 0),
    isUnready: unread.length > 0 || count > linesMax,
    isPending: unread.some((text) => text instanceof PendingText),
    isTooMany: count > linesMax,
    collect: (record) => {
      written.current = new Map();
      sending.current = all.flatMap(({ list, draft }) =>
        writesOf(list, draft).map((one) => ({ ...one, list })),
      );
      setSent(sending.current);
      if (sending.current.length === 0) return undefined;
      const writes = sending.current.map(({ edit, write, list: { relation, target } }) => ({
        ...write,
        onWritten: (row: Row, etag: string | undefined) => {
          written.current.set(edit.id, { row, etag });
          const key = keyOf(target, row);
          if (key !== null) keepId(relation, JSON.stringify(key), edit.id);
        },
      }));
      return { record, writes, onSend: setBefore };
    },
    settle: () => {
      const done = sending.current;
      const results = written.current;
      setDrafts((last) =>
        Object.fromEntries(
          Object.entries(last).map(([name, draft]) => [name, settled(name, draft, done, results)]),
        ),
      );
      setSent([]);
    },
    discard: () => {
      setDrafts({});
      setSent([]);
    },
    idOf: ({ relation }, row) => ids.get(`${relation.name} ${row.id}`) ?? row.id,
    nextId: (list) => {
      const used = [...draftOf(list).map(({ id }) => id), ...ids.values()];
      return `new ${1 + Math.max(0, ...used.map((id) => Number(/^new (\d+)$/.exec(id)?.[1] ?? 0)))}`;
    },
    place: (error) =>
      placeLineFaults(
        error,
        before,
        sent.map(({ edit, list }) => ({
          id: `${list.relation.name} ${edit.id}`,
          columns: list.target.columns,
        })),
        textOf,
      ),
  };
}

/** Returns what is left of a draft after a save: edits that were changed while it ran, over the rows as they are now. */
function settled(
  relation: string,
  draft: LinesDraft,
  sent: readonly Sent[],
  results: ReadonlyMap<string, Written>,
): LinesDraft {
  return draft.flatMap((edit): LinesDraft => {
    const one = sent.find(
      (each) => each.list.relation.name === relation && each.edit.id === edit.id,
    );
    if (one === undefined) return [edit];
    const result = results.get(edit.id);
    if (one.edit === edit || edit.kind === "REMOVE" || result === undefined) return [];
    const key = keyOf(one.list.target, result.row);
    const base = { id: JSON.stringify(key), key, values: result.row, etag: result.etag };
    const values = Object.fromEntries(
      Object.entries(edit.values).filter(([name, value]) => !isEqual(value, result.row[name])),
    );
    if (key === null || Object.keys(values).length === 0) return [];
    return [{ kind: "CHANGE", id: base.id, base, values }];
  });
}
