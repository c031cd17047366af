import { type Edges, nameEdges } from "./edges.ts";
import { createRelation, exposeResource, type RelationRow } from "./read-relation.ts";
import type { Column, Exposure, Exposures, Relation } from "./relation.ts";
import { type ColumnOrigin, readOrigins } from "./view-origins.ts";

/** The relations that are resources, as the system catalog of PostgreSQL describes them. */
export interface Catalogue {
  readonly relations: readonly Relation[];
  /** Whether code of the database's users can prepare statements. */
  readonly preparesStatements: boolean;
  relationByOid(oid: number): Relation | undefined;
  relationByName(schema: string, name: string): Relation | undefined;
  relationByResource(resourceId: string): Relation | undefined;
  /** Whether a column's values are computed when they are read, so that reading one may raise an error. */
  isComputed(relation: Relation, column: Column): boolean;
  /** The foreign keys from and to a relation of this catalogue, with their names. */
  edgesOf(relation: Relation): Edges;
  /** Returns the same relations with another exposure; returns this catalogue itself if nothing differs. */
  withExposures(exposures: Exposures): Catalogue;
}

/** Builds the catalogue from the rows of `loadCatalogueSql`. */
export function createCatalogue(
  rows: readonly { relation: string }[],
  exposures: Exposures,
): Catalogue {
  const parsed = rows.map((row) => JSON.parse(row.relation) as RelationRow);
  const queries = new Map(parsed.map((row) => [row.oid, row.query]));
  return indexRelations(
    parsed.map((row) => createRelation(row, exposures)),
    queries,
    parsed[0]?.prepares === true,
  );
}

function indexRelations(
  relations: readonly Relation[],
  queries: ReadonlyMap<number, string | null>,
  preparesStatements: boolean,
): Catalogue {
  const byOid = new Map(relations.map((relation) => [relation.oid, relation]));
  const byResource = new Map(relations.map((relation) => [relation.resource.id, relation]));
  // Computed on demand: in a catalogue that changes often, most edges are never requested.
  let edges: ReadonlyMap<number, Edges> | undefined;
  const byName = new Map<string, Map<string, Relation>>();
  for (const relation of relations) {
    let schema = byName.get(relation.schema);
    if (schema === undefined) {
      schema = new Map();
      byName.set(relation.schema, schema);
    }
    schema.set(relation.name, relation);
  }
  const isComputed = createComputedTest((oid) => byOid.get(oid), queries);
  const catalogue: Catalogue = {
    relations,
    preparesStatements,
    isComputed,
    relationByOid: (oid) => byOid.get(oid),
    relationByName: (schema, name) => byName.get(schema)?.get(name),
    relationByResource: (resourceId) => byResource.get(resourceId),
    edgesOf: (relation) => {
      edges ??= nameEdges(relations);
      return edges.get(relation.oid) ?? { byName: new Map(), ambiguous: new Map() };
    },
    withExposures: (exposures) => {
      const exposed = relations.map((relation) => {
        const resource = exposeResource(relation.resource, exposures);
        return isSameExposure(resource, relation.resource) ? relation : { ...relation, resource };
      });
      const isSame = exposed.every((relation, index) => relation === relations[index]);
      return isSame ? catalogue : indexRelations(exposed, queries, preparesStatements);
    },
  };
  return catalogue;
}

function isSameExposure(a: Exposure, b: Exposure): boolean {
  return (
    a.label === b.label &&
    a.description === b.description &&
    a.history === b.history &&
    a.junction === b.junction &&
    a.exposedMethods.join() === b.exposedMethods.join() &&
    JSON.stringify(a.relationNames) === JSON.stringify(b.relationNames)
  );
}

/**
 * Separates columns that are computed when they are read from those that are stored. A view's column that refers
 * directly to another column inherits its kind; every column of a view without a stored query counts as computed.
 *
 * @param queries the stored queries of views, by OID
 */
function createComputedTest(
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
