import { useState } from "react";
import { useTranslations } from "use-intl";
import { ComboField } from "../../ui/combo-field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { X } from "../../ui/icons.generated.ts";
import type { FieldOption } from "./field-options.ts";

const shownMax = 60;

interface FieldSelectProps {
  readonly label: string;
  readonly hint?: string;
  readonly fault?: string | undefined;
  readonly options: readonly FieldOption[];
  readonly field: string | undefined;
  readonly onChange: (field: string) => void;
  /** Removes the choice; null where the layout needs one. */
  readonly onClear: (() => void) | null;
}

/** Chooses one of the fields that fit, by a part of its name. */
export function FieldSelect(props: FieldSelectProps) {
  const { label, options, field, onClear } = props;
  const t = useTranslations("viewBuilder");
  const [typed, setTyped] = useState<string>();
  const words = (typed ?? "").toLowerCase().replaceAll("›", " ").split(/\s+/);
  const found = options.filter((option) => {
    const text = `${option.label} ${option.field}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const message = found.length === 0 ? t("noField") : undefined;
  return (
    <div className="flex min-w-0 items-end gap-1">
      <div className="min-w-0 flex-1">
        <ComboField
          label={label}
          hint={props.hint}
          fault={props.fault}
          shown={options.find((one) => one.field === field)?.label ?? field ?? ""}
          chosen={field}
          typed={typed}
          onType={setTyped}
          options={found.slice(0, shownMax).map((option) => ({
            id: option.field,
            label: option.label,
            detail: option.column.dataType,
          }))}
          onChoose={props.onChange}
          message={found.length > shownMax ? t("moreFields") : message}
          placeholder={t("chooseField")}
        />
      </div>
      {onClear !== null && field !== undefined && (
        <div className="pb-1">
          <IconButton label={t("clear", { name: label })} icon={X} onPress={onClear} />
        </div>
      )}
    </div>
  );
}
