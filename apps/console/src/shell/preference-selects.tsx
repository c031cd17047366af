import { useTranslations } from "use-intl";
import { Select } from "../ui/select.tsx";
import { themes } from "../ui/theme.ts";
import { type Language, languages } from "../words/languages.ts";
import { useLanguage } from "./language-provider.tsx";
import { changePreferences, usePreferences } from "./preferences.ts";
import { chooseLanguage } from "./words-store.ts";

/** The choice of the language, in the names that its speakers use. */
export function LanguageSelect() {
  const t = useTranslations("choices");
  const language = useLanguage();
  const options = (Object.keys(languages) as (keyof typeof languages)[]).map((value) => ({
    value: value as Language,
    label: languages[value],
  }));
  return (
    <Select
      label={t("language")}
      value={language}
      options={options}
      onChange={(next) => void chooseLanguage(next)}
    />
  );
}

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
