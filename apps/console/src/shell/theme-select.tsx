import { useTranslations } from "use-intl";
import { Select } from "../ui/select.tsx";
import { themes } from "../ui/theme.ts";
import { changePreferences, usePreferences } from "./preferences.ts";

/** The choice of light or dark colors, or those of the system. */
export function ThemeSelect() {
  const t = useTranslations("choices");
  const { theme } = usePreferences();
  return (
    <Select
      label={t("theme")}
      value={theme}
      options={themes.map((value) => ({ value, label: t(value) }))}
      onChange={(next) => changePreferences({ theme: next })}
    />
  );
}
