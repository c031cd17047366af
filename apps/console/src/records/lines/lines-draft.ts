import { type Fault, RowhouseError } from "@rowhouse/client";
import { UnreadText } from "../editors/draft.ts";
import { type FieldFaults, placeFaults } from "../fields/form-fields.ts";
import { isEqual } from "../model/is-equal.ts";
import type { Row } from "../model/resource.ts";
import type { GridRow } from "../rows/row-store.ts";
import type { LineWrite } from "../rows/row-writes.ts";
import type { LineList } from "./line-list.ts";

/** A line that was edited and is not saved. */
type LineEdit =
  | { readonly kind: "ADD"; readonly id: string; readonly values: Row }
  | {
      readonly kind: "CHANGE";
      readonly id: string;
      readonly base: GridRow;
      readonly values: Row;
      /** What another person has written since the line was read, once this one sees it. */
      readonly theirs?: Row;
    }
  | { readonly kind: "REMOVE"; readonly id: string; readonly base: GridRow };

/** The edits of one list, in the order in which they were begun. */
export type LinesDraft = readonly LineEdit[];

/** A line as the form shows it. */
export interface Line {
  readonly id: string;
  /** The row as it was read; undefined for a new line. */
  readonly base: GridRow | undefined;
  readonly values: Row;
  readonly isRemoved: boolean;
  /** What another person has written meanwhile; a save replaces it in the edited fields. */
  readonly theirs: Row | undefined;
}

/**
 * Returns the lines of a list: its rows with their edits, and the new ones.
 *
 * @param idOf returns the id that a row had as a new line, or its own
 */
export function linesOf(
  rows: readonly GridRow[],
  draft: LinesDraft,
  idOf: (row: GridRow) => string,
): readonly Line[] {
  const byId = new Map(draft.map((edit) => [edit.id, edit]));
  const newLine = (id: string, values: Row): Line => ({
    ...{ id, base: undefined, values, isRemoved: false, theirs: undefined },
  });
  const stored = rows.map((row): Line => {
    const edit = byId.get(row.id) ?? byId.get(idOf(row));
    byId.delete(edit?.id ?? "");
    // A line that was just created is shown once.
    if (edit?.kind === "ADD") return newLine(edit.id, edit.values);
    const isRemoved = edit?.kind === "REMOVE";
    const values = edit?.kind === "CHANGE" ? { ...row.values, ...edit.values } : row.values;
    const theirs = edit?.kind === "CHANGE" ? edit.theirs : undefined;
    return { id: row.id, base: row, values, isRemoved, theirs };
  });
  // A line that another person has deleted since keeps what was typed.
  const others = [...byId.values()].flatMap((edit): readonly Line[] => {
    if (edit.kind === "REMOVE") return [];
    if (edit.kind === "ADD") return [newLine(edit.id, edit.values)];
    const values = { ...edit.base.values, ...edit.values };
    return [{ id: edit.id, base: edit.base, values, isRemoved: false, theirs: undefined }];
  });
  return [...stored, ...others];
}

/** Sets values of a line. One that has its stored values again is no longer edited, nor is a new one without a value. */
export function setLine(
  draft: LinesDraft,
  { id, base }: Pick<Line, "id" | "base">,
  values: Row,
): LinesDraft {
  const last = draft.find((edit) => edit.id === id);
  const all = Object.entries({ ...(last?.kind === "REMOVE" ? {} : last?.values), ...values });
  const kept = Object.fromEntries(
    all.filter(([name, value]) =>
      base === undefined ? value !== undefined : !isEqual(value, base.values[name]),
    ),
  );
  if (Object.keys(kept).length === 0) return draft.filter((edit) => edit.id !== id);
  const edit: LineEdit =
    base === undefined
      ? { kind: "ADD", id, values: kept }
      : // The version that the person began from, so that the save finds a change of another person.
        {
          ...{ kind: "CHANGE", id, base: last?.kind === "CHANGE" ? last.base : base, values: kept },
          ...(last?.kind === "CHANGE" && last.theirs !== undefined ? { theirs: last.theirs } : {}),
        };
  return last === undefined ? [...draft, edit] : draft.map((one) => (one.id === id ? edit : one));
}

/**
 * Continues edits over the rows as they are now, after a save has found changes of another person; the next save replaces
 * these. Returns the same draft if there is none.
 */
