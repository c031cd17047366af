import {
  type AuditActor,
  appendAuditEntry,
  type Database,
  entityTagOf,
  makeChange,
  requireEntityTag,
  type Snapshot,
  type SnapshotStore,
  schema,
  type Transaction,
} from "@rowhouse/db";
import { createError, createFault, escapePointer, type Fault, throwFaults } from "@rowhouse/errors";
import { eq, inArray, sql } from "drizzle-orm";
import { definitionOf, type SettingKey, type Settings, settingKeys } from "./definitions.ts";
import { isStoredValue, settingsOf } from "./settings-of.ts";

/** A setting as administrators see it. */
export interface SettingSummary {
  readonly key: SettingKey;
  readonly value: unknown;
  readonly default: unknown;
  /** Whether the value was set; otherwise it is the default. */
  readonly isSet: boolean;
  /** Whether a change requires a session. */
  readonly sessionOnly: boolean;
  readonly description: string;
}

const { roles, settings } = schema;

/** New values by key; null restores the default. Each value must satisfy its definition. */
export type SettingChanges = { readonly [Key in SettingKey]?: Settings[Key] | null | undefined };

/** Lists every setting, in the order of the settings table. */
export function listSettings(snapshot: Pick<Snapshot, "settings">): SettingSummary[] {
  const values = settingsOf(snapshot);
  return settingKeys.map((key) => {
    const { default: standard, description, sessionOnly = false } = definitionOf(key);
    const isSet = isStoredValue(snapshot, key);
    return { key, value: values[key], default: standard, isSet, sessionOnly, description };
  });
}

/** The entity tag of the settings, without quotes. */
export function tagOfSettings(summaries: readonly SettingSummary[]): string {
  return entityTagOf(JSON.stringify(summaries.map(({ key, value, isSet }) => [key, value, isSet])));
}

/**
 * Changes several settings in one transaction. The changes apply from the next request on, in every process.
 *
 * @param ifMatch the tags of `If-Match`
 * @param hasSession whether the administrator uses a session instead of a token
 * @throws AppError SESSION_REQUIRED; PRECONDITION_FAILED; VALUE_INVALID with the path of each value that conflicts with another setting
 */
export async function changeSettings(
  database: Database,
  snapshots: Pick<SnapshotStore, "fresh">,
  changes: SettingChanges,
  actor: AuditActor,
  hasSession: boolean,
  ifMatch?: readonly string[],
): Promise<SettingSummary[]> {
  const changedFields = settingKeys.filter((key) => changes[key] !== undefined);
  const entry = {
    action: "settings.update" as const,
    targetKind: "settings",
    targetId: null,
    changedFields,
  };
  if (!hasSession && changedFields.some((key) => definitionOf(key).sessionOnly)) {
    await appendAuditEntry(database, actor, { ...entry, outcome: "FAILED" });
    throw createError("SESSION_REQUIRED");
  }
  const requireUnchanged = (snapshot: Pick<Snapshot, "settings">): void =>
    requireEntityTag(
      tagOfSettings(listSettings(snapshot)),
      ifMatch,
      "The settings have changed since they were read",
    );
  if (changedFields.length === 0) requireUnchanged(await snapshots.fresh());
  else {
    await makeChange(database, actor, async (transaction) => {
      // Lock the table: the comparison of settings requires values that no other transaction changes meanwhile.
      await transaction.query("lock table system.settings in share row exclusive mode");
      const stored = await storedSettings(transaction);
      requireUnchanged({ settings: stored });
      throwFaults(await findConflicts(transaction, stored, changes));
      await writeSettings(transaction, changedFields, changes, actor.userId);
      return { result: undefined, entry };
    });
  }
  return listSettings(await snapshots.fresh());
}

async function storedSettings({ orm }: Transaction): Promise<Map<string, unknown>> {
  const rows = await orm.select({ key: settings.key, value: settings.value }).from(settings);
  return new Map(rows.map(({ key, value }) => [key, value]));
}

