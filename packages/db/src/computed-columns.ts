import type { Column, Relation } from "./relation.ts";
import { type ColumnOrigin, readOrigins } from "./view-origins.ts";

/**
 * Separates columns that are computed when they are read from those that are stored. A view's column that refers
 * directly to another column inherits its kind; every column of a view without a stored query counts as computed.
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
    // A replaced view may refer back to itself; PostgreSQL then rejects reading it.
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
