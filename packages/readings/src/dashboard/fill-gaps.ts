import { type AggregateTerm, bucketsMax, isPlainBucket } from "@rowhouse/data";
import { writeExactJson } from "@rowhouse/wire";
import type { Row } from "./readings.ts";

/** The groups of a chart whose first group is a unit of time. */
export interface TimeGroups {
  /** The name of the bucket. */
  readonly axis: string;
  /** The name of the second group; null for none. */
  readonly series: string | null;
  readonly aggregates: readonly Pick<AggregateTerm, "name" | "apply">[];
  readonly rows: readonly Row[];
  readonly isDescending: boolean;
}

/**
 * Adds a row for each bucket without one, and for each series without one in a bucket. Rows keep their order; those without
 * a bucket of the list, such as null, keep their place.
 *
 * @param buckets in ascending order
 * @returns undefined if there would be too many rows
 */
export function fillGaps(groups: TimeGroups, buckets: readonly string[]): Row[] | undefined {
  const { axis, series, rows, isDescending } = groups;
  const keyOf = (row: Row) => (series === null ? "" : writeExactJson(row[series]));
  const names = new Map(rows.map((row) => [keyOf(row), series === null ? null : row[series]]));
  if (series === null) names.set("", null);
  if (buckets.length * names.size > bucketsMax) return undefined;
  const ordered = isDescending ? [...buckets].reverse() : [...buckets];
  const place = new Map(ordered.map((bucket, index) => [bucket, index]));
  const filled: Row[] = [];
  const seen = new Set<string>();
  let current = 0;
  let isStarted = false;
  const completeUntil = (end: number) => {
    for (; current < end; current += 1) {
      const bucket = ordered[current];
      for (const [key, name] of names) {
        if (bucket !== undefined && !seen.has(key)) filled.push(emptyRow(groups, bucket, name));
      }
      seen.clear();
    }
  };
  for (const row of rows) {
    const bucket = row[axis];
    const at = isPlainBucket(bucket) ? place.get(bucket) : undefined;
    if (at !== undefined) {
      completeUntil(at);
      isStarted = true;
      seen.add(keyOf(row));
    } else if (isStarted) completeUntil(ordered.length);
    filled.push(row);
  }
  completeUntil(ordered.length);
  return filled;
}

/** A bucket without rows: counts are 0, everything else is null. */
function emptyRow({ axis, series, aggregates }: TimeGroups, bucket: string, name: unknown): Row {
  return Object.fromEntries([
    [axis, bucket],
    ...(series === null ? [] : [[series, name] as const]),
    ...aggregates.map((term) => [term.name, emptyValue(term)] as const),
  ]);
}

/** The value of an aggregate over no rows. */
export function emptyValue({ apply }: Pick<AggregateTerm, "apply">): unknown {
  return apply === "count" || apply === "count_distinct" ? 0 : null;
}
