import { useState } from "react";
import { useTranslations } from "use-intl";
import { Select } from "../ui/select.tsx";
import { chooseTheme, storedTheme, themes } from "../ui/theme.ts";

/** The choice of light or dark colors, or those of the system. */
export function ThemeSelect() {
  const t = useTranslations("choices");
  const [theme, show] = useState(storedTheme);
  return (
    <Select
      label={t("theme")}
      value={theme}
      options={themes.map((value) => ({ value, label: t(value) }))}
      onChange={(next) => {
        chooseTheme(next);
        show(next);
      }}
    />
  );
}
