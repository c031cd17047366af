import type { TextRow } from "@rowhouse/db";
import type { ExportColumn } from "./export-columns.ts";

export type ExportFormat = "CSV" | "NDJSON";

/** How rows become a file. */
export interface RowWriter {
  /** What comes before the first row. */
  readonly head: string;
  /** A row as a line, its end included. */
  write(row: TextRow): string;
}

/** One JSON object a line: the row's own text, as the list gives it. */
export const ndjsonWriter: RowWriter = {
  head: "",
  write: ([object]) => `${onOneLine(object ?? "null")}\n`,
};

/** JSON without the line breaks that a column of type `json` came with, or Postgres writes into a list: all white space. */
function onOneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replaceAll(/[\r\n]/g, "") : json;
}

/** RFC 4180, with the names of the fields as its first line. */
export function csvWriter(columns: readonly ExportColumn[]): RowWriter {
  const line = (cells: readonly string[]) => {
    const text = cells.join(",");
    // Readers pass over an empty line; a row of one field that is null must stay a row.
    return `${text === "" ? '""' : text}\r\n`;
  };
  return {
    head: line(columns.map(({ name }) => csvCell(name, true))),
    write: (row) =>
      line(columns.map(({ holdsText }, index) => csvCell(row[index] ?? null, holdsText))),
  };
}

/** What makes a spreadsheet take a cell for a formula (OWASP, CSV Injection), white space in front of it included. */
const formulaStart = /^(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
const needsQuotes = /[",;\r\n\t]|^\s|\s$/;

/**
 * A cell. No value is nothing, and an empty text is `""`, so that they stay apart. A text that a spreadsheet would run is
 * preceded by an apostrophe.
 *
 * @param holdsText whether the cell may hold what somebody typed; a number is no formula, whatever its sign
 */
export function csvCell(value: string | null, holdsText: boolean): string {
  if (value === null) return "";
  if (holdsText && formulaStart.test(value)) return quote(`'${value}`);
  const text = holdsText ? value : onOneLine(value);
  return text === "" || needsQuotes.test(text) ? quote(text) : text;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
