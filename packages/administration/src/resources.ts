import {
  type AuditActor,
  arrayLiteral,
  type Column,
  type Database,
  type Method,
  makeChange,
  matchesSearch,
  type Page,
  type PageRequest,
  type Relation,
  readCursor,
  requireFound,
  type Snapshot,
  type SnapshotStore,
  toPage,
} from "@rowhouse/db";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { isStorableText } from "@rowhouse/json";

/** A table or view as a list shows it. */
export interface ResourceSummary {
  readonly id: string;
  readonly schema: string;
  readonly name: string;
  readonly kind: "TABLE" | "VIEW";
  readonly exposedMethods: Method[];
}

/** A table or view with its columns. */
export interface ResourceDetail extends ResourceSummary {
  readonly comment: string | null;
  readonly primaryKey: string[];
  readonly columns: ResourceColumn[];
}

export interface ResourceColumn {
  readonly name: string;
  readonly dataType: string;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
  readonly identity: "ALWAYS" | "BY_DEFAULT" | null;
  readonly generated: boolean;
}

/** The order in which methods are kept and shown. */
export const methods = ["GET", "POST", "PATCH", "DELETE"] as const satisfies readonly Method[];

/** The resources by schema and name, hidden ones included. */
export function listResources(
  snapshot: Pick<Snapshot, "catalogue">,
  request: PageRequest & { readonly schema: string | null },
): Page<ResourceSummary> {
  const [afterSchema, afterName] = readCursor(request.cursor, [isStorableText, isStorableText]);
  const found = snapshot.catalogue.relations
    .filter(
      ({ schema, name }) =>
        (request.schema === null || request.schema === schema) &&
        matchesSearch(`${schema}.${name}`, request.search) &&
        (afterSchema === null ||
          afterName === null ||
          compare(schema, afterSchema) > 0 ||
          (schema === afterSchema && compare(name, afterName) > 0)),
    )
    .sort((a, b) => compare(a.schema, b.schema) || compare(a.name, b.name))
    .map(summaryOf);
  return toPage(found, request.limit, (resource) => [resource.schema, resource.name]);
}

/**
 * One resource with its columns; secret ones are not among them.
 *
 * @throws AppError NOT_FOUND
 */
export function readResource(snapshot: Pick<Snapshot, "catalogue">, id: string): ResourceDetail {
  const relation = requireFound(snapshot.catalogue.relationByResource(id.toLowerCase()));
  return {
    ...summaryOf(relation),
    comment: relation.comment,
    primaryKey: [...relation.primaryKey],
    columns: relation.columns.map(describeColumn),
  };
}

/**
 * Sets which methods a resource exposes.
 *
 * @throws AppError NOT_FOUND, or BODY_INVALID for a method that this resource never has
 */
export async function exposeResource(
  database: Database,
  snapshots: Pick<SnapshotStore, "fresh">,
  id: string,
  exposedMethods: readonly Method[],
  actor: AuditActor,
): Promise<ResourceDetail> {
  await makeChange(database, actor, async (transaction) => {
    const [row] = await transaction.query<{ kind: "TABLE" | "VIEW" }>(
      "select kind from system.resources where id = $1::text::uuid for update",
      [id],
    );
    const resource = requireFound(row);
    throwFaults(findImpossibleMethods(exposedMethods, resource.kind));
    await transaction.query(
      "update system.resources set exposed_methods = $2::text::text[] where id = $1::text::uuid",
      [id, arrayLiteral(methods.filter((method) => exposedMethods.includes(method)))],
    );
    return {
      result: undefined,
      entry: {
        action: "resource.update",
        targetKind: "resource",
        targetId: id,
        changedFields: ["exposedMethods"],
      },
    };
  });
  return readResource(await snapshots.fresh(), id);
}

function findImpossibleMethods(exposed: readonly Method[], kind: "TABLE" | "VIEW"): Fault[] {
  return exposed.flatMap((method, index) => {
    const refuse = (message: string) => [
      createFault("BODY_INVALID", { path: `/data/exposedMethods/${index}`, message }),
    ];
    if (exposed.indexOf(method) !== index) return refuse("This method is named twice");
    if (method === "GET") return [];
    if (kind === "VIEW") return refuse("A view has one method, GET");
    return [];
  });
}

/** The relation of a resource id that stands in a body; undefined for an unknown one. */
export function findRelation(
  snapshot: Pick<Snapshot, "catalogue">,
  id: string,
): Relation | undefined {
  return snapshot.catalogue.relationByResource(id.toLowerCase());
}

/** The relation of a record that a foreign key holds to it. */
export function requireRelation(snapshot: Pick<Snapshot, "catalogue">, id: string): Relation {
  const relation = findRelation(snapshot, id);
  if (relation === undefined) throw createError("NOT_FOUND");
  return relation;
}

function summaryOf(relation: Relation): ResourceSummary {
  return {
    id: relation.resource.id,
    schema: relation.schema,
    name: relation.name,
    kind: relation.resource.kind,
    exposedMethods: [...relation.resource.exposedMethods],
  };
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

/** By code units: the same on every machine, whatever its language. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
