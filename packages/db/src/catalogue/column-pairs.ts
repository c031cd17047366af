import type { Column, ForeignKey, Relation } from "./relation.ts";

/** Two columns that must be equal: one of the first relation, one of the second. */
export type ColumnPair = readonly [own: string, target: string];

/** Returns the columns of a foreign key; undefined if one of them does not exist for the Data API. */
export function columnPairs(
  { columns, targetColumns }: ForeignKey,
  own: Relation,
  target: Relation,
): readonly ColumnPair[] | undefined {
  const pairs: ColumnPair[] = [];
  for (const [index, column] of columns.entries()) {
    const other = targetColumns[index];
    if (other === undefined || own.columnByName(column) === undefined) return undefined;
    if (target.columnByName(other) === undefined) return undefined;
    pairs.push([column, other]);
  }
  return pairs;
}

/**
 * Whether at most one row of `relation` refers to a row of `target`: a unique key is among the columns of the foreign
 * key.
 */
export function hasOneRow(
  relation: Relation,
  pairs: readonly ColumnPair[],
  target: Relation,
): boolean {
  return isUnique(relation, distinctColumns(relation, pairs, target));
}

/** Whether no two rows have the same values in these columns. */
export function isUnique({ uniqueColumns }: Relation, columns: ReadonlySet<string>): boolean {
  return uniqueColumns.some((key) => key.length > 0 && key.every((name) => columns.has(name)));
}

/** Returns the columns of a foreign key whose values differ wherever an index of them has different values. */
export function distinctColumns(
  own: Relation,
  pairs: readonly ColumnPair[],
  target: Relation,
): ReadonlySet<string> {
  return new Set(
    pairs
      .filter(([name, other]) => isAsStrict(own.columnByName(name), target.columnByName(other)))
      .map(([name]) => name),
  );
}

const alike: readonly ReadonlySet<string>[] = [
  new Set(["smallint", "integer", "bigint"]),
  new Set(["text", "character varying"]),
];

/**
 * Whether two different values of a column never equal one value of the column that it refers to. A value that is
 * converted may, and so may texts under a collation that folds them.
 */
function isAsStrict(own: Column | undefined, target: Column | undefined): boolean {
  if (own === undefined || target === undefined) return false;
  const [one, other] = [own.type, target.type];
  if (one.folds || other.folds || one.array !== other.array) return false;
  if (one.base === other.base) return true;
  return alike.some((bases) => bases.has(one.base) && bases.has(other.base));
}
