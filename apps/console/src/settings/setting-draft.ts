import type { AdminOperations } from "@rowhouse/client";
import { inUnit, readInUnit, unitOf } from "./setting-unit.ts";

/** A setting of the service. */
export type Setting = AdminOperations["GET /settings"]["answer"]["data"][number];
/** The body of a change. */
type SettingsChange = AdminOperations["PATCH /settings"]["data"];

/** How a setting is edited: by its default, by its value if the default is null, or by its type. */
type SettingKind = "FLAG" | "NUMBER" | "LIST" | "RECORDS" | "TEXT";

export function kindOf({ default: normal, value, schema }: Setting): SettingKind {
  const known = normal ?? value;
  if (known === null && holdsList(schema)) return "LIST";
  if (typeof known === "boolean") return "FLAG";
  if (typeof known === "number") return "NUMBER";
  if (!Array.isArray(known)) return "TEXT";
  return known.some(isRecord) ? "RECORDS" : "LIST";
}

/** Whether a JSON Schema admits lists. */
function holdsList(schema: Setting["schema"]): boolean {
  const { anyOf } = schema;
  return Array.isArray(anyOf) && anyOf.some((one) => isRecord(one) && one.type === "array");
}

/** The values of a setting that has a few; undefined for any other. */
export function choicesOf({ schema }: Setting): readonly string[] | undefined {
  const values: unknown = schema.enum;
  return Array.isArray(values) ? values.filter((value) => typeof value === "string") : undefined;
}

function isRecord(entry: unknown): entry is Readonly<Record<string, unknown>> {
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

/** The value of a setting as a text to edit, a number in the unit that its present value has. */
export function shownText(setting: Setting, value: unknown): string {
  const { key } = setting;
  return typeof value === "number" ? inUnit(value, unitOf(key, setting.value)) : textOf(value);
}

/** What is sent for a text. A number that is none is sent as it is, so that the service states the fault. */
function typedValue(setting: Setting, text: string | null): unknown {
  if (text === null) return null;
  const kind = kindOf(setting);
  if (kind === "FLAG") return text === "true";
  // A list that admits null has no restriction without entries.
  if (kind === "LIST") return text.trim() === "" && setting.default === null ? null : linesOf(text);
  if (kind === "RECORDS") return linesOf(text).map(readRecord);
  const trimmed = text.trim();
  if (kind === "NUMBER") {
    return readInUnit(setting.key, trimmed, unitOf(setting.key, setting.value)) ?? trimmed;
  }
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
  return text === null ? setting.default : typedValue(setting, text);
}

/** The body of a draft. */
export function changeOf(settings: readonly Setting[], draft: SettingsDraft): SettingsChange {
  const entries = settings.flatMap((setting): [string, unknown][] => {
    const text = draft[setting.key];
    return text === undefined ? [] : [[setting.key, typedValue(setting, text)]];
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
