import { writeName } from "@rowhouse/access";
import type { Relation, UniqueKey } from "@rowhouse/db";
import { type AppError, createError } from "@rowhouse/errors";
import type { Visible } from "./visible.ts";

/** Maximum number of keys that an error names. */
const namedMax = 20;

/** Returns the unique keys that an upsert can use, by their fields. */
export function upsertKeys(relation: Relation): UniqueKey[] {
  return relation.uniqueKeys.filter((key) => findKey(relation, key.columns) === key);
}

/**
 * Returns the key that an upsert over these fields uses.
 *
 * @throws AppError QUERY_INVALID with the keys that the principal may read
 */
export function requireKey(
  { relation, fieldByName }: Visible,
  fields: readonly string[],
): UniqueKey {
  const found = findKey(relation, fields);
  if (!("fault" in found)) return found;
  if (found.fault !== null) throw refusal(`on_conflict cannot use this unique key: ${found.fault}`);
  const readable = upsertKeys(relation).filter(({ columns }) =>
    columns.every((name) => fieldByName(name) !== undefined),
  );
  const names = readable.slice(0, namedMax).map(({ columns }) => columns.map(writeName).join(","));
  const listed = names.length === 0 ? "" : `: ${names.join(" or ")}`;
  throw refusal(`on_conflict must list the fields of a unique key${listed}`);
}

/** The key that PostgreSQL selects by its columns; `fault` is null if no key has them. */
function findKey(
  { uniqueKeys }: Relation,
  fields: readonly string[],
): UniqueKey | { readonly fault: string | null } {
  const keys = uniqueKeys.filter(
    ({ columns }) =>
      columns.length === fields.length && columns.every((column) => fields.includes(column)),
  );
  // PostgreSQL refuses the upsert if any unique key over these columns is deferrable.
  if (keys.some(({ deferrable }) => deferrable)) return { fault: "it is deferrable" };
  const whole = keys.find(({ predicate, overlaps }) => predicate === null && !overlaps);
  if (whole !== undefined) return whole;
  if (keys.some(({ overlaps }) => overlaps)) {
    return {
      fault: "its rows conflict if they overlap (WITHOUT OVERLAPS), not only if they are equal",
    };
  }
  const [partial, ...others] = keys;
  if (partial === undefined) return { fault: null };
  return others.length === 0 ? partial : { fault: "several partial indexes have its fields" };
}

function refusal(message: string): AppError {
  return createError("QUERY_INVALID", { path: "on_conflict", message });
}
