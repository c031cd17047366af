import {
  type AuditActor,
  appendAuditEntry,
  type Database,
  makeChange,
  type Queryable,
  type Snapshot,
  type SnapshotStore,
} from "@rowhouse/db";
import { createError, createFault, escapePointer, type Fault, throwFaults } from "@rowhouse/errors";
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

/**
 * Changes several settings in one transaction. The changes apply from the next request on, in every process.
 *
 * @param hasSession whether the administrator uses a session instead of a token
 * @throws AppError SESSION_REQUIRED; VALUE_INVALID with the path of each value that conflicts with another setting
 */
export async function changeSettings(
  database: Database,
  snapshots: Pick<SnapshotStore, "fresh">,
  changes: SettingChanges,
  actor: AuditActor,
  hasSession: boolean,
): Promise<SettingSummary[]> {
  const changedFields = settingKeys.filter((key) => changes[key] !== undefined);
  const entry = {
    action: "settings.update",
    targetKind: "settings",
    targetId: null,
    changedFields,
  };
  if (!hasSession && changedFields.some((key) => definitionOf(key).sessionOnly)) {
    await appendAuditEntry(database, actor, { ...entry, outcome: "FAILED" });
    throw createError("SESSION_REQUIRED");
  }
  if (changedFields.length > 0) {
    await makeChange(database, actor, async (transaction) => {
      // Lock the table: the comparison of settings requires values that no other transaction changes meanwhile.
      await transaction.query("lock table system.settings in share row exclusive mode");
      throwFaults(await findConflicts(transaction, changes));
      for (const key of changedFields) {
        await writeSetting(transaction, key, changes[key], actor.userId);
      }
      return { result: undefined, entry };
    });
  }
  return listSettings(await snapshots.fresh());
}

async function findConflicts(transaction: Queryable, changes: SettingChanges): Promise<Fault[]> {
  const rows = await transaction.query<{ key: string; value: string }>(
    "select key, value::text as value from system.settings",
  );
  const stored = new Map(rows.map(({ key, value }) => [key, JSON.parse(value) as unknown]));
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
  const role = changes["auth.registration_role"];
  if (role != null) {
    const [found] = await transaction.query<{ is_administrators: boolean }>(
      "select is_administrators from system.roles where id = $1::text::uuid for key share",
      [role],
    );
    if (found === undefined) refuse("auth.registration_role", "No such role");
    else if (found.is_administrators) {
      refuse("auth.registration_role", "Registration cannot add users to Administrators");
    }
  }
  return faults;
}

async function writeSetting(
  transaction: Queryable,
  key: SettingKey,
  value: unknown,
  userId: string | null,
): Promise<void> {
  if (value === null) {
    await transaction.query("delete from system.settings where key = $1::text", [key]);
    return;
  }
  await transaction.query(
    `insert into system.settings (key, value, updated_by) values ($1::text, $2::text::jsonb, $3::text::uuid)
     on conflict (key) do update set value = excluded.value, updated_at = now(), updated_by = excluded.updated_by`,
    [key, JSON.stringify(value), userId],
  );
}
