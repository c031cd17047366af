import { type ColumnPair, columnPairs, distinctColumns, isUnique } from "./column-pairs.ts";
import type { ForeignKey, Relation } from "./relation.ts";

/** The way over a junction table from one of its two foreign keys to the other. */
export interface JunctionStep {
  readonly target: Relation;
  readonly junction: Relation;
  /** Pairs of columns that must be equal: a column here, a column of the junction. */
  readonly near: readonly ColumnPair[];
  /** Pairs of columns that must be equal: a column of the junction, a column of the target. */
  readonly far: readonly ColumnPair[];
  /** Whether the junction has at most one row for two rows. */
  readonly isDistinct: boolean;
  /** The name of the foreign key that leads to the target. */
  readonly constraintName: string;
}

/**
 * Returns the two foreign keys that make a table a junction: those of which its primary key consists, or the only two
 * of a table that an administrator has marked. Undefined for another relation.
 */
export function junctionKeys(
  relation: Relation,
  isKnown: (oid: number) => boolean,
): readonly [ForeignKey, ForeignKey] | undefined {
  if (relation.resource.kind !== "TABLE") return undefined;
  const keys = relation.foreignKeys.filter(
    ({ targetOid, isPeriod }) => isKnown(targetOid) && !isPeriod,
  );
  const primary = new Set(relation.primaryKey);
  const within = keys.filter(({ columns }) => columns.every((name) => primary.has(name)));
  const covered = new Set(within.flatMap(({ columns }) => columns));
  const isMade = within.length === 2 && covered.size === primary.size;
  const [one, other, ...more] = isMade ? within : relation.resource.junction ? keys : [];
  return one === undefined || other === undefined || more.length > 0 ? undefined : [one, other];
}

/** Returns the steps over a relation in both directions; none unless it is a junction. */
export function junctionSteps(
  junction: Relation,
  byOid: ReadonlyMap<number, Relation>,
): readonly { readonly from: Relation; readonly step: JunctionStep }[] {
  const keys = junctionKeys(junction, (oid) => byOid.has(oid));
  if (keys === undefined) return [];
  const ends = keys.flatMap((key) => {
    const relation = byOid.get(key.targetOid);
    const pairs = relation && columnPairs(key, junction, relation);
    return relation === undefined || pairs === undefined ? [] : [{ key, relation, pairs }];
  });
  const [one, other] = ends;
  if (one === undefined || other === undefined) return [];
  const columns = ends.flatMap(({ relation, pairs }) => [
    ...distinctColumns(junction, pairs, relation),
  ]);
  const isDistinct = isUnique(junction, new Set(columns));
  return [
    [one, other],
    [other, one],
  ].flatMap(([start, end]) => {
    if (start === undefined || end === undefined) return [];
    const near = start.pairs.map(([own, target]) => [target, own] as const);
    const step = { target: end.relation, junction, near, far: end.pairs, isDistinct };
    return [{ from: start.relation, step: { ...step, constraintName: end.key.name } }];
  });
}
