import { cellText } from "../../records/files/csv-splitter.ts";
import { csvRecords } from "../../records/files/file-records.ts";
import type { Source } from "../../records/files/read-source.ts";
import { ColumnProfile } from "./column-profile.ts";

/** What a CSV file has. */
export interface FileProfile {
  readonly source: Source;
  readonly rows: number;
  /** In the order of the names of the source. */
  readonly columns: readonly ColumnProfile[];
}

/**
 * Reads a whole CSV file, in parts, so that the page stays quick.
 *
 * @param onRows receives the number of rows that are read so far
 */
export async function readProfile(
  source: Source,
  onRows: (rows: number) => void,
  signal: AbortSignal,
): Promise<FileProfile> {
  const columns = source.names.map(() => new ColumnProfile());
  let rows = 0;
  let hasNames = false;
  for await (const records of csvRecords(source)) {
    signal.throwIfAborted();
    for (const { cells } of records) {
      if (!hasNames) {
        hasNames = true;
        continue;
      }
      rows += 1;
      for (const [index, column] of columns.entries()) {
        const raw = cells[index] ?? "";
        column.add(raw === "" ? undefined : cellText(raw));
      }
    }
    onRows(rows);
  }
  return { source, rows, columns };
}
