import { useTranslations } from "use-intl";
import { RemovableNames } from "../../ui/removable-names.tsx";
import { FieldPicker } from "./field-picker.tsx";
import type { Field } from "./fields.ts";

interface ChosenColumnsProps {
  readonly fields: readonly Field[];
  readonly paths: readonly string[];
  readonly onChange: (paths: readonly string[]) => void;
}

/** The columns that a panel is about; from them the panel proposes itself. */
export function ChosenColumns({ fields, paths, onChange }: ChosenColumnsProps) {
  const t = useTranslations("dashboardBuilder");
  const labelOf = (path: string) => fields.find((field) => field.path === path)?.label ?? path;
  return (
    <fieldset className="grid gap-2">
      <legend className="sr-only">{t("about")}</legend>
      <FieldPicker
        key={paths.join()}
        label={t("about")}
        hint={t("aboutHint")}
        fields={fields.filter(({ path }) => !paths.includes(path))}
        path={undefined}
        onPick={({ path }) => onChange([...paths, path])}
      />
      <RemovableNames
        label={t("about")}
        names={paths.map((path) => ({ key: path, label: labelOf(path) }))}
        removeLabel={(name) => t("removeColumn", { name })}
        onRemove={(path) => onChange(paths.filter((one) => one !== path))}
      />
    </fieldset>
  );
}
