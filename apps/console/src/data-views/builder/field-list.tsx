import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { ComboField } from "../../ui/combobox.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { ArrowDown, ArrowUp, X } from "../../ui/icons.generated.ts";
import type { FieldOption } from "./field-options.ts";

interface FieldListProps {
  /** The name of the list. */
  readonly label: string;
  readonly addLabel: string;
  readonly options: readonly FieldOption[];
  readonly fields: readonly string[];
  /** The message at a field, by its place in the list. */
  readonly faultOf: (index: number) => string | undefined;
  readonly onChange: (fields: readonly string[]) => void;
  /** What else is chosen for a field. */
  readonly detailOf?: (field: string, index: number) => ReactNode;
}

/** Fields in an order that buttons change. */
export function FieldList(props: FieldListProps) {
  const { label, options, fields, onChange } = props;
  const t = useTranslations("viewBuilder");
  const move = (index: number, by: number) => {
    const next = [...fields];
    const [moved] = next.splice(index, 1);
    if (moved === undefined) return;
    next.splice(index + by, 0, moved);
    onChange(next);
  };
  return (
    <div className="grid gap-2">
      {fields.length > 0 && (
        <ol aria-label={label} className="grid gap-1">
          {fields.map((field, index) => {
            const name = options.find((one) => one.field === field)?.label ?? field;
            const fault = props.faultOf(index);
            return (
              <li
                key={field}
                className="grid gap-1 rounded-control border border-line bg-surface px-2 py-1"
              >
                <div className="flex min-w-0 items-center gap-0.5">
                  <span className="min-w-0 flex-1 truncate" dir="auto" title={name}>
                    {name}
                  </span>
                  <IconButton
                    label={t("moveUp", { name })}
                    icon={ArrowUp}
                    isSmall
                    isDisabled={index === 0}
                    onPress={() => move(index, -1)}
                  />
                  <IconButton
                    label={t("moveDown", { name })}
                    icon={ArrowDown}
                    isSmall
                    isDisabled={index === fields.length - 1}
                    onPress={() => move(index, 1)}
                  />
                  <IconButton
                    label={t("remove", { name })}
                    icon={X}
                    isSmall
                    onPress={() => onChange(fields.filter((one) => one !== field))}
                  />
                </div>
                {props.detailOf?.(field, index)}
                {fault !== undefined && (
                  <p role="alert" className="text-2 text-danger">
                    {fault}
                  </p>
                )}
              </li>
            );
          })}
        </ol>
      )}
      <FieldSelect
        label={props.addLabel}
        options={options.filter(({ field }) => !fields.includes(field))}
        field={undefined}
        onChange={(field) => onChange([...fields, field])}
        onClear={null}
      />
    </div>
  );
}

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
