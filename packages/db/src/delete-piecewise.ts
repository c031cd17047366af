import type { Parameter, Queryable } from "./queryable.ts";

/** Which rows go; SQL of the code's own, and no input. */
export interface Deletion {
  /** With its schema. */
  readonly table: string;
  /** The columns of its key, with commas between them. */
  readonly key: string;
  readonly where: string;
  readonly parameters?: readonly Parameter[];
}

/** Rows of one statement, so that none holds locks for long. */
const rowsAtOnce = 1000;

/**
 * Deletes rows in as many statements as it takes, each a transaction of its own. What somebody else holds is left to the
 * next time.
 *
 * @returns how many are gone
 */
export async function deletePiecewise(
  database: Queryable,
  { table, key, where, parameters = [] }: Deletion,
): Promise<number> {
  let count = 0;
  for (;;) {
    const gone = await database.query(
      `delete from ${table} where (${key}) in (
         select ${key} from ${table} where ${where} limit ${rowsAtOnce} for update skip locked)
       returning 1 as gone`,
      parameters,
    );
    count += gone.length;
    if (gone.length < rowsAtOnce) return count;
  }
}
