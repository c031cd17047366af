import type { Column } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { FaultList } from "./fault-list.ts";
import type { FileForm } from "./file-form.ts";
import type { OpenFile } from "./open-file.ts";
import { StagedCsv, StagedLines, type StagedRows } from "./staged-rows.ts";

/** The rows of a file as COPY receives them. */
export interface StagedFile extends Pick<StagedRows<unknown>, "columns" | "fieldSets" | "count"> {
  /** Yields the rows as text. */
  chunks(): AsyncGenerator<Uint8Array, void, undefined>;
}

/**
 * Creates the rows of a file.
 *
 * @param creatable the columns of which the caller may create values
 */
export function createStagedRows(
  file: OpenFile,
  creatable: readonly Column[],
  form: FileForm,
  faults: FaultList,
  rowsMax: number,
): StagedFile {
  if (file.format === "NDJSON") {
    return withChunks(new StagedLines(creatable, faults, rowsMax), file.items);
  }
  const columns = file.header.names.map((name) => {
    const column = creatable.find((each) => each.name === name);
    // The rights have changed since they were proven.
    if (column === undefined) throw createError("FIELD_UNKNOWN", { path: `/${name}` });
    return column;
  });
  return withChunks(new StagedCsv(columns, form, faults, rowsMax), file.items);
}

function withChunks<Item>(
  rows: StagedRows<Item>,
  items: AsyncIterable<readonly Item[]>,
): StagedFile {
  return {
    columns: rows.columns,
    fieldSets: rows.fieldSets,
    get count() {
      return rows.count;
    },
    chunks: async function* () {
      for await (const each of items) {
        const text = rows.take(each);
        if (text !== "") yield Buffer.from(text);
      }
    },
  };
}
