export { isTimeZone, type SettingKey, type Settings, settingDefinitions } from "./definitions.ts";
export { settingsOf } from "./settings-of.ts";
