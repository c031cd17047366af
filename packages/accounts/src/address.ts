import type { Queryable } from "@rowhouse/db";
import { isStorableText } from "@rowhouse/json";

/** Characters of an address at most, as the database has it. */
const addressMax = 320;

/** Whether an account may have this text as its address. Any other text is the address of none, which no answer shows. */
export function mayBeAddress(text: string): boolean {
  return text.length <= addressMax && isStorableText(text);
}

/**
 * Whether two texts are one address. `system.fold_address` decides it, as it does in every statement that looks an address
 * up: JavaScript and PostgreSQL fold letters such as `İ` differently, so one of them has to decide.
 */
export async function areOneAddress(
  database: Queryable,
  one: string,
  other: string,
): Promise<boolean> {
  const [row] = await database.query<{ same: boolean }>(
    "select system.fold_address($1::text) = system.fold_address($2::text) as same",
    [one, other],
  );
  return row?.same === true;
}
