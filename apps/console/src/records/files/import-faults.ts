import type { Fault } from "@rowhouse/client";
import { csvCell } from "@rowhouse/wire";
import { type FileRow, fileRows, type Source } from "./read-source.ts";

/** A fault of a file at its row. */
export interface FileFault {
  /** Undefined for a fault of the whole file. */
  readonly place: FileRow | undefined;
  readonly column: string | undefined;
  readonly message: string;
  /** The fault as the service has it; undefined for one that the page has found. */
  readonly fault?: Pick<Fault, "code" | "message" | "details">;
}

/** Returns the index of the row from a fault's path, such as 12 for `/12/plate`. */
function rowOf({ path, details }: Fault): number | undefined {
  const row = /^\/(\d+)(?:\/|$)/.exec(path ?? "")?.[1];
  return row === undefined || details?.line === undefined ? undefined : Number(row);
}

/**
 * Adds lines and texts of the person's own file to faults. The line that the service names can be another one, because
 * the file that it received was written anew; the number of the row among those that were sent is the same.
 */
export async function placeFaults(source: Source, faults: readonly Fault[]): Promise<FileFault[]> {
  const wanted = new Set(faults.flatMap((fault) => rowOf(fault) ?? []));
  const found = new Map<number, FileRow>();
  if (wanted.size > 0) {
    const last = Math.max(...wanted);
    let sent = 0;
    for await (const rows of fileRows(source)) {
      for (const row of rows) {
        if (wanted.has(sent)) found.set(sent, row);
        sent += 1;
      }
      if (sent > last) break;
    }
  }
  return faults.map((fault) => {
    const { column } = fault.details ?? {};
    return {
      place: found.get(rowOf(fault) ?? -1),
      column: typeof column === "string" ? column : undefined,
      message: fault.message,
      fault,
    };
  });
}

/** A row that an import refuses. */
interface FaultyRow {
  readonly place: FileRow;
  readonly reasons: readonly string[];
}

/** The rows of faults in the order of the file, each with all of its reasons. */
export function faultyRows(faults: readonly FileFault[]): readonly FaultyRow[] {
  const rows = new Map<number, { readonly place: FileRow; readonly reasons: string[] }>();
  for (const { place, column, message } of faults) {
    if (place === undefined) continue;
    const known = rows.get(place.row) ?? { place, reasons: [] };
    known.reasons.push(column === undefined ? message : `${column}: ${message}`);
    rows.set(place.row, known);
  }
  return [...rows.values()].sort((one, other) => one.place.row - other.place.row);
}

/** A number as it stands in a file, which is no formula whatever its sign. */
const number = /^[+-]?\d[\d.,]*$/;

/**
 * Writes faulty rows with their reasons in a last column. The file can be mended and imported again; a spreadsheet runs
 * no formula in it.
 */
export function faultyCsv(
  source: Pick<Source, "format" | "names">,
  rows: readonly FaultyRow[],
  reason: string,
): string {
  const names = source.format === "csv" ? source.names : ["NDJSON"];
  const cellOf = (cell: string | null) => csvCell(cell, cell !== null && !number.test(cell));
  const lines = [
    [...names, reason].map((name) => csvCell(name, true)),
    ...rows.map(({ place, reasons }) => {
      // A row with too few cells has its reason in the last column too.
      const known = place.cells ?? [place.text];
      const missing = Math.max(0, names.length - known.length);
      const cells = [...known, ...Array<null>(missing).fill(null)];
      return [...cells.map(cellOf), csvCell(reasons.join("; "), true)];
    }),
  ];
  // Spreadsheets read a file as UTF-8 by its mark.
  return `\ufeff${lines.map((cells) => `${cells.join()}\r\n`).join("")}`;
}
