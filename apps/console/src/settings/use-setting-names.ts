import { useTranslations } from "use-intl";
import type { Setting } from "./setting-draft.ts";

const groups = [
  "auth",
  "api_keys",
  "workflows",
  "system",
  "security",
  "data",
  "views",
  "files",
  "limits",
  "mcp",
  "configuration",
  "sql_console",
] as const;

/** Returns the names of settings and groups in the person's language. What these pages do not know has its key. */
export function useSettingNames() {
  const t = useTranslations("settings");
  const names = useTranslations("settingNames");
  return {
    groupName: (group: string): string => {
      const known = groups.find((one) => one === group);
      return known === undefined ? group : t(`groups.${known}`);
    },
    titleOf: ({ key }: Pick<Setting, "key">): string => {
      const known = `${key}.title` as "data.max_limit.title";
      return names.has(known) ? names(known) : key;
    },
    textOf: ({ key, description }: Pick<Setting, "key" | "description">): string => {
      const known = `${key}.text` as "data.max_limit.text";
      return names.has(known) ? names(known) : description;
    },
  };
}
