import { useTranslations } from "use-intl";
import type { NavigationColumn } from "../../shell/navigation.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";

interface FieldChoiceProps {
  readonly columns: readonly NavigationColumn[];
  readonly fields: readonly string[] | null;
  readonly fault: string | undefined;
  readonly onChange: (fields: readonly string[] | null) => void;
}

/** The fields of a grant: all, also later ones, or some. */
export function FieldChoice({ columns, fields, fault, onChange }: FieldChoiceProps) {
  const t = useTranslations("access");
  const chosen = new Set(fields ?? []);
  const set = (name: string, isChosen: boolean) =>
    onChange(
      columns.map((one) => one.name).filter((one) => (one === name ? isChosen : chosen.has(one))),
    );
  return (
    <div className="grid gap-2">
      <Checkbox
        label={t("grant.allFields")}
        isChecked={fields === null}
        onChange={(isAll) => onChange(isAll ? null : columns.map(({ name }) => name))}
      />
      {fields !== null && (
        <ul className="grid max-h-72 gap-x-4 overflow-auto rounded-control border border-line px-3 py-2 sm:grid-cols-2 lg:grid-cols-3">
          {columns.map(({ name }) => (
            <li key={name} dir="auto" className="min-w-0 truncate" title={name}>
              <Checkbox
                label={name}
                isChecked={chosen.has(name)}
                onChange={(isChosen) => set(name, isChosen)}
              />
            </li>
          ))}
        </ul>
      )}
      {fields !== null && (
        <div className="flex flex-wrap items-center gap-3">
          <p role="status" className="text-2 text-ink-2">
            {t("grant.someFields", { count: fields.length, all: columns.length })}
          </p>
          {fields.length > 0 && (
            <ToolButton onClick={() => onChange([])}>{t("grant.noFields")}</ToolButton>
          )}
        </div>
      )}
      {fault !== undefined && (
        <p role="alert" className="text-2 text-danger">
          {fault}
        </p>
      )}
    </div>
  );
}
