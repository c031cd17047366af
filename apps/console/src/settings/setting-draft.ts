import type { AdminOperations } from "@rowhouse/client";

/** A setting of the service. */
export type Setting = AdminOperations["GET /settings"]["answer"]["data"][number];
/** The body of a change. */
export type SettingsChange = AdminOperations["PATCH /settings"]["data"];

/** How a setting is edited: by its default, and by its value if the default is null. */
export type SettingKind = "FLAG" | "NUMBER" | "LIST" | "TEXT";

export function kindOf({ default: normal, value }: Setting): SettingKind {
  const known = normal ?? value;
  if (typeof known === "boolean") return "FLAG";
  if (typeof known === "number") return "NUMBER";
  return Array.isArray(known) ? "LIST" : "TEXT";
}

/** The typed text of a changed setting, or null to restore the default. */
export type SettingsDraft = Readonly<Record<string, string | null>>;

/** A value as a text to edit: a list has an entry in each line. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? value.join("\n") : String(value);
}

/** What is sent for a text. A number that is none is sent as it is, so that the service states the fault. */
function typedValue(kind: SettingKind, text: string | null): unknown {
  if (text === null) return null;
  if (kind === "FLAG") return text === "true";
  if (kind === "LIST") {
    return text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  }
  const trimmed = text.trim();
  if (kind === "NUMBER") return /^-?[0-9]{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed;
  return trimmed === "" ? null : trimmed;
}

/** The value that a setting has with a draft. */
export function draftedValue(setting: Setting, draft: SettingsDraft): unknown {
  const text = draft[setting.key];
  if (text === undefined) return setting.value;
  return text === null ? setting.default : typedValue(kindOf(setting), text);
}

/** The body of a draft. */
export function changeOf(settings: readonly Setting[], draft: SettingsDraft): SettingsChange {
  const entries = settings.flatMap((setting): [string, unknown][] => {
    const text = draft[setting.key];
    return text === undefined ? [] : [[setting.key, typedValue(kindOf(setting), text)]];
  });
  return Object.fromEntries(entries) as SettingsChange;
}

/** Settings by the first part of their keys, in the order of the service. */
export function groupsOf(settings: readonly Setting[]): ReadonlyMap<string, readonly Setting[]> {
  const groups = new Map<string, Setting[]>();
  for (const setting of settings) {
    const group = setting.key.split(".", 1)[0] ?? "";
    groups.set(group, [...(groups.get(group) ?? []), setting]);
  }
  return groups;
}
