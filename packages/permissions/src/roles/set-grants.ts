import { type Action, type BoundGrant, bindGrant } from "@rowhouse/access";
import {
  type AuditActor,
  type AuditEntry,
  type Database,
  findRelation,
  makeChange,
  type Queryable,
  type Relation,
  requireFound,
  type Snapshot,
  type SnapshotStore,
} from "@rowhouse/db";
import { AppError, createFault, type Fault, faultsMax, throwFaults } from "@rowhouse/errors";
import { writeExactJson } from "@rowhouse/wire";
import { type Grant, type GrantTerms, listGrantsById, type NewGrant, termsOf } from "./grants.ts";

/** A grant of a list: its terms, or that the role has none for the action. */
export interface GrantSetting extends NewGrant {
  readonly revoked?: boolean | undefined;
}

/**
 * Creates, replaces and revokes several grants in one transaction: all of them, or none. A role has at most one grant for
 * an action on a resource, and the given terms replace those of a present one. Each has its own entry in the audit log,
 * and other callers see one change.
 *
 * @returns the grants that exist afterward, in the order of `settings`
 * @throws AppError with every fault at its path, `/data/<index>/…`: those of a single grant, and a grant that is named
 * twice
 */
export async function setGrants(
  database: Database,
  snapshots: Pick<SnapshotStore, "fresh">,
  settings: readonly GrantSetting[],
  actor: AuditActor,
): Promise<Grant[]> {
  const bound = await bindSettings(database, await snapshots.fresh(), settings);
  const ids = await makeChange(database, actor, async (transaction) => {
    const revoked = await deleteGrants(transaction, settings.filter(isRevoked));
    const written = await writeGrants(transaction, bound);
    return {
      result: written.map(({ id }) => id),
      entry: [...revoked.map(entryOfRevoked), ...written.map(entryOfWritten)],
    };
  });
  return listGrantsById(await snapshots.fresh(), ids);
}

interface BoundSetting {
  readonly setting: GrantSetting;
  readonly bound: BoundGrant;
}

function isRevoked({ revoked }: GrantSetting): boolean {
  return revoked === true;
}

/** Binds the terms of each grant. It stops once there are more faults than a response reports. */
async function bindSettings(
  database: Pick<Database, "asService">,
  snapshot: Snapshot,
  settings: readonly GrantSetting[],
): Promise<BoundSetting[]> {
  const faults: Fault[] = [];
  const bound: BoundSetting[] = [];
  const seen = new Set<string>();
  for (const [index, setting] of settings.entries()) {
    if (faults.length >= faultsMax) break;
    const path = `/data/${index}`;
    const relation = findRelation(snapshot, setting.resourceId);
    const own = [...findFaults(setting, path, { snapshot, relation, seen })];
    faults.push(...own);
    seen.add(keyOf(setting));
    if (own.length > 0 || relation === undefined || isRevoked(setting)) continue;
    try {
      bound.push({
        setting,
        bound: await bindGrant(database, snapshot.catalogue, relation, {
          action: setting.action,
          fields: setting.fields ?? null,
          rowFilter: setting.rowFilter ?? null,
          check: setting.check ?? null,
          presets: setting.presets ?? {},
        }),
      });
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      for (const fault of error.faults) {
        faults.push({ ...fault, path: fault.path?.replace("/data", path) ?? path });
      }
    }
  }
  throwFaults(faults);
  return bound;
}

const termNames = [
  "fields",
  "rowFilter",
  "check",
  "presets",
] as const satisfies readonly (keyof GrantTerms)[];

function* findFaults(
  setting: GrantSetting,
  path: string,
  {
    snapshot,
    relation,
    seen,
  }: {
    readonly snapshot: Snapshot;
    readonly relation: Relation | undefined;
    readonly seen: ReadonlySet<string>;
  },
): Generator<Fault> {
  const refuse = (field: string, message: string) =>
    createFault("VALUE_INVALID", { path: `${path}/${field}`, message });
  if (!snapshot.roles.has(setting.roleId.toLowerCase())) yield refuse("roleId", "No such role");
  if (relation === undefined) yield refuse("resourceId", "No such resource");
  if (seen.has(keyOf(setting))) {
    yield refuse("action", "A role may have an action on a resource only once");
  }
  if (!isRevoked(setting)) return;
  for (const name of termNames) {
    if (setting[name] !== undefined) yield refuse(name, "A revoked grant has no terms");
  }
}

