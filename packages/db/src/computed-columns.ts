import type { Column, Relation } from "./relation.ts";
import { type ColumnOrigin, readOrigins } from "./view-origins.ts";

/**
 * Tells the columns whose values are worked out as they are read from those that are stored. A view's column that is a plain
 * mention of another is as that one; of a view whose query is not at hand, every column counts as worked out.
 *
 * @param queries the stored queries of views, by OID
 */
export function createComputedTest(
  relationByOid: (oid: number) => Relation | undefined,
  queries: ReadonlyMap<number, string | null>,
): (relation: Relation, column: Column) => boolean {
  const origins = new Map<number, ReadonlyMap<number, ColumnOrigin>>();
  const originsOf = (oid: number): ReadonlyMap<number, ColumnOrigin> => {
    let known = origins.get(oid);
    if (known === undefined) {
      const query = queries.get(oid);
      known = query == null ? new Map() : readOrigins(query);
      origins.set(oid, known);
    }
    return known;
  };
  return (relation, column) => {
    let place: ColumnOrigin = {
      relationOid: relation.oid,
      attributeNumber: column.attributeNumber,
    };
    // A view that was replaced may lead back to itself; Postgres then refuses to read it.
    const passed = new Set<number>();
    while (!passed.has(place.relationOid)) {
      passed.add(place.relationOid);
      const at = relationByOid(place.relationOid);
      if (at === undefined) return true;
      if (at.kind !== "VIEW") return at.columnByNumber(place.attributeNumber)?.virtual === true;
      const origin = originsOf(at.oid).get(place.attributeNumber);
      if (origin === undefined) return true;
      place = origin;
    }
    return true;
  };
}
