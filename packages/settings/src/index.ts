export {
  definitionOf,
  isTimeZone,
  type SettingDefinition,
  type SettingKey,
  type Settings,
  settingDefinitions,
  settingKeys,
} from "./definitions.ts";
export { canonicalLanguage } from "./language.ts";
export { isStoredValue, settingsOf } from "./settings-of.ts";
