import type { NavigationColumn } from "../../shell/navigation.ts";
import { guessMapping, type Mapping, subjectOfTitles } from "../files/column-mapping.ts";
import type { GridColumn } from "../grid/grid-column.ts";
import type { GridRange } from "../grid/grid-position.ts";
import { isEqual } from "../model/is-equal.ts";
import { type Row, titleOf } from "../model/resource.ts";
import type { GridRow } from "../rows/row-store.ts";
import type { RowChange } from "../rows/row-writes.ts";
import type { Reading } from "../values/ways.ts";

/** A table of texts, as a spreadsheet copies it. */
export type PastedTable = readonly (readonly string[])[];

/** A row that a text can mean, by its key. */
export interface Candidate {
  readonly key: string;
  readonly title: string;
}

/** What a pasted text means. A title of several rows is a fault with these rows. */
export type PastedReading = Reading & {
  readonly candidates?: readonly Candidate[];
  /** The title of the row that the text means. */
  readonly title?: string;
};

/** Where a paste goes, and what it may do there. */
export interface PastePlace {
  readonly rows: readonly GridRow[];
  /** The columns that can receive texts: those that the grid shows, in their order, and then the others. */
  readonly columns: readonly GridColumn[];
  /** The number of columns that the grid shows. */
  readonly shown: number;
  readonly range: GridRange;
  /** Whether the last row of the list is loaded. */
  readonly isComplete: boolean;
  readonly isUpdatable: (row: GridRow, column: GridColumn) => boolean;
  readonly mayCreate: boolean;
  /** The columns that each new row needs. */
  readonly required: readonly NavigationColumn[];
  readonly primaryKey: readonly string[];
}

/** A paste as its person arranges it. */
export interface PasteDraft {
  /** The pasted texts, with what was repaired in them. */
  readonly table: PastedTable;
  /** Over the selected cells, or as new rows. */
  readonly target: "OVER" | "APPEND";
  /** Whether the first line has the names of the columns. */
  readonly hasHeads: boolean;
  /** The column that receives the texts of each pasted one. */
  readonly mapping: Mapping;
  /** The lines that are left out. */
  readonly skipped: ReadonlySet<number>;
  /** Whether values of the primary key of existing rows change too. */
  readonly changesKeys: boolean;
}

/** A pasted text in its place. */
export interface PastedCell {
  /** Its position in the line. */
  readonly at: number;
  readonly column: GridColumn;
  readonly text: string;
  /** The value that the row has; undefined for a new row. */
  readonly before: unknown;
  /** `SET` for a value that is written, `KEY` for one of a key that stays, `SAME` for what changes nothing. */
  readonly state: "SET" | "KEY" | "SAME" | "FAULT";
  readonly value?: unknown;
  /** The title of the row that the value refers to. */
  readonly title?: string;
  readonly fault?: string;
  readonly candidates?: readonly Candidate[];
}

/** A pasted line and the row that it changes; undefined for a new one. */
export interface PastedLine {
  /** Its position in the pasted table. */
  readonly line: number;
  readonly row: GridRow | undefined;
  readonly cells: readonly PastedCell[];
  /** Whether it is left out by choice. */
  readonly isSkipped: boolean;
}

/** The writes of a paste; without faults alone they may be made. */
export interface Paste {
  readonly lines: readonly PastedLine[];
  readonly changes: readonly RowChange[];
  /** The values of new rows, and the line of each. */
  readonly creates: readonly Row[];
  readonly createdLines: readonly number[];
  readonly faultCount: number;
  /** Lines below the last loaded row, which have no place. */
  readonly leftOver: number;
  /** Columns without which lines cannot become rows. */
  readonly missing: readonly NavigationColumn[];
  /** Rows whose primary key the lines would change. */
  readonly keyChanges: number;
}

/** Returns a table in which a single text fills the selection, as in a spreadsheet. */
export function fillRange(table: PastedTable, range: GridRange): PastedTable {
  const [[only] = []] = table;
  if (table.length !== 1 || table[0]?.length !== 1 || only === undefined) return table;
  const width = range.right - range.left + 1;
  return Array.from({ length: Math.max(1, range.bottom - range.top + 1) }, () =>
    Array<string>(Math.max(1, width)).fill(only),
  );
}