async function findConflicts(
  transaction: Transaction,
  before: ReadonlyMap<string, unknown>,
  changes: SettingChanges,
): Promise<Fault[]> {
  const { orm } = transaction;
  const stored = new Map(before);
  for (const key of settingKeys) {
    if (changes[key] === null) stored.delete(key);
    else if (changes[key] !== undefined) stored.set(key, changes[key]);
  }
  const after = settingsOf({ settings: stored });
  const faults: Fault[] = [];
  const refuse = (key: SettingKey, message: string): void => {
    const path = `/data/${escapePointer(key)}`;
    faults.push(createFault("VALUE_INVALID", { path, message }));
  };
  if (after["data.default_limit"] > after["data.max_limit"]) {
    const key = changes["data.default_limit"] == null ? "data.max_limit" : "data.default_limit";
    refuse(key, "data.default_limit must be at most data.max_limit");
  }
  const timeZone = changes["system.timezone"];
  if (timeZone != null) {
    const [zone] = await transaction.query<{ known: boolean }>(
      "select system.is_time_zone($1::text) as known",
      [timeZone],
    );
    if (zone?.known !== true) {
      refuse("system.timezone", "The database server has no time zone with this name");
    }
  }
  const changesRole = changes["auth.registration_role"] !== undefined;
  const changesRegistration = changes["auth.registration_enabled"] !== undefined;
  if (!changesRole && !changesRegistration) return faults;
  const role = after["auth.registration_role"];
  // The lock makes a concurrent change of the role wait, which then reads these settings.
  const [found] = await orm
    .select({ isAdministrators: roles.isAdministrators, apiAccess: roles.apiAccess })
    .from(roles)
    .where(role === null ? sql`false` : eq(roles.id, role))
    .for("share");
  if (changesRole && role !== null && found === undefined) {
    refuse("auth.registration_role", "No such role");
  } else if (changesRole && found?.isAdministrators === true) {
    refuse("auth.registration_role", "Registration cannot add users to Administrators");
  } else if (after["auth.registration_enabled"] && found?.apiAccess !== true) {
    if (changesRegistration) {
      const remedy = "set auth.registration_role to a role with API access";
      refuse("auth.registration_enabled", `Registered people could not sign in; ${remedy}`);
    } else {
      const remedy = "choose a role with API access, or switch auth.registration_enabled off";
      refuse("auth.registration_role", `Registered people could not sign in; ${remedy}`);
    }
  }
  return faults;
}

/**
 * Ensures that registration, while it is enabled, does not give a role without API access. Call it in the transaction that
 * has taken the API access of a role.
 *
 * @throws AppError CONFLICT at /data/apiAccess
 */
export async function requireRegistrationAccess(
  transaction: Transaction,
  roleId: string,
): Promise<void> {
  const values = settingsOf({ settings: await storedSettings(transaction) });
  const isGiven = values["auth.registration_role"]?.toLowerCase() === roleId.toLowerCase();
  if (!isGiven || !values["auth.registration_enabled"]) return;
  throw createError("CONFLICT", {
    path: "/data/apiAccess",
    message:
      "auth.registration_role names this role; people who register could not sign in. Switch auth.registration_enabled off, or name another role",
  });
}

/** Writes the new values and deletes those that return to their default. */
async function writeSettings(
  { orm }: Transaction,
  keys: readonly SettingKey[],
  changes: SettingChanges,
  updatedBy: string | null,
): Promise<void> {
  const reset = keys.filter((key) => changes[key] === null);
  if (reset.length > 0) await orm.delete(settings).where(inArray(settings.key, reset));
  const written = keys.filter((key) => changes[key] !== null);
  if (written.length === 0) return;
  await orm
    .insert(settings)
    .values(written.map((key) => ({ key, value: changes[key], updatedBy })))
    .onConflictDoUpdate({
      target: settings.key,
      set: {
        value: sql`excluded.value`,
        updatedAt: sql`now()`,
        updatedBy: sql`excluded.updated_by`,
      },
    });
}
