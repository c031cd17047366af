import { comparedText } from "@rowhouse/access";
import { arrayLiteral, type Column, compareSql, type Queryable, textAsSql } from "@rowhouse/db";

/**
 * Returns the key that each value equals as PostgreSQL compares values of the column: `foo` is `Foo` for citext, 1.50 is 1.500.
 *
 * @param values texts of values that refer to the column
 * @param keys texts of the column's values
 * @returns the keys by the values, without values that equal none
 */
export async function matchKeys(
  database: Queryable,
  column: Column,
  values: Iterable<string>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const known = new Set(keys);
  const matched = new Map<string, string>();
  const others: string[] = [];
  for (const value of values) {
    if (known.has(value)) matched.set(value, value);
    else others.push(value);
  }
  if (others.length === 0 || keys.length === 0) return matched;
  const { type, meaning } = column;
  const { collationName } = JSON.parse(meaning) as { readonly collationName?: string };
  const collate = collationName === undefined ? "" : ` collate ${collationName}`;
  const typedSql = (text: string) => `(${textAsSql(text, type)}${collate})`;
  const listOf = (texts: readonly string[]) =>
    arrayLiteral(texts.map((text) => comparedText(type, text) ?? null));
  const pairs = await database.query<{ value: number; key: number }>(
    `select v.place::integer as value, k.place::integer as key
     from pg_catalog.unnest($1::text[]) with ordinality v (text, place)
     join pg_catalog.unnest($2::text[]) with ordinality k (text, place)
       on ${compareSql(typedSql("v.text"), "=", typedSql("k.text"), type)}`,
    [listOf(others), listOf(keys)],
  );
  for (const pair of pairs) {
    const [value, key] = [others[pair.value - 1], keys[pair.key - 1]];
    if (value !== undefined && key !== undefined) matched.set(value, key);
  }
  return matched;
}
