import {
  type Action,
  type BoundGrant,
  bindGrant,
  describeLoss,
  isGone,
  type LossReason,
  renameFieldOperand,
  termsOfGrant,
} from "@rowhouse/access";
import {
  type AuditActor,
  type Catalogue,
  type Database,
  deleteRecord,
  entityTagOf,
  findRelation,
  type GrantRecord,
  isCurrent,
  isUuid,
  lockRecord,
  makeChange,
  matchesSearch,
  type Page,
  type PageRequest,
  type Relation,
  readCursor,
  requireEntityTag,
  requireFound,
  requireRelation,
  type Snapshot,
  type SnapshotStore,
  schema,
  type Transaction,
  toPage,
} from "@rowhouse/db";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { isObject, writeExactJson } from "@rowhouse/wire";
import { eq } from "drizzle-orm";

export interface Grant extends NamedGrant {
  readonly id: string;
  readonly roleId: string;
  readonly resourceId: string;
  readonly action: Action;
}

/** The terms of a grant, which can be changed. */
export interface GrantTerms {
  readonly fields?: readonly string[] | null | undefined;
  readonly rowFilter?: unknown;
  readonly check?: unknown;
  readonly presets?: Readonly<Record<string, unknown>> | undefined;
}

export interface NewGrant extends GrantTerms {
  readonly roleId: string;
  readonly resourceId: string;
  readonly action: Action;
}

export interface GrantFilter {
  readonly roleId: string | null;
  readonly resourceId: string | null;
  readonly action: Action | null;
}

const { grants, grantColumns } = schema;
const kind = { name: "grant", table: grants } as const;

/** Maximum number of attempts of a change while concurrent changes interfere. */
const attemptsMax = 5;

