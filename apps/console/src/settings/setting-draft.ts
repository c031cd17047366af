import type { AdminOperations } from "@rowhouse/client";

/** A setting of the service. */
export type Setting = AdminOperations["GET /settings"]["answer"]["data"][number];
/** The body of a change. */
type SettingsChange = AdminOperations["PATCH /settings"]["data"];

/** How a setting is edited: by its default, and by its value if the default is null. */
type SettingKind = "FLAG" | "NUMBER" | "LIST" | "RECORDS" | "TEXT";

export function kindOf({ default: normal, value }: Setting): SettingKind {
  const known = normal ?? value;
  if (typeof known === "boolean") return "FLAG";
  if (typeof known === "number") return "NUMBER";
  if (!Array.isArray(known)) return "TEXT";
  return known.some(isRecord) ? "RECORDS" : "LIST";
}

function isRecord(entry: unknown): boolean {
  return typeof entry === "object" && entry !== null;
}

/** The typed text of a changed setting, or null to restore the default. */
export type SettingsDraft = Readonly<Record<string, string | null>>;

/** A value as a text to edit: a list has an entry in each line, a record as JSON. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (!Array.isArray(value)) return String(value);
  return value.map((entry) => (isRecord(entry) ? JSON.stringify(entry) : entry)).join("\n");
}

/** What is sent for a text. A number that is none is sent as it is, so that the service states the fault. */
function typedValue(kind: SettingKind, text: string | null): unknown {
  if (text === null) return null;
  if (kind === "FLAG") return text === "true";
  if (kind === "LIST") return linesOf(text);
  if (kind === "RECORDS") return linesOf(text).map(readRecord);
  const trimmed = text.trim();
  if (kind === "NUMBER") return /^-?[0-9]{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed;
  return trimmed === "" ? null : trimmed;
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The record of a line. A line that is no JSON is sent as it is, so that the service states the fault. */
function readRecord(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
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
