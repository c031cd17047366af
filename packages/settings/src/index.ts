export { withoutTrailingSlashes } from "./base-url.ts";
export {
  changeSettings,
  listSettings,
  requireRegistrationAccess,
  type SettingChanges,
  type SettingSummary,
  tagOfSettings,
} from "./change-settings.ts";
export {
  definitionOf,
  type SettingKey,
  type Settings,
  settingDefinitions,
  settingKeys,
} from "./definitions.ts";
export { fileBodyBytes } from "./file-body.ts";
export { canonicalLanguage } from "./language.ts";
export { canonicalRegion } from "./region.ts";
export { allowedReturnAddress } from "./return-address.ts";
export type { SettingDefinition } from "./setting-definition.ts";
export { isStoredValue, settingsOf } from "./settings-of.ts";
export { isTimeZone, postgresTimeZone, zonesWithoutAbbreviation } from "./time-zone.ts";
export type { ImagePreset } from "./value-schemas.ts";
