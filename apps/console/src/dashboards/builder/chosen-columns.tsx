import { useTranslations } from "use-intl";
import { IconButton } from "../../ui/icon-button.tsx";
import { X } from "../../ui/icons.generated.ts";
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
      {paths.length > 0 && (
        <ul aria-label={t("about")} className="flex flex-wrap gap-1.5">
          {paths.map((path) => (
            <li
              key={path}
              className="flex h-7 max-w-full items-center gap-1 rounded-control border border-line bg-sunken pl-2"
            >
              <span className="truncate" dir="auto" title={labelOf(path)}>
                {labelOf(path)}
              </span>
              <IconButton
                label={t("removeColumn", { name: labelOf(path) })}
                icon={X}
                onPress={() => onChange(paths.filter((one) => one !== path))}
                isSmall
              />
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}