/**
 * Arranges a paste: the first line names the columns if each of its texts does; several lines that begin in the last row are
 * new rows, and so is everything pasted into an empty list.
 *
 * @param isAppended whether the person asks for new rows
 */
export function arrangePaste(
  table: PastedTable,
  place: PastePlace,
  isAppended: boolean,
): PasteDraft {
  const { rows, range, isComplete, mayCreate } = place;
  const heads = headsOf(table, place);
  const isAtEnd = isComplete && range.top >= rows.length - 1;
  const lines = table.length - (heads === null ? 0 : 1);
  const isNew = mayCreate && (isAppended || rows.length === 0 || (isAtEnd && lines > 1));
  const target = isNew ? "APPEND" : "OVER";
  return {
    ...{ table, target, hasHeads: heads !== null, changesKeys: false },
    mapping: heads ?? placedMapping(table, target, place),
    skipped: new Set(),
  };
}

/** Returns the columns by their places: those from the first selected one on. */
export function placedMapping(
  table: PastedTable,
  target: PasteDraft["target"],
  { columns, shown, range }: PastePlace,
): Mapping {
  const width = Math.max(0, ...table.map((texts) => texts.length));
  const from = columns.slice(Math.max(0, range.left), shown);
  const creatable = from.filter(({ column }) => column.creatable);
  // Texts as wide as the columns that a person may fill do not have those that the database fills.
  const isFitting = target === "APPEND" && width <= creatable.length;
  return Array.from({ length: width }, (_, at) => {
    const item = (isFitting ? creatable : from)[at];
    return item === undefined || (target === "APPEND" && !item.column.creatable) ? null : item.name;
  });
}

/** Returns the columns that the first line names; null if it has another text than a name or a label of a column. */
export function headsOf(
  table: PastedTable,
  { columns }: Pick<PastePlace, "columns">,
): Mapping | null {
  const [heads = []] = table;
  if (table.length < 2 || heads.every((head) => head.trim() === "")) return null;
  const named = columns.map(({ name, column }) => ({ name, label: titleOf(column) }));
  const mapping = guessMapping(heads, named);
  // A title beside its key says nothing more.
  const isKnown = (head: string, at: number) => {
    if (head.trim() === "" || mapping[at] !== null) return true;
    const subject = subjectOfTitles(head);
    return subject !== null && guessMapping([subject], named)[0] !== null;
  };
  return heads.every(isKnown) ? mapping : null;
}

/**
 * Places a paste on the grid: each line with the row that it changes, or as a new row. Equal values are no change, and a new
 * row leaves what is empty to the default.
 *
 * @param read returns the meaning of a text
 * @param locked the text of the fault of a cell that cannot be changed
 */
export function placePaste(
  draft: PasteDraft,
  place: PastePlace,
  read: (column: GridColumn, text: string) => PastedReading,
  locked: string,
): Paste {
  const { table, mapping, target } = draft;
  const first = draft.hasHeads ? 1 : 0;
  const items = mapping.map((name) => place.columns.find((item) => item.name === name));
  const isRow = (line: number) =>
    target === "OVER" && line - first + place.range.top < place.rows.length;
  const count = table.length - first;
  const existing = target === "OVER" ? Math.max(0, place.rows.length - place.range.top) : 0;
  const beyond = Math.max(0, count - existing);
  const missing =
    beyond > 0 && place.mayCreate
      ? place.required.filter(({ name }) => !mapping.includes(name))
      : [];
  // Below the last loaded row of a longer list stand rows that are not seen yet.
  const mayAdd =
    place.mayCreate && missing.length === 0 && (target === "APPEND" || place.isComplete);
  const lines: PastedLine[] = [];
  const keyRows = new Set<number>();
  for (let line = first; line < table.length; line += 1) {
    if (!isRow(line) && !mayAdd) continue;
    const row = isRow(line) ? place.rows[line - first + place.range.top] : undefined;
    const cells = (table[line] ?? []).flatMap((text, at): PastedCell[] => {
      const column = items[at];
      if (column === undefined) return [];
      const cell = readCell({ at, column, text, row }, draft, place, { read, locked });
      if (cell.state === "KEY") keyRows.add(line);
      return [cell];
    });
    if (row === undefined && cells.every(({ text }) => text === "")) continue;
    lines.push({ line, row, cells, isSkipped: draft.skipped.has(line) });
  }
  const kept = lines.filter(({ isSkipped }) => !isSkipped);
  const written = kept.flatMap(({ line, row, cells }) => {
    const set = cells.filter(({ state }) => state === "SET");
    const values = Object.fromEntries(set.map(({ column, value }) => [column.name, value]));
    return set.length === 0 ? [] : [{ line, row, values }];
  });
  const created = written.filter(({ row }) => row === undefined);
  return {
    lines,
    changes: written.flatMap(({ row, values }) =>
      row === undefined ? [] : [{ row, after: values }],
    ),
    creates: created.map(({ values }) => values),
    createdLines: created.map(({ line }) => line),
    faultCount: kept.flatMap(({ cells }) => cells).filter(({ state }) => state === "FAULT").length,
    leftOver: mayAdd ? 0 : beyond,
    missing,
    keyChanges: draft.changesKeys ? 0 : keyRows.size,
  };
}

