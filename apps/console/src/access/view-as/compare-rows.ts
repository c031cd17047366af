import { writeJson } from "@rowhouse/client";
import { keyOf, type Row } from "../../records/model/resource.ts";

/** A row of one's own list, with what the other caller lacks of it. */
export interface ComparedRow {
  readonly id: string;
  readonly row: Row;
  readonly isMissing: boolean;
  /** The fields of a row that is seen by both, which the other caller may not read in it. */
  readonly missingFields: ReadonlySet<string>;
}

export interface Comparison {
  readonly rows: readonly ComparedRow[];
  /** The names of the fields of all rows, in their order. */
  readonly fields: readonly string[];
  /** Fields that the other caller reads in no row of the list. */
  readonly missingFields: ReadonlySet<string>;
}

/** Returns the fields that rows have, in the order in which they appear. */
export function fieldsOf(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** Returns the identity of a row: its key, or all of its values. */
export function rowId(primaryKey: readonly string[], row: Row): string {
  return writeJson(keyOf({ primaryKey: [...primaryKey] }, row) ?? row);
}

/** Compares one's own rows with those of another caller, who sees a part of them in the same order. */
export function compareRows(
  primaryKey: readonly string[],
  own: readonly Row[],
  theirs: readonly Row[],
): Comparison {
  const byId = new Map(theirs.map((row) => [rowId(primaryKey, row), row]));
  const fields = fieldsOf(own);
  const seen = new Set(fieldsOf(theirs));
  return {
    fields,
    missingFields: new Set(theirs.length === 0 ? [] : fields.filter((name) => !seen.has(name))),
    rows: own.map((row) => {
      const id = rowId(primaryKey, row);
      const other = byId.get(id);
      const missing =
        other === undefined ? [] : fields.filter((name) => name in row && !(name in other));
      return { id, row, isMissing: other === undefined, missingFields: new Set(missing) };
    }),
  };
}
