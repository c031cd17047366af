import { useTranslations } from "use-intl";
import { densities } from "../ui/density.ts";
import { Select } from "../ui/select.tsx";
import { changePreferences, usePreferences } from "./preferences.ts";

/** The choice of the height of rows. */
export function DensitySelect() {
  const t = useTranslations("choices");
  const { density } = usePreferences();
  return (
    <Select
      label={t("density")}
      value={density}
      options={densities.map((value) => ({ value, label: t(value) }))}
      onChange={(next) => changePreferences({ density: next })}
    />
  );
}