interface Placed extends Pick<PastedCell, "at" | "column" | "text"> {
  readonly row: GridRow | undefined;
}

function readCell(
  { row, ...cell }: Placed,
  { changesKeys }: PasteDraft,
  place: PastePlace,
  words: {
    readonly read: (column: GridColumn, text: string) => PastedReading;
    readonly locked: string;
  },
): PastedCell {
  const { column, text } = cell;
  const before = row?.values[column.name];
  if (row === undefined && text === "" && !column.column.required) {
    return { ...cell, before, state: "SAME" };
  }
  const isOpen = row === undefined ? column.column.creatable : place.isUpdatable(row, column);
  const isKey = row !== undefined && place.primaryKey.includes(column.name);
  const reading = words.read(column, text);
  if ("value" in reading && row !== undefined && isEqual(reading.value, before)) {
    return { ...cell, before, state: "SAME" };
  }
  if (isKey && !changesKeys && "value" in reading) return { ...cell, before, state: "KEY" };
  if (!isOpen) return { ...cell, before, state: "FAULT", fault: words.locked };
  if ("fault" in reading) {
    const { fault, candidates } = reading;
    return { ...cell, before, state: "FAULT", fault, ...(candidates && { candidates }) };
  }
  const { value, title } = reading;
  return { ...cell, before, state: "SET", value, ...(title === undefined ? {} : { title }) };
}

/** Whether a paste does what its person sees: values over cells, without faults, new rows, heads and keys. */
export function isPlain(draft: PasteDraft, paste: Paste): boolean {
  const { faultCount, leftOver, creates, keyChanges, missing } = paste;
  return (
    !draft.hasHeads &&
    draft.target === "OVER" &&
    faultCount + leftOver + creates.length + keyChanges + missing.length === 0
  );
}

/** Returns the draft with another text in one of its cells. */
export function repaired(draft: PasteDraft, line: number, at: number, text: string): PasteDraft {
  const table = draft.table.map((texts, index) =>
    index === line ? texts.map((last, place) => (place === at ? text : last)) : texts,
  );
  return { ...draft, table };
}

/** Parts of a text that can be values of a title's columns. */
const partsMax = 30;

/** The rows of a text, each once: the exact ones, or else the similar ones. */
export function matching(text: string, rows: readonly Candidate[]): readonly Candidate[] {
  const trimmed = text.trim();
  const exact = rows.filter(({ key, title }) => title === trimmed || key === trimmed);
  const some =
    exact.length > 0 ? exact : rows.filter(({ title }) => folded(title) === folded(text));
  return [...new Map(some.map((row) => [row.key, row])).values()];
}

function folded(text: string): string {
  return text.trim().replace(/\s+/g, " ").toLowerCase();
}

/** The texts between the blanks and signs of a text, alone and together, as they can be the values of a title. */
export function partsOf(text: string): readonly string[] {
  const words = [...text.matchAll(/[^\s,;:·()[\]{}"'“”„|/–—]+/g)].slice(0, 12);
  const parts = new Set([text]);
  for (let length = words.length; length > 0; length -= 1) {
    for (let at = 0; at + length <= words.length; at += 1) {
      const [first, last] = [words[at], words[at + length - 1]];
      if (first === undefined || last === undefined || parts.size >= partsMax) continue;
      parts.add(text.slice(first.index, last.index + last[0].length));
    }
  }
  return [...parts];
}
