import {
  type Column,
  type Database,
  type Edge,
  findRelation,
  type Method,
  matchesSearch,
  type Page,
  type PageRequest,
  type Queryable,
  type Relation,
  type RelationKind,
  readCursor,
  requireFound,
  type Snapshot,
  toPage,
} from "@rowhouse/db";
import { isStorableText } from "@rowhouse/wire";
import { proposedTitle, writtenTitle } from "../titles/record-title.ts";
import { loadRowEstimates, loadSizes } from "./relation-sizes.ts";

export interface ResourceSummary {
  readonly id: string;
  readonly schema: string;
  readonly name: string;
  readonly kind: "TABLE" | "VIEW";
  /** The kind of table or view in the database. */
  readonly relationKind: RelationKind;
  readonly label: string | null;
  readonly exposedMethods: Method[];
  /** Whether triggers record the changes of its rows. */
  readonly history: boolean;
  /** Whether an administrator has marked it as a junction of the two tables that it refers to. */
  readonly junction: boolean;
  /** The estimate of the last ANALYZE; null before the first, and for a view that stores no rows. */
  readonly rowEstimate: number | null;
}

/** A table or view with its columns, keys and relations. */
export interface ResourceDetail extends ResourceSummary {
  readonly description: string | null;
  /** The template of a record's title that an administrator has set: `{first_name} {last_name}`. */
  readonly title: string | null;
  /** The title if none is set; null if no column serves. */
  readonly proposedTitle: string | null;
  readonly comment: string | null;
  readonly primaryKey: string[];
  /** Those of all rows that a foreign key or an upsert can name. */
  readonly uniqueKeys: string[][];
  readonly inherited: boolean;
  readonly rowSecurity: Relation["rowSecurity"];
  readonly columns: ResourceColumn[];
  readonly relations: ResourceRelation[];
  /**
   * Size in bytes of the rows with their TOAST data, and of the indexes; null for a relation without storage, and
   * while it is locked.
   */
  readonly tableBytes: number | null;
  readonly indexBytes: number | null;
}

/** A foreign key, or a junction, under its name in the Data API. */
export interface ResourceRelation {
  readonly name: string;
  readonly kind: "ONE" | "MANY";
  /** The table with the foreign key: this one, the target, or the junction between them. */
  readonly foreignKey: Edge["foreignKey"];
  readonly target: RelationRef;
  readonly junction: RelationRef | null;
  /** Pairs of equal columns; empty with a junction, whose own relations have them. */
  readonly columns: { own: string; target: string }[];
}

interface RelationRef {
  readonly id: string;
  readonly schema: string;
  readonly name: string;
}

export interface ResourceFilter {
  readonly schema: string | null;
  readonly kind: "TABLE" | "VIEW" | null;
  /** Whether any method is exposed. */
  readonly exposed: boolean | null;
}

export interface ResourceColumn {
  readonly name: string;
  readonly dataType: string;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
  readonly identity: "ALWAYS" | "BY_DEFAULT" | null;
  readonly generated: boolean;
}

/** The order in which methods are stored and shown. */
export const methods = ["GET", "POST", "PATCH", "DELETE"] as const satisfies readonly Method[];

/** Lists the resources by schema and name, including hidden ones. */
export async function listResources(
  database: Queryable,
  snapshot: Pick<Snapshot, "catalogue">,
  request: PageRequest & ResourceFilter,
): Promise<Page<ResourceSummary>> {
  const [afterSchema, afterName] = readCursor(request.cursor, [isStorableText, isStorableText]);
  const found = snapshot.catalogue.relations
    .filter(
      (relation) =>
        fits(relation, request) &&
        (afterSchema === null ||
          afterName === null ||
          compare(relation.schema, afterSchema) > 0 ||
          (relation.schema === afterSchema && compare(relation.name, afterName) > 0)),
    )
    .sort((a, b) => compare(a.schema, b.schema) || compare(a.name, b.name));
  const page = toPage(found, request.limit, (relation) => [relation.schema, relation.name]);
  const estimates = await loadRowEstimates(database, page.items);
  return { ...page, items: page.items.map((relation) => resourceSummaryOf(relation, estimates)) };
}

/**
 * Returns one resource with its columns, without secret columns.
 *
 * @throws AppError NOT_FOUND
 */
export async function readResource(
  database: Database,
  snapshot: Pick<Snapshot, "catalogue" | "presentations">,
  id: string,
): Promise<ResourceDetail> {
  const relation = requireFound(findRelation(snapshot, id));
  const estimates = await loadRowEstimates(database, [relation]);
  const edges = snapshot.catalogue.edgesOf(relation);
  return {
    ...resourceSummaryOf(relation, estimates),
    description: relation.resource.description,
    title: writtenTitle(snapshot, relation),
    proposedTitle: proposedTitle(snapshot, relation),
    comment: relation.comment,
    primaryKey: [...relation.primaryKey],
    uniqueKeys: relation.uniqueKeys
      .filter(
        ({ deferrable, overlaps, predicate }) => !deferrable && !overlaps && predicate === null,
      )
      .map((key) => [...key.columns]),
    inherited: relation.isInherited,
    rowSecurity: relation.rowSecurity,
    columns: relation.columns.map(describeColumn),
    relations: [...edges.byName.values()].map(describeRelation),
    ...(await loadSizes(database, relation)),
  };
}

function fits(relation: Relation, filter: PageRequest & ResourceFilter): boolean {
  const { kind, exposedMethods, label } = relation.resource;
  return (
    (filter.schema === null || filter.schema === relation.schema) &&
    (filter.kind === null || filter.kind === kind) &&
    (filter.exposed === null || filter.exposed === exposedMethods.length > 0) &&
    (matchesSearch(`${relation.schema}.${relation.name}`, filter.search) ||
      (label !== null && matchesSearch(label, filter.search)))
  );
}

/** Returns the description of a relation in lists. */
export function resourceSummaryOf(
  relation: Relation,
  estimates: ReadonlyMap<number, number | null>,
): ResourceSummary {
  const { id, kind, label, exposedMethods, history, junction } = relation.resource;
  return {
    ...{ id, schema: relation.schema, name: relation.name, kind, relationKind: relation.kind },
    ...{ label, exposedMethods: [...exposedMethods], history, junction },
    rowEstimate: estimates.get(relation.oid) ?? null,
  };
}

function describeRelation(edge: Edge): ResourceRelation {
  const isJunction = edge.foreignKey === "JUNCTION";
  return {
    name: edge.name,
    kind: edge.kind,
    foreignKey: edge.foreignKey,
    target: refOf(edge.target),
    junction: isJunction ? refOf(edge.junction) : null,
    columns: isJunction ? [] : edge.columns.map(([own, target]) => ({ own, target })),
  };
}

function refOf({ resource, schema, name }: Relation): RelationRef {
  return { id: resource.id, schema, name };
}

function describeColumn(column: Column): ResourceColumn {
  return {
    name: column.name,
    dataType: column.type.name,
    nullable: column.nullable,
    hasDefault: column.hasDefault,
    identity: column.identity,
    generated: column.generated,
  };
}

/** Compares by code units, which gives the same order on every machine and in every locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
