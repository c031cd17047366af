import type { Parameter, Queryable } from "./queryable.ts";

/** Condition on the rows to delete; SQL of the code, never input. */
export interface Deletion {
  /** Qualified with its schema. */
  readonly table: string;
  /** The columns of its key, separated by commas. */
  readonly key: string;
  readonly where: string;
  readonly parameters?: readonly Parameter[];
  /** False if nothing else locks rows of the table; such a deletion needs no UPDATE privilege. */
  readonly skipsLocked?: boolean;
}

/** Rows of one statement; small enough that no statement holds locks for long. */
const rowsAtOnce = 1000;

/**
 * Deletes rows in batches, each in its own transaction. Rows that another transaction has locked are skipped until the
 * next call.
 *
 * @returns the number of deleted rows
 */
export async function deletePiecewise(
  database: Queryable,
  { table, key, where, parameters = [], skipsLocked = true }: Deletion,
): Promise<number> {
  let count = 0;
  for (;;) {
    const gone = await database.query(
      `delete from ${table} where (${key}) in (
         select ${key} from ${table} where ${where} limit ${rowsAtOnce}${skipsLocked ? " for update skip locked" : ""})
       returning 1 as gone`,
      parameters,
    );
    count += gone.length;
    if (gone.length < rowsAtOnce) return count;
  }
}
