import {
  type AuditActor,
  type Database,
  findRelation,
  type Method,
  makeChange,
  type Queryable,
  requireFound,
  type SnapshotStore,
  schema,
  type Transaction,
} from "@rowhouse/db";
import { createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { inArray } from "drizzle-orm";
import { loadRowEstimates } from "./relation-sizes.ts";
import {
  methods,
  type ResourceDetail,
  type ResourceSummary,
  readResource,
  summaryOf,
} from "./resources.ts";

/** The input of an administrator; omitted fields stay unchanged. */
export interface ResourceChanges {
  readonly exposedMethods?: readonly Method[] | undefined;
  readonly label?: string | null | undefined;
  readonly description?: string | null | undefined;
}

/** The changes of one resource in a list of several. */
export interface ResourceUpdate extends ResourceChanges {
  readonly id: string;
}

/** A resource in the response to a change of several. */
export interface UpdatedResource extends ResourceSummary {
  readonly description: string | null;
}

/**
 * Changes the given fields of a resource.
 *
 * @throws AppError NOT_FOUND, or BODY_INVALID for a method that this resource cannot have
 */
export async function updateResource(
  database: Database,
  snapshots: Pick<SnapshotStore, "fresh">,
  id: string,
  changes: ResourceChanges,
  actor: AuditActor,
): Promise<ResourceDetail> {
  if (givenFields(changes).length > 0) {
    await makeChange(database, actor, async (transaction) => {
      const kinds = await lockResources(transaction, [id]);
      const kind = requireFound(kinds.get(id.toLowerCase()));
      throwFaults(findImpossibleMethods(changes, kind, "/data"));
      await writeChanges(transaction, [{ ...changes, id }]);
      return { result: undefined, entry: entryOf({ ...changes, id }) };
    });
  }
  return readResource(database, await snapshots.fresh(), id);
}

/**
 * Changes several resources in one transaction: all of them, or none. Each has its own entry in the audit log, and the
 * epoch rises once.
 *
 * @returns the resources in the order of `updates`
 * @throws AppError with every fault at its path, `/data/<index>/…`: an unknown resource, a resource that is named
 * twice, a method that a resource cannot have
 */
export async function updateResources(
  database: Database,
  snapshots: Pick<SnapshotStore, "fresh">,
  updates: readonly ResourceUpdate[],
  actor: AuditActor,
): Promise<UpdatedResource[]> {
  await makeChange(database, actor, async (transaction) => {
    const kinds = await lockResources(
      transaction,
      updates.map(({ id }) => id),
    );
    throwFaults(findFaults(updates, kinds));
    const changed = updates.filter((update) => givenFields(update).length > 0);
    await writeChanges(transaction, changed);
    return { result: undefined, entry: changed.map(entryOf) };
  });
  const snapshot = await snapshots.fresh();
  // A table that was dropped after the validation has no row here.
  const relations = updates.flatMap(({ id }) => findRelation(snapshot, id) ?? []);
  const estimates = await loadRowEstimates(database, relations);
  return relations.map((relation) => ({
    ...summaryOf(relation, estimates),
    description: relation.resource.description,
  }));
}

type Kinds = ReadonlyMap<string, "TABLE" | "VIEW">;

/** Locks resources in the order of their ids, which prevents deadlocks between changes of the same resources. */
async function lockResources({ orm }: Transaction, ids: readonly string[]): Promise<Kinds> {
  const { id: resourceId, kind: resourceKind } = schema.resources;
  const rows = await orm
    .select({ id: resourceId, kind: resourceKind })
    .from(schema.resources)
    .where(inArray(resourceId, [...ids]))
    .orderBy(resourceId)
    .for("update");
  return new Map(rows.map(({ id, kind }) => [id, kind]));
}

async function writeChanges(
  transaction: Queryable,
  updates: readonly ResourceUpdate[],
): Promise<void> {
  if (updates.length === 0) return;
  const records = updates.map(({ id, exposedMethods, label, description }) => ({
    id,
    methods:
      exposedMethods === undefined
        ? null
        : methods.filter((method) => exposedMethods.includes(method)),
    label,
    sets_label: label !== undefined,
    description,
    sets_description: description !== undefined,
  }));
  await transaction.query(
    `update system.resources r set exposed_methods = coalesce(u.methods, r.exposed_methods),
       label = case when u.sets_label then u.label else r.label end,
       description = case when u.sets_description then u.description else r.description end
     from json_to_recordset($1::text::json)
       u (id uuid, methods text[], label text, sets_label boolean, description text, sets_description boolean)
     where r.id = u.id`,
    [JSON.stringify(records)],
  );
}

function givenFields({ exposedMethods, label, description }: ResourceChanges): string[] {
  const given = Object.entries({ exposedMethods, label, description });
  return given.filter(([, value]) => value !== undefined).map(([field]) => field);
}

function entryOf(update: ResourceUpdate) {
  return {
    action: "resource.update",
    targetKind: "resource",
    targetId: update.id.toLowerCase(),
    changedFields: givenFields(update),
  };
}

function* findFaults(updates: readonly ResourceUpdate[], kinds: Kinds): Generator<Fault> {
  const seen = new Set<string>();
  for (const [index, update] of updates.entries()) {
    const id = update.id.toLowerCase();
    const kind = kinds.get(id);
    const refuse = (message: string) =>
      createFault("VALUE_INVALID", { path: `/data/${index}/id`, message });
    if (kind === undefined) yield refuse("No such resource");
    else if (seen.has(id)) yield refuse("A resource may be named only once");
    else yield* findImpossibleMethods(update, kind, `/data/${index}`);
    seen.add(id);
  }
}

function findImpossibleMethods(
  { exposedMethods = [] }: ResourceChanges,
  kind: "TABLE" | "VIEW",
  path: string,
): Fault[] {
  return exposedMethods.flatMap((method, index) => {
    const refuse = (message: string) => [
      createFault("BODY_INVALID", { path: `${path}/exposedMethods/${index}`, message }),
    ];
    if (exposedMethods.indexOf(method) !== index) return refuse("A method may be named only once");
    if (method === "GET") return [];
    if (kind === "VIEW") return refuse("A view allows only the method GET");
    return [];
  });
}
