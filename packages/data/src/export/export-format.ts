import type { TextRow } from "@rowhouse/db";
import { csvCell } from "@rowhouse/wire";
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
