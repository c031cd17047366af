import type { Fault } from "@rowhouse/client";
import { csvRecords, fileLines } from "./file-records.ts";
import type { Source } from "./read-source.ts";

/** A fault of a file at its line. */
export interface FileFault {
  /** Undefined for a fault of the whole file. */
  readonly line: number | undefined;
  readonly column: string | undefined;
  readonly message: string;
  /** The text of the line. */
  readonly text: string | undefined;
}

/** Returns the index of the row from a fault's path, such as 12 for `/12/plate`. */
function rowOf({ path, details }: Fault): number | undefined {
  const row = /^\/(\d+)(?:\/|$)/.exec(path ?? "")?.[1];
  return row === undefined || details?.line === undefined ? undefined : Number(row);
}

/**
 * Adds lines and texts of the person's own file to faults. The line that the service names can be another one, because
 * the file that it received was written anew; the number of the row is the same.
 */
export async function placeFaults(source: Source, faults: readonly Fault[]): Promise<FileFault[]> {
  const wanted = new Set(faults.flatMap((fault) => rowOf(fault) ?? []));
  const found = new Map<number, { readonly line: number; readonly text: string }>();
  if (wanted.size > 0) {
    const last = Math.max(...wanted);
    let row = source.format === "csv" ? -1 : 0;
    for await (const some of rowsOf(source)) {
      for (const each of some) {
        if (wanted.has(row)) found.set(row, each);
        row += 1;
      }
      if (row > last) break;
    }
  }
  return faults.map((fault) => {
    const place = found.get(rowOf(fault) ?? -1);
    const { column } = fault.details ?? {};
    return {
      line: place?.line,
      column: typeof column === "string" ? column : undefined,
      message: fault.message,
      text: place?.text,
    };
  });
}

async function* rowsOf(source: Source) {
  if (source.format === "ndjson") {
    yield* fileLines(source.file);
    return;
  }
  for await (const records of csvRecords(source)) {
    yield records.map(({ line, cells }) => ({ line, text: cells.join(source.separator) }));
  }
}
