import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { textOfCell } from "@rowhouse/wire";
import { type ImportRequest, rowPointer } from "./import-request.ts";
import { CsvParser, type CsvRecord } from "./parse-csv.ts";
import { type Line, LineParser } from "./parse-lines.ts";

/** A file whose header has been read. */
export type OpenFile = (
  | {
      readonly format: "CSV";
      readonly header: { readonly names: readonly string[] };
      readonly items: AsyncIterable<readonly CsvRecord[]>;
    }
  | {
      readonly format: "NDJSON";
      readonly header: null;
      readonly items: AsyncIterable<readonly Line[]>;
    }
) & { close(): Promise<void> };

/** Maximum number of columns of a PostgreSQL table. */
const columnsMax = 1600;

/**
 * Reads the header of a file, and returns its rows as they arrive.
 *
 * @param charsMax maximum length of a row
 * @throws AppError BODY_INVALID with every fault of the header, or the errors of `chunks`
 */
export async function openFile(
  { format, form }: ImportRequest,
  chunks: AsyncGenerator<string, void, undefined>,
  charsMax: number,
): Promise<OpenFile> {
  const close = async () => {
    await chunks.return();
  };
  if (format === "NDJSON") {
    const items = parsed(chunks, new LineParser(charsMax), []);
    return { format, header: null, items, close };
  }
  const parser = new CsvParser(charsMax, form.delimiter);
  try {
    let records: CsvRecord[] = [];
    for (let isDone = false; records.length === 0; ) {
      if (isDone) throw createError("BODY_INVALID", { message: noHeader });
      const { value = "", done = false } = await chunks.next();
      isDone = done;
      records = parser.push(value, isDone);
    }
    const [head, ...first] = records;
    const header = { names: namesOf(head) };
    return { format, header, items: parsed(chunks, parser, first), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const noHeader = "The first line must name the columns";

/** Yields parsed rows for each chunk. */
async function* parsed<Item>(
  chunks: AsyncGenerator<string, void, undefined>,
  parser: { push(text: string, isLast: boolean): Item[] },
  first: Item[],
): AsyncGenerator<readonly Item[], void, undefined> {
  if (first.length > 0) yield first;
  for (;;) {
    const { value = "", done = false } = await chunks.next();
    const items = parser.push(value, done);
    if (items.length > 0) yield items;
    if (done) return;
  }
}

/** @throws AppError BODY_INVALID */
function namesOf(head: CsvRecord | undefined): string[] {
  const { cells, line } = head ?? { cells: null, line: 1 };
  const details = { line };
  if (cells === null) throw createError("BODY_INVALID", { message: noHeader, details });
  if (cells.length > columnsMax) {
    const message = `The header names at most ${columnsMax} columns`;
    throw createError("BODY_INVALID", { message, details });
  }
  const names = cells.map((cell) => (cell === null ? "" : textOfCell(cell)));
  throwFaults(faultsOf(names, line));
  return names;
}

function* faultsOf(names: readonly string[], line: number): Generator<Fault> {
  const seen = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (name === "") {
      const message = `Column ${index + 1} of the header has no name`;
      yield createFault("BODY_INVALID", { message, details: { line } });
    } else if (seen.has(name)) {
      const path = `/${rowPointer(0, name).slice(3)}`;
      const message = "The header names a column twice";
      yield createFault("BODY_INVALID", { path, message, details: { line } });
    }
    seen.add(name);
  }
}
