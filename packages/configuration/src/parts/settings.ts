import { rolledBack } from "@rowhouse/ddl";
import {
  changeSettings,
  definitionOf,
  isStoredValue,
  type SettingChanges,
  type SettingKey,
  settingKeys,
  settingsOf,
} from "@rowhouse/settings";
import { z } from "zod";
import { noEffects, type Part, type Step, stepOrder, type World } from "../model/part.ts";
import { meantIn } from "./renames.ts";
import { roleIdOf } from "./role-id.ts";

const path = "settings.yaml";
const roleKey = "auth.registration_role";
/** The id of no role, which the settings refuse. */
const unknownRole = "00000000-0000-0000-0000-000000000000";

/** Settings by key; a setting that is left out has its default. A role stands by its name. */
type SettingsDocument = Readonly<Record<string, unknown>>;

const schema: z.ZodType<SettingsDocument> = z
  .strictObject(
    Object.fromEntries(
      settingKeys.map((key) => [
        key,
        (key === roleKey ? z.string() : definitionOf(key).schema).optional(),
      ]),
    ),
  )
  .transform((settings) =>
    Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
  );

/**
 * The place of a change among the others. Registration is switched off before its role changes, and on afterwards; roles are
 * created before they are named, and deleted afterwards. A limit rises before its default does.
 */
function orderOf(key: SettingKey, before: SettingsDocument, after: SettingsDocument): number {
  const { settings, roles } = stepOrder;
  if (key === "auth.registration_enabled") return after[key] === true ? settings : roles.create - 1;
  if (key === roleKey) return roles.delete - 1;
  const isRaised =
    key === "data.max_limit" &&
    Number(after[key] ?? definitionOf(key).default) >=
      Number(before["data.default_limit"] ?? definitionOf("data.default_limit").default);
  return isRaised ? settings - 1 : settings;
}

export const settingsPart: Part<SettingsDocument> = {
  name: "settings",
  schema,
  namesOf: (file) => (file === path ? [] : undefined),
  read: async ({ snapshot }) => {
    const values = settingsOf(snapshot);
    const set = settingKeys.filter((key) => isStoredValue(snapshot, key));
    const named = set.flatMap((key): [string, unknown][] => {
      if (key !== roleKey) return [[key, values[key]]];
      const role = snapshot.roles.get(values[key] ?? "");
      return role === undefined ? [] : [[key, role.name]];
    });
    return new Map([[path, Object.fromEntries(named)]]);
  },
  write: (settings) => settings,
  compare: async ({ world, present, wanted, documents }) => {
    const document = wanted.get(path);
    if (document === undefined) return [];
    const before = present.get(path) ?? {};
    const changed = settingKeys.filter(
      (key) => JSON.stringify(before[key]) !== JSON.stringify(document.value[key]),
    );
    const meant = meantIn(documents, await world.snapshots.fresh());
    return changed.map((key): Step => {
      const value = document.value[key] ?? null;
      const sessionOnly = definitionOf(key).sessionOnly === true;
      const write = async ({ database, snapshots, actor }: World, hasSession: boolean) => {
        const isRole = key === roleKey && value !== null;
        const stored = isRole
          ? (roleIdOf(await snapshots.fresh(), String(value)) ?? unknownRole)
          : value;
        const changes = { [key]: stored } as SettingChanges;
        await changeSettings(database, snapshots, changes, actor, hasSession);
      };
      const step: Step = {
        kind: "settings.update",
        document: path,
        subject: key,
        order: orderOf(key, before, document.value),
        detail: value,
        sessionOnly,
        values: { before: { [key]: before[key] }, after: { [key]: value } },
        ...(key === roleKey && value !== null ? { meant: meant.role(String(value)) } : {}),
        locate: () => [key],
        run: (world) => write(world, world.hasSession),
      };
      if (!sessionOnly) return step;
      return {
        ...step,
        isUsedBy: () => false,
        // A token may plan what only a session may apply.
        preview: async (world) => {
          await rolledBack(world.database, () => write(world, true));
          return noEffects;
        },
      };
    });
  },
};
