import { createEdgesOf, type EdgesOfRelations } from "./edges.ts";
import {
  type CatalogueFacts,
  type CatalogueRow,
  createCodeOf,
  createRelation,
  createTypeOf,
  exposeResource,
  type RelationRow,
  withCode,
} from "./read-relation.ts";
import type { Column, Exposure, Exposures, Relation } from "./relation.ts";
import { type Links, reachOfCode } from "./relation-links.ts";
import { type ColumnOrigin, readOrigins } from "./view-origins.ts";

/** The relations that are resources, as the system catalog of PostgreSQL describes them. */
export interface Catalogue extends EdgesOfRelations {
  readonly relations: readonly Relation[];
  /** Whether code of the database's users can prepare statements. */
  readonly preparesStatements: boolean;
  relationByOid(oid: number): Relation | undefined;
  relationByName(schema: string, name: string): Relation | undefined;
  relationByResource(resourceId: string): Relation | undefined;
  /** Whether a column's values are computed when they are read, so that reading one may raise an error. */
  isComputed(relation: Relation, column: Column): boolean;
  readonly parts: CatalogueParts;
  /** Returns the same relations with another exposure; returns this catalogue itself if nothing differs. */
  withExposures(exposures: Exposures): Catalogue;
}

/** What a catalogue was built from, besides its relations; the next load keeps what has not changed. */
export interface CatalogueParts {
  readonly preparesStatements: boolean;
  readonly exposures: Exposures;
  readonly links: Links;
  /** The stored queries of views, by OID. */
  readonly queries: ReadonlyMap<number, string | null>;
}

/** The relations that a load has read, and the catalogue that it keeps the others of. */
export interface KeptCatalogue {
  readonly catalogue: Catalogue;
  readonly read: ReadonlySet<number>;
}

/** Builds the catalogue from the rows of `catalogueSql`. */
export function createCatalogue(
  rows: readonly CatalogueRow[],
  exposures: Exposures,
  kept?: KeptCatalogue,
): Catalogue {
  let facts: CatalogueFacts | undefined;
  const found: RelationRow[] = [];
  for (const row of rows) {
    if (row.facts === null) found.push(JSON.parse(row.relation) as RelationRow);
    else facts = JSON.parse(row.facts) as CatalogueFacts;
  }
  if (facts === undefined) throw new TypeError("The catalogue has no facts");
  const isKept = ([oid]: readonly [number, unknown]) => kept?.read.has(oid) === false;
  const before = kept?.catalogue.parts;
  const links: Links = new Map([
    ...[...(before?.links ?? [])].filter(isKept),
    ...Object.entries(facts.links).map(([oid, link]) => [Number(oid), link] as const),
  ]);
  const queries = new Map([
    ...[...(before?.queries ?? [])].filter(isKept),
    ...found.map((row) => [row.oid, row.query] as const),
  ]);
  // Without event triggers the code of a relation is not known: a change of a function does not change a fingerprint.
  const isEverywhere = facts.everywhere || found.some(({ fingerprint }) => fingerprint !== null);
  const codeOf = createCodeOf(reachOfCode(links), isEverywhere);
  const typeOf = createTypeOf(facts.types);
  const others = kept?.catalogue.withExposures(exposures).relations ?? [];
  const relations = [
    ...others
      .filter(({ oid }) => isKept([oid, undefined]))
      .map((relation) => withCode(relation, codeOf(relation.oid))),
    ...found.map((row) => createRelation(row, exposures, codeOf(row.oid), typeOf)),
  ].sort(byName);
  const preparesStatements = facts.prepares;
  return indexRelations(relations, { preparesStatements, exposures, links, queries });
}

/** In the order of PostgreSQL's type `name`: by bytes, and so by code points. */
function byName(one: Relation, other: Relation): number {
  return compareCodePoints(one.schema, other.schema) || compareCodePoints(one.name, other.name);
}

function compareCodePoints(one: string, other: string): number {
  for (let index = 0; ; index += 1) {
    const [a, b] = [one.codePointAt(index), other.codePointAt(index)];
    if (a !== b) return (a ?? -1) - (b ?? -1);
    if (a === undefined) return 0;
  }
}

function indexRelations(relations: readonly Relation[], parts: CatalogueParts): Catalogue {
  const byOid = new Map(relations.map((relation) => [relation.oid, relation]));
  const byResource = new Map(relations.map((relation) => [relation.resource.id, relation]));
  const byName = new Map<string, Map<string, Relation>>();
  for (const relation of relations) {
    let schema = byName.get(relation.schema);
    if (schema === undefined) {
      schema = new Map();
      byName.set(relation.schema, schema);
    }
    schema.set(relation.name, relation);
  }
  const catalogue: Catalogue = {
    relations,
    parts,
    preparesStatements: parts.preparesStatements,
    isComputed: createComputedTest((oid) => byOid.get(oid), parts.queries),
    relationByOid: (oid) => byOid.get(oid),
    relationByName: (schema, name) => byName.get(schema)?.get(name),
    relationByResource: (resourceId) => byResource.get(resourceId),
    ...createEdgesOf(relations, byOid),
    withExposures: (exposures) => {
      if (exposures === parts.exposures) return catalogue;
      const exposed = relations.map((relation) => {
        const resource = exposeResource(relation.resource, exposures);
        return isSameExposure(resource, relation.resource) ? relation : { ...relation, resource };
      });
      const isSame = exposed.every((relation, index) => relation === relations[index]);
      return isSame ? catalogue : indexRelations(exposed, { ...parts, exposures });
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