/** Lists the grants by id; `search` matches the names of resources. */
export function listGrants(snapshot: Snapshot, request: PageRequest & GrantFilter): Page<Grant> {
  const [after] = readCursor(request.cursor, [isUuid]);
  const found = snapshot.grants
    .filter(
      (grant) =>
        (after === null || grant.id > after) &&
        (request.roleId === null || grant.roleId === request.roleId.toLowerCase()) &&
        (request.resourceId === null || grant.resourceId === request.resourceId.toLowerCase()) &&
        (request.action === null || grant.action === request.action),
    )
    .filter((grant) => {
      const relation = requireRelation(snapshot, grant.resourceId);
      return matchesSearch(`${relation.schema}.${relation.name}`, request.search);
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((record) => describeGrant(snapshot, record));
  return toPage(found, request.limit, (grant) => [grant.id]);
}

/**
 * Returns one grant.
 *
 * @throws AppError NOT_FOUND
 */
export function readGrant(snapshot: Snapshot, id: string): Grant {
  return describeGrant(snapshot, findRecord(snapshot, id));
}

/** Returns grants in the order of their ids in a list. One that was deleted since is left out. */
export function listGrantsById(snapshot: Snapshot, ids: readonly string[]): Grant[] {
  const byId = new Map(snapshot.grants.map((grant) => [grant.id, grant]));
  return ids.flatMap((id) => {
    const record = byId.get(id);
    return record === undefined ? [] : [describeGrant(snapshot, record)];
  });
}

/** The entity tag of a grant, without quotes. It changes with its terms, and with the name of a column that they use. */
export function tagOfGrant({ effective, reason, lost, ...terms }: Grant): string {
  return entityTagOf(writeExactJson(terms));
}

/**
 * Grants a role an action on a resource.
 *
 * @throws AppError with every fault at its path; CONFLICT if the role already has a grant for this action
 */
export async function createGrant(
  database: Database,
  snapshots: Pick<SnapshotStore, "fresh">,
  input: NewGrant,
  actor: AuditActor,
): Promise<Grant> {
  const snapshot = await snapshots.fresh();
  const relation = findRelation(snapshot, input.resourceId);
  const faults: Fault[] = [];
  if (!snapshot.roles.has(input.roleId.toLowerCase())) {
    faults.push(createFault("VALUE_INVALID", { path: "/data/roleId", message: "No such role" }));
  }
  if (relation === undefined) {
    const message = "No such resource";
    faults.push(createFault("VALUE_INVALID", { path: "/data/resourceId", message }));
  }
  throwFaults(faults);
  const bound = await bindGrant(database, snapshot.catalogue, requireFound(relation), {
    action: input.action,
    fields: input.fields ?? null,
    rowFilter: input.rowFilter ?? null,
    check: input.check ?? null,
    presets: input.presets ?? {},
  });
  const id = await makeChange(
    database,
    actor,
    async (transaction) => {
      const { roleId, resourceId, action } = input;
      const [row] = await transaction.orm
        .insert(grants)
        .values({ roleId, resourceId, action, ...termsOf(bound) })
        .returning({ id: grants.id });
      const created = requireFound(row).id;
      await writeColumns(transaction, created, bound);
      return {
        result: created,
        entry: {
          action: "grant.create",
          targetKind: "grant",
          targetId: created,
          changedFields: Object.keys(input),
        },
      };
    },
    {
      path: "/data/action",
      message: "The role already has a grant for this action; change that grant",
    },
  );
  return readGrant(await snapshots.fresh(), id);
}

/**
 * Changes the given terms of a grant; omitted terms stay unchanged.
 *
 * @throws AppError NOT_FOUND, or with every fault at its path
 */
export async function updateGrant(
  database: Database,
  snapshots: Pick<SnapshotStore, "fresh">,
  id: string,
  changes: GrantTerms,
  actor: AuditActor,
  ifMatch?: readonly string[],
): Promise<Grant> {
  const changedFields = Object.keys(changes);
  for (let attempt = 0; ; attempt += 1) {
    const snapshot = await snapshots.fresh();
    const present = readGrant(snapshot, id);
    requireEntityTag(tagOfGrant(present), ifMatch, "The grant has changed since it was read");
    if (changedFields.length === 0) return present;
    throwFaults(lostParts(present, changes));
    const relation = requireRelation(snapshot, present.resourceId);
    const merged = { ...present, ...changes };
    const bound = await bindGrant(database, snapshot.catalogue, relation, {
      action: present.action,
      fields: merged.fields ?? null,
      rowFilter: merged.rowFilter ?? null,
      check: merged.check ?? null,
      presets: merged.presets ?? {},
    });
    const isDone = await makeChange(database, actor, async (transaction) => {
      await lockRecord(transaction, kind, id);
      // Terms merged from an outdated snapshot would revert a concurrent change.
      if (!(await isCurrent(transaction, snapshot))) return { result: false, entry: null };
      await transaction.orm.update(grants).set(termsOf(bound)).where(eq(grants.id, id));
      await transaction.orm.delete(grantColumns).where(eq(grantColumns.grantId, id));
      await writeColumns(transaction, id, bound);
      return {
        result: true,
        entry: { action: "grant.update", targetKind: "grant", targetId: id, changedFields },
      };
    });
    if (isDone) return readGrant(await snapshots.fresh(), id);
    if (attempt + 1 >= attemptsMax) {
      throw createError("SERVICE_UNAVAILABLE", { headers: { "Retry-After": "1" } });
    }
  }
}

/** Finds the parts that have lost their meaning and that a change leaves as they are: it would give them another one. */
function lostParts({ lost }: Grant, changes: GrantTerms): Fault[] {
  // Writing back a name without a column is a fault of its own.
  const kept = new Map(lost.filter((loss) => !isGone(loss)).map((loss) => [loss.part, loss]));
  for (const part of kept.keys()) if (changes[part] !== undefined) kept.delete(part);
  return Array.from(kept, ([part, { name, reason }]) => {
    const cause = describeLoss({ mention: name, reason });
    const message = `${cause}: send this part again, as it is meant now`;
    return createFault("VALUE_INVALID", { path: `/data/${part}`, message });
  });
}

/**
 * Deletes a grant. The deletion applies from the next request on.
 *
 * @throws AppError NOT_FOUND
 */
export async function deleteGrant(
  database: Database,
  id: string,
  actor: AuditActor,
): Promise<void> {
  await deleteRecord(database, kind, id, actor);
}

function findRecord(snapshot: Snapshot, id: string): GrantRecord {
  return requireFound(snapshot.grants.find((grant) => grant.id === id.toLowerCase()));
}

function describeGrant(snapshot: Snapshot, record: GrantRecord): Grant {
  return {
    id: record.id,
    roleId: record.roleId,
    resourceId: record.resourceId,
    action: record.action,
    ...nameGrant(record, requireRelation(snapshot, record.resourceId), snapshot.catalogue),
  };
}

/** The terms of a grant as its record has them. */
export function termsOf({ allFields, rowFilter, rowCheck, presets }: BoundGrant) {
  return { allFields, rowFilter, rowCheck, presets };
}

async function writeColumns(
  { orm }: Transaction,
  grantId: string,
  { columns }: BoundGrant,
): Promise<void> {
  if (columns.length === 0) return;
  await orm.insert(grantColumns).values(columns.map((column) => ({ ...column, grantId })));
}

/** The terms of a grant with current column names. */
interface NamedGrant {
  /** Null for every field. */
  readonly fields: string[] | null;
  readonly rowFilter: unknown;
  readonly check: unknown;
  readonly presets: Readonly<Record<string, unknown>>;
  /** False if a column that it uses was dropped or means something else now: the grant then allows nothing. */
  readonly effective: boolean;
  /** Why it is not effective, as sentences without a period at the end; null if it is. */
  readonly reason: string | null;
  /** The names that have lost their column, or the meaning of their column. */
  readonly lost: LostName[];
}

interface LostName {
  readonly part: "fields" | "rowFilter" | "check" | "presets";
  /** The name that the grant uses; empty for the whole part. */
  readonly name: string;
  readonly reason: LossReason;
}

const parts: Readonly<Record<Usage, LostName["part"]>> = {
  FIELD: "fields",
  FILTER: "rowFilter",
  CHECK: "check",
  PRESET: "presets",
};

type Usage = GrantRecord["columns"][number]["usage"];

/**
 * Returns the terms of a stored grant with current column names. The stored terms keep the names of their creation,
 * bound to attribute numbers. A renamed column must appear under its new name: otherwise writing the grant back would
 * bind it to another column.
 */
function nameGrant(record: GrantRecord, relation: Relation, catalogue: Catalogue): NamedGrant {
  const namesOf = (usage: Usage): Map<string, string> => {
    const names = new Map<string, string>();
    for (const column of record.columns) {
      // A path to a column of another relation keeps its text; its number refers to the other relation.
      if (column.usage !== usage || column.pathResourceId !== null) continue;
      const now = relation.columnByNumber(column.attributeNumber);
      if (now !== undefined) names.set(column.mention, now.name);
    }
    return names;
  };
  const { grant, lost, ...terms } = termsOfGrant(record, relation, catalogue);
  const presetNames = namesOf("PRESET");
  return {
    fields: record.allFields ? null : [...namesOf("FIELD").values()],
    rowFilter: renameFilter(terms.rowFilter, namesOf("FILTER")),
    check: renameFilter(terms.rowCheck, namesOf("CHECK")),
    presets: Object.fromEntries(
      Object.entries(terms.presets).map(([name, value]) => [presetNames.get(name) ?? name, value]),
    ),
    effective: grant !== null,
    reason: lost.length === 0 ? null : [...new Set(lost.map(describeLoss))].join(". "),
    lost: lost.map(({ usage, mention, reason }) => ({ part: parts[usage], name: mention, reason })),
  };
}

/** Renames the fields in the JSON of a filter, also those that a field is compared with. */
function renameFilter(filter: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(filter)) return filter.map((item) => renameFilter(item, names));
  if (typeof filter !== "object" || filter === null) return filter;
  return Object.fromEntries(
    Object.entries(filter).map(([key, value]: [string, unknown]) => {
      if (key === "_and" || key === "_or" || key === "_not")
        return [key, renameFilter(value, names)];
      return [names.get(key) ?? key, names.has(key) ? renameOperands(value, names) : value];
    }),
  );
}

/** Renames the fields that a field of the same row is compared with. */
function renameOperands(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string")
    return renameFieldOperand(value, (path) => names.get(path) ?? path);
  if (Array.isArray(value)) return value.map((item) => renameOperands(item, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, renameOperands(inner, names)]),
  );
}
