import type { Snapshot } from "@rowhouse/db";
import { type Settings, settingDefinitions } from "./definitions.ts";

const known = new WeakMap<Snapshot["settings"], Settings>();

/**
 * The settings of a snapshot. A stored value that its definition does not allow (another version wrote it, or an SQL
 * client) counts as not set: a bad value must not stop the service.
 */
export function settingsOf(snapshot: Pick<Snapshot, "settings">): Settings {
  const ready = known.get(snapshot.settings);
  if (ready !== undefined) return ready;
  const entries = Object.entries(settingDefinitions).map(([key, definition]) => {
    const stored = snapshot.settings.get(key);
    const parsed = stored === undefined ? undefined : definition.schema.safeParse(stored);
    return [key, parsed?.success === true ? parsed.data : definition.default];
  });
  const settings = Object.fromEntries(entries) as Settings;
  known.set(snapshot.settings, settings);
  return settings;
}
