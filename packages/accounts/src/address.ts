import type { Queryable } from "@rowhouse/db";
import { isStorableText } from "@rowhouse/wire";

/** Maximum length of an address, in characters; the database has the same limit. */
const addressMax = 320;

/**
 * Whether an account may have this address. No account has an address that fails this check, and no response reveals
 * that.
 */
export function mayBeAddress(text: string): boolean {
  return text.length <= addressMax && isStorableText(text);
}

/**
 * Whether two texts are the same address. `system.fold` decides, as in every statement that looks up an
 * address: JavaScript and PostgreSQL fold letters such as `İ` differently, so only one of them may decide.
 */
export async function areOneAddress(
  database: Queryable,
  one: string,
  other: string,
): Promise<boolean> {
  const [row] = await database.query<{ same: boolean }>(
    "select system.fold($1::text) = system.fold($2::text) as same",
    [one, other],
  );
  return row?.same === true;
}
