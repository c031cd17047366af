import type { TextRow } from "@rowhouse/db";
import type { ExportColumn } from "./export-columns.ts";

/** Converts rows to the text of a file. */
export interface RowWriter {
  /** The text before the first row. */
  readonly head: string;
  /** A row as a line, with the line break. */
  write(row: TextRow): string;
}

/** One JSON object per line: the text of the row as in the list. */
export const ndjsonWriter: RowWriter = {
  head: "",
  write: ([object]) => `${onOneLine(object ?? "null")}\n`,
};

/**
 * Removes the white space of JSON, because a column of type `json` and PostgreSQL's own lists may contain line breaks.
 */
function onOneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replaceAll(/[\r\n]/g, "") : json;
}

/** CSV by RFC 4180, with the field names in the first line. */
export function csvWriter(columns: readonly ExportColumn[]): RowWriter {
  const line = (cells: readonly string[]) => {
    const text = cells.join(",");
    // Readers skip an empty line, so a row with a single null field needs a quoted one.
    return `${text === "" ? '""' : text}\r\n`;
  };
  return {
    head: line(columns.map(({ name }) => csvCell(name, true))),
    write: (row) =>
      line(columns.map(({ holdsText }, index) => csvCell(row[index] ?? null, holdsText))),
  };
}

/**
 * The beginning that makes a spreadsheet treat a cell as a formula (OWASP, CSV Injection), after optional white space.
 * Apostrophes before it are included, so that an import can distinguish them from the one that `csvCell` adds.
 */
const formulaStart = /^'*(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
const needsQuotes = /[",;\r\n\t]|^\s|\s$/;

/**
 * Formats a cell. Null is an empty cell and an empty text is `""`, so that they differ. A text that a spreadsheet
 * would execute is preceded by an apostrophe.
 *
 * @param holdsText whether the cell may contain text that a user typed; a number is no formula, whatever its sign
 */
export function csvCell(value: string | null, holdsText: boolean): string {
  if (value === null) return "";
  if (holdsText && formulaStart.test(value)) return quote(`'${value}`);
  const text = holdsText ? value : onOneLine(value);
  return text === "" || needsQuotes.test(text) ? quote(text) : text;
}

/** Returns the text of a cell that `csvCell` wrote, without the apostrophe before the start of a formula. */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && formulaStart.test(cell) ? cell.slice(1) : cell;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