/** The identity of a grant: a role has at most one for an action on a resource. */
function keyOf({ roleId, resourceId, action }: Pick<NewGrant, "roleId" | "resourceId" | "action">) {
  return `${roleId} ${resourceId} ${action}`.toLowerCase();
}

interface KeyRow {
  readonly id: string;
  readonly roleId: string;
  readonly resourceId: string;
  readonly action: Action;
}

interface WrittenRow extends KeyRow {
  readonly isNew: boolean;
}

interface WrittenGrant extends WrittenRow {
  readonly setting: GrantSetting;
}

async function deleteGrants(
  transaction: Queryable,
  settings: readonly GrantSetting[],
): Promise<KeyRow[]> {
  if (settings.length === 0) return [];
  return transaction.query<KeyRow>(
    `delete from system.grants g
     using json_to_recordset($1::text::json) s ("roleId" uuid, "resourceId" uuid, action text)
     where g.role_id = s."roleId" and g.resource_id = s."resourceId" and g.action = s.action
     returning g.id, g.role_id as "roleId", g.resource_id as "resourceId", g.action`,
    [JSON.stringify(settings)],
  );
}

/** Writes grants in the order of their keys, which prevents deadlocks between changes of the same grants. */
async function writeGrants(
  transaction: Queryable,
  settings: readonly BoundSetting[],
): Promise<WrittenGrant[]> {
  if (settings.length === 0) return [];
  const records = settings.map(({ setting, bound }) => {
    const { roleId, resourceId, action } = setting;
    return { roleId, resourceId, action, ...termsOf(bound) };
  });
  // The row that replaces a present one has the lock of this transaction in xmax; an inserted one has zero.
  const rows = await transaction.query<WrittenRow>(
    `insert into system.grants (role_id, resource_id, action, all_fields, row_filter, row_check, presets)
     select "roleId", "resourceId", action, "allFields", "rowFilter", "rowCheck", presets
     from json_to_recordset($1::text::json) s ("roleId" uuid, "resourceId" uuid, action text, "allFields" boolean,
       "rowFilter" jsonb, "rowCheck" jsonb, presets jsonb)
     order by 1, 2, 3
     on conflict (role_id, resource_id, action) do update set all_fields = excluded.all_fields,
       row_filter = excluded.row_filter, row_check = excluded.row_check, presets = excluded.presets
     returning id, role_id as "roleId", resource_id as "resourceId", action, xmax = 0 as "isNew"`,
    [writeExactJson(records)],
  );
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  const written = settings.map(({ setting, bound }) => ({
    ...requireFound(byKey.get(keyOf(setting))),
    ...{ setting, columns: bound.columns },
  }));
  await replaceColumns(transaction, written);
  return written;
}

async function replaceColumns(
  transaction: Queryable,
  grants: readonly { readonly id: string; readonly columns: BoundGrant["columns"] }[],
): Promise<void> {
  const ids = grants.map(({ id }) => ({ id }));
  await transaction.query(
    `delete from system.grant_columns c using json_to_recordset($1::text::json) s (id uuid) where c.grant_id = s.id`,
    [JSON.stringify(ids)],
  );
  const columns = grants.flatMap(({ id, columns }) =>
    columns.map((column) => ({ ...column, grantId: id })),
  );
  if (columns.length === 0) return;
  await transaction.query(
    `insert into system.grant_columns
       (grant_id, usage, attribute_number, mention, column_name, path_resource_id, meaning, beside)
     select "grantId", usage, "attributeNumber", mention, "columnName", "pathResourceId", meaning, beside
     from json_to_recordset($1::text::json) s ("grantId" uuid, usage text, "attributeNumber" integer, mention text,
       "columnName" text, "pathResourceId" uuid, meaning text, beside jsonb)`,
    [JSON.stringify(columns)],
  );
}

function entryOfRevoked({ id }: KeyRow): AuditEntry {
  return { action: "grant.delete", targetKind: "grant", targetId: id, changedFields: [] };
}

function entryOfWritten({ id, isNew, setting }: WrittenGrant): AuditEntry {
  return {
    action: isNew ? "grant.create" : "grant.update",
    targetKind: "grant",
    targetId: id,
    // Terms that are not given become those of a new grant.
    changedFields: isNew
      ? Object.keys(setting).filter((name) => name !== "revoked")
      : [...termNames],
  };
}
