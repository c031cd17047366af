import {
  type AuditActor,
  arrayLiteral,
  type Database,
  findRelation,
  type Method,
  makeChange,
  type Queryable,
  type Relation,
  requireFound,
  rulesSql,
  type SnapshotStore,
  syncTriggers,
  type Transaction,
} from "@rowhouse/db";
import { createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { illegibleName, isLegibleName } from "@rowhouse/wire";
import { findTitleFault, storeTitle } from "../titles/record-title.ts";
import {
  type CheckedColumns,
  changedFieldsOf,
  checkColumns,
  type NamedColumnChanges,
  storeColumns,
} from "./column-changes.ts";
import { loadRowEstimates } from "./relation-sizes.ts";
import { requireResourceTag } from "./resource-tag.ts";
import { methods, type ResourceSummary, resourceSummaryOf } from "./resources.ts";

/** The input of an administrator; omitted fields stay unchanged. */
export interface ResourceChanges {
  readonly exposedMethods?: readonly Method[] | undefined;
  readonly label?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly history?: boolean | undefined;
  readonly junction?: boolean | undefined;
  /** The template of a record's title; null for the proposed one. */
  readonly title?: string | null | undefined;
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
 * Changes the given fields of a resource and of its columns together.
 *
 * @param ifMatch the tags of `If-Match`
 * @returns the names of relations of its table that lead elsewhere or nowhere since the change
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; BODY_INVALID for a method, a history or a mark that this resource cannot have; CONFLICT
 * if its table is locked while its triggers change; those of `updateResourceColumn` and VALUE_INVALID, at `/data/columns/<index>/…`
 */
export async function updateResource(
  database: Database,
  snapshots: Pick<SnapshotStore, "fresh">,
  id: string,
  { columns = [], ...changes }: ResourceChanges & ColumnsChange,
  actor: AuditActor,
  ifMatch?: readonly string[],
): Promise<readonly string[]> {
  const update = { ...changes, id };
  const checked = await checkColumnsOf(database, snapshots, id, columns);
  const ofColumns = checked === undefined ? [] : changedFieldsOf(checked);
  if (givenFields(changes).length + ofColumns.length === 0) {
    await requireResourceTag(database, id, ifMatch);
    throwFaults(checked?.faults ?? []);
    return [];
  }
  const titled = await relationsOfTitles(snapshots, [update]);
  await makeChange(database, actor, async (transaction) => {
    await requirePossible(transaction, update, titled, ifMatch, checked?.faults);
    await writeChanges(transaction, [update], titled);
    if (checked !== undefined) await storeColumns(transaction, checked);
    const entry = entryOf(update);
    const changedFields = [...entry.changedFields, ...ofColumns];
    return { result: undefined, entry: { ...entry, changedFields } };
  });
  return checked?.formerRelations ?? [];
}

interface ColumnsChange {
  readonly columns?: readonly NamedColumnChanges[] | undefined;
}

async function checkColumnsOf(
  database: Transaction,
  snapshots: Pick<SnapshotStore, "fresh">,
  id: string,
  columns: readonly NamedColumnChanges[],
): Promise<CheckedColumns | undefined> {
  if (columns.length === 0) return undefined;
  const snapshot = await snapshots.fresh();
  const relation = requireFound(findRelation(snapshot, id));
  return checkColumns(database, snapshot, relation, columns, "/data/columns");
}

/**
 * Checks a change of a resource as `updateResource`, and changes nothing. It locks the resource until the transaction ends.
 *
 * @throws AppError NOT_FOUND; BODY_INVALID
 */
export async function checkResource(
  transaction: Queryable,
  snapshots: Pick<SnapshotStore, "fresh">,
  id: string,
  changes: ResourceChanges,
): Promise<void> {
  const update = { ...changes, id };
  await requirePossible(transaction, update, await relationsOfTitles(snapshots, [update]));
}

async function requirePossible(
  transaction: Queryable,
  update: ResourceUpdate,
  titled: ReadonlyMap<string, Relation>,
  ifMatch?: readonly string[],
  others: readonly Fault[] = [],
): Promise<void> {
  const locked = await lockResources(transaction, [update.id]);
  const resource = requireFound(locked.get(update.id.toLowerCase()));
  await requireResourceTag(transaction, update.id, ifMatch);
  throwFaults([...findImpossible(update, resource, titled, "/data"), ...others]);
}

/**
 * Changes several resources in one transaction: all of them, or none. Each has its own entry in the audit log, and the
 * epoch rises once.
 *
 * @returns the resources in the order of `updates`
 * @throws AppError with every fault at its path, `/data/<index>/…`: an unknown resource, a resource that is named
 * twice, a method, a history or a mark that a resource cannot have; CONFLICT if a table is locked while its triggers change
 */
export async function updateResources(
  database: Database,
  snapshots: Pick<SnapshotStore, "fresh">,
  updates: readonly ResourceUpdate[],
  actor: AuditActor,
): Promise<UpdatedResource[]> {
  const titled = await relationsOfTitles(snapshots, updates);
  await makeChange(database, actor, async (transaction) => {
    const locked = await lockResources(
      transaction,
      updates.map(({ id }) => id),
    );
    throwFaults(findFaults(updates, locked, titled));
    const changed = updates.filter((update) => givenFields(update).length > 0);
    await writeChanges(transaction, changed, titled);
    return { result: undefined, entry: changed.map(entryOf) };
  });
  const snapshot = await snapshots.fresh();
  // A table that was dropped after the validation has no row here.
  const relations = updates.flatMap(({ id }) => findRelation(snapshot, id) ?? []);
  const estimates = await loadRowEstimates(database, relations);
  return relations.map((relation) => ({
    ...resourceSummaryOf(relation, estimates),
    description: relation.resource.description,
  }));
}

/** The facts of a resource that limit its changes. */
interface LockedResource {
  readonly id: string;
  readonly kind: "TABLE" | "VIEW";
  readonly label: string | null;
  /** The methods that its rules prevent. */
  readonly barred: readonly Method[];
  /** The reason why its changes cannot be recorded; null if they can. */
  readonly without_history: string | null;
  /** The reason why it is no junction; null if it can be one. */
  readonly without_junction: string | null;
}

type LockedResources = ReadonlyMap<string, LockedResource>;

/** Locks resources in the order of their ids, which prevents deadlocks between changes of the same resources. */
async function lockResources(
  transaction: Queryable,
  ids: readonly string[],
): Promise<LockedResources> {
  const rows = await transaction.query<LockedResource>(
    `select r.id, r.kind, r.label, coalesce(pg_catalog.to_json(u.barred), '[]') as barred, case
       when c.relkind in ('v', 'm') then 'A view has no row history; record that of the tables that it reads'
       when c.relkind = 'f' then 'A foreign table has no row history; its rows change on another server'
       when r.schema_name = 'system' then 'Tables of the schema system have no row history; the audit log has their changes'
       when not exists (select from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisprimary)
         then 'A row history needs a primary key'
       when c.relkind = 'r' and exists (select from pg_catalog.pg_inherits h where h.inhparent = c.oid)
         then 'Other tables inherit from this one, so its rows have no key for a row history; record that of each table'
       when not pg_catalog.has_table_privilege(system.service_login(), c.oid, 'trigger')
         then 'The service''s database login lacks the TRIGGER privilege on this table' end as without_history,
       case when r.kind = 'VIEW' then 'A view has no foreign keys, and so is no junction'
       when k.number <> 2 then pg_catalog.format('A junction has exactly two foreign keys; this table has %s', k.number)
       end as without_junction
     from system.resources r left join pg_catalog.pg_class c on c.oid = r.relation_oid
     left join (${rulesSql}) u on u.relation = r.relation_oid
     cross join lateral (
       -- A foreign key to a partitioned table has a further one for each partition.
       select pg_catalog.count(*) as number from pg_catalog.pg_constraint f
       where f.conrelid = r.relation_oid and f.contype = 'f'
         and exists (select from system.resources t where t.relation_oid = f.confrelid)
         and not exists (select from pg_catalog.pg_constraint w where w.oid = f.conparentid and w.conrelid = f.conrelid)) k
     where r.id = any ($1::text::uuid[]) order by r.id for update of r`,
    [arrayLiteral(ids)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The relations of the changes that set a title, by their ids. Other changes need no snapshot. */
async function relationsOfTitles(
  snapshots: Pick<SnapshotStore, "fresh">,
  updates: readonly ResourceUpdate[],
): Promise<ReadonlyMap<string, Relation>> {
  const titled = updates.filter(({ title }) => title !== undefined);
  if (titled.length === 0) return new Map();
  const snapshot = await snapshots.fresh();
  return new Map(
    titled.flatMap(({ id }): [string, Relation][] => {
      const relation = findRelation(snapshot, id);
      return relation === undefined ? [] : [[id, relation]];
    }),
  );
}

async function writeChanges(
  transaction: Transaction,
  updates: readonly ResourceUpdate[],
  titled: ReadonlyMap<string, Relation>,
): Promise<void> {
  if (updates.length === 0) return;
  const records = updates.map((update) => {
    const { id, exposedMethods, label, description, history, junction } = update;
    return {
      id,
      methods:
        exposedMethods === undefined
          ? null
          : methods.filter((method) => exposedMethods.includes(method)),
      label,
      sets_label: label !== undefined,
      description,
      sets_description: description !== undefined,
      history,
      junction,
    };
  });
  await transaction.query(
    `update system.resources r set exposed_methods = coalesce(u.methods, r.exposed_methods),
       label = case when u.sets_label then u.label else r.label end,
       description = case when u.sets_description then u.description else r.description end,
       history = coalesce(u.history, r.history),
       junction = coalesce(u.junction, r.junction)
     from json_to_recordset($1::text::json)
       u (id uuid, methods text[], label text, sets_label boolean, description text, sets_description boolean, history boolean,
         junction boolean)
     where r.id = u.id`,
    [JSON.stringify(records)],
  );
  for (const { id, history, title } of updates) {
    if (history !== undefined) await syncTriggers(transaction, id);
    const relation = titled.get(id);
    if (title !== undefined && relation !== undefined) {
      await storeTitle(transaction, relation, title);
    }
  }
}

function givenFields(changes: ResourceChanges): string[] {
  const { exposedMethods, label, description, history, junction, title } = changes;
  const given = Object.entries({ exposedMethods, label, description, history, junction, title });
  return given.filter(([, value]) => value !== undefined).map(([field]) => field);
}

function entryOf(update: ResourceUpdate) {
  return {
    action: "resource.update" as const,
    targetKind: "resource",
    targetId: update.id.toLowerCase(),
    changedFields: givenFields(update),
  };
}

function* findFaults(
  updates: readonly ResourceUpdate[],
  locked: LockedResources,
  titled: ReadonlyMap<string, Relation>,
): Generator<Fault> {
  const seen = new Set<string>();
  for (const [index, update] of updates.entries()) {
    const id = update.id.toLowerCase();
    const resource = locked.get(id);
    const refuse = (message: string) =>
      createFault("VALUE_INVALID", { path: `/data/${index}/id`, message });
    if (resource === undefined) yield refuse("No such resource");
    else if (seen.has(id)) yield refuse("A resource may be named only once");
    else yield* findImpossible(update, resource, titled, `/data/${index}`);
    seen.add(id);
  }
}

function findImpossible(
  changes: ResourceUpdate,
  resource: LockedResource,
  titled: ReadonlyMap<string, Relation>,
  path: string,
): Fault[] {
  const { title, label } = changes;
  const relation = titled.get(changes.id);
  const isIllegible = label != null && label !== resource.label && !isLegibleName(label);
  const refuse = (field: "history" | "junction", message: string | null) =>
    changes[field] !== true || message === null
      ? []
      : [createFault("BODY_INVALID", { path: `${path}/${field}`, message })];
  return [
    ...findImpossibleMethods(changes, resource, path),
    ...(isIllegible
      ? [createFault("BODY_INVALID", { path: `${path}/label`, message: illegibleName })]
      : []),
    ...refuse("history", resource.without_history),
    ...refuse("junction", resource.without_junction),
    ...(relation === undefined || typeof title !== "string"
      ? []
      : findTitleFault(relation, title, `${path}/title`)),
  ];
}

function findImpossibleMethods(
  { exposedMethods = [] }: ResourceChanges,
  { kind, barred }: LockedResource,
  path: string,
): Fault[] {
  return exposedMethods.flatMap((method, index) => {
    const refuse = (message: string) => [
      createFault("BODY_INVALID", { path: `${path}/exposedMethods/${index}`, message }),
    ];
    if (exposedMethods.indexOf(method) !== index) return refuse("A method may be named only once");
    if (method === "GET") return [];
    if (kind === "VIEW") return refuse("A view allows only the method GET");
    if (barred.includes(method)) {
      return refuse(
        `A rule of the table (create rule) prevents ${method}: use a trigger, or a single "on delete do instead" without a condition`,
      );
    }
    return [];
  });
}