export function rebase(draft: LinesDraft, rows: readonly GridRow[]): LinesDraft {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const isOld = (edit: LineEdit): edit is Exclude<LineEdit, { kind: "ADD" }> => {
    const row = byId.get(edit.id);
    return edit.kind !== "ADD" && row !== undefined && row.etag !== edit.base.etag;
  };
  if (!draft.some(isOld)) return draft;
  return draft.flatMap((edit): LinesDraft => {
    const row = byId.get(edit.id);
    if (row === undefined || !isOld(edit)) return [edit];
    // Who removes a line sees first what it has become.
    if (edit.kind === "REMOVE") return [];
    const changed = Object.entries(row.values).filter(
      ([name, value]) => !isEqual(value, edit.base.values[name]),
    );
    return [{ ...edit, base: row, theirs: Object.fromEntries(changed) }];
  });
}

/** Removes a line: a new one at once, another one with the save. */
export function removeLine(draft: LinesDraft, { id, base }: Pick<Line, "id" | "base">): LinesDraft {
  const others = draft.filter((edit) => edit.id !== id);
  return base === undefined ? others : [...others, { kind: "REMOVE", id, base }];
}

/** Takes back the edits of a line. */
export function restoreLine(draft: LinesDraft, id: string): LinesDraft {
  return draft.filter((edit) => edit.id !== id);
}

/** Returns the number of required fields of new lines that are empty. */
export function countMissing({ fields }: LineList, draft: LinesDraft): number {
  const columns = fields.flatMap((field) =>
    field.kind === "COLUMN" ? [field.column] : field.reference.columns,
  );
  const required = columns.filter((column) => column.required);
  return draft.reduce((count, edit) => {
    if (edit.kind !== "ADD") return count;
    return count + required.filter(({ name }) => (edit.values[name] ?? null) === null).length;
  }, 0);
}

/** Returns the texts of a draft that no value could be made of. */
export function unreadOf(draft: LinesDraft): readonly UnreadText[] {
  return draft.flatMap((edit) =>
    edit.kind === "REMOVE"
      ? []
      : Object.values(edit.values).filter((value) => value instanceof UnreadText),
  );
}

/** An edit with its write. */
export interface SentLine {
  readonly edit: LineEdit;
  readonly write: LineWrite;
}

/** Returns the writes of a draft: deletions first, so that a new line may have the key of a deleted one. */
export function writesOf({ target, relation }: LineList, draft: LinesDraft): readonly SentLine[] {
  const order = { REMOVE: 0, CHANGE: 1, ADD: 2 } as const;
  const edits = draft.toSorted((a, b) => order[a.kind] - order[b.kind]);
  return edits.map((edit) => {
    const write: LineWrite =
      edit.kind === "ADD"
        ? { kind: "ADD", target, values: edit.values, pairs: relation.columns ?? [] }
        : edit.kind === "CHANGE"
          ? { kind: "CHANGE", target, row: edit.base, after: edit.values }
          : { kind: "REMOVE", target, row: edit.base };
    return { edit, write };
  });
}

/** The faults of one line. */
export interface LineFaults {
  readonly fields: FieldFaults;
  /** Sentences that no field has. */
  readonly others: readonly string[];
}

/** A line of a save, with what its faults may name. */
interface SentNames {
  readonly id: string;
  readonly columns: LineList["target"]["columns"];
}

const place = /^\/data\/(\d+)(?:\/|$)/;

/**
 * Places the faults of a failed batch at its lines.
 *
 * @param own the number of writes before the lines
 * @param sent the lines in the order of their writes
 * @param isComplete whether every fault has a line
 */
export function placeLineFaults(
  error: unknown,
  own: number,
  sent: readonly SentNames[],
  textOf: (fault: Fault, columns: SentNames["columns"]) => string,
): { readonly byLine: ReadonlyMap<string, LineFaults>; readonly rest: unknown } {
  if (!(error instanceof RowhouseError)) return { byLine: new Map(), rest: error };
  const byLine = new Map<string, LineFaults>();
  const left: Fault[] = [];
  const ofLines = new Map<number, Fault[]>();
  for (const fault of error.faults) {
    const position = Number(place.exec(fault.path ?? "")?.[1] ?? Number.NaN) - own;
    if (!(position >= 0 && position < sent.length)) left.push(fault);
    else ofLines.set(position, [...(ofLines.get(position) ?? []), fault]);
  }
  for (const [position, faults] of ofLines) {
    const line = sent[position];
    if (line === undefined) continue;
    const names = line.columns.map(({ name }) => name);
    const own = (fault: Fault) => textOf(fault, line.columns);
    const fields = placeFaults(faults, "/data/0/data", names, own);
    const placed = new Set(names.map((name) => fields.of(name)));
    const others = faults.map(own).filter((text) => !placed.has(text));
    byLine.set(line.id, { fields, others });
  }
  const [first, ...more] = left;
  if (first === undefined) return { byLine, rest: undefined };
  const { method, path, status } = error;
  return { byLine, rest: new RowhouseError({ method, path, status, faults: [first, ...more] }) };
}
