import type { Snapshot } from "@rowhouse/db";
import { definitionOf, type SettingKey, type Settings, settingKeys } from "./definitions.ts";

const known = new WeakMap<Snapshot["settings"], Settings>();

/**
 * Returns the settings of a snapshot. A stored value that its definition does not allow (written by another version or
 * an SQL client) counts as unset: an invalid value must not stop the service.
 */
export function settingsOf(snapshot: Pick<Snapshot, "settings">): Settings {
  const ready = known.get(snapshot.settings);
  if (ready !== undefined) return ready;
  const entries = settingKeys.map((key) => [
    key,
    isStoredValue(snapshot, key) ? snapshot.settings.get(key) : definitionOf(key).default,
  ]);
  const settings = Object.fromEntries(entries) as Settings;
  known.set(snapshot.settings, settings);
  return settings;
}

/** Whether a setting has a valid stored value instead of its default. */
export function isStoredValue(snapshot: Pick<Snapshot, "settings">, key: SettingKey): boolean {
  const { settings } = snapshot;
  return settings.has(key) && definitionOf(key).schema.safeParse(settings.get(key)).success;
}
