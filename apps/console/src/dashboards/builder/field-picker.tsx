import { useState } from "react";
import { useTranslations } from "use-intl";
import { ComboField } from "../../ui/combobox.tsx";
import type { Field } from "./fields.ts";

interface FieldPickerProps {
  readonly label: string;
  readonly fields: readonly Field[];
  /** The path of the present field; undefined for none. */
  readonly path: string | undefined;
  readonly hint?: string | undefined;
  readonly fault?: string | undefined;
  readonly onPick: (field: Field) => void;
  /** Lets a person remove the choice. */
  readonly none?: { readonly label: string; readonly onPick: () => void };
}

const shownMax = 60;

/** Finds a field by a part of its name. A field that no longer exists is shown by its path. */
export function FieldPicker(props: FieldPickerProps) {
  const { label, fields, path, none, hint } = props;
  const t = useTranslations("dashboardBuilder");
  const [typed, setTyped] = useState<string>();
  const present = fields.find((field) => field.path === path);
  const words = (typed ?? "").toLowerCase().split(/\s+/);
  const found = fields.filter((field) => {
    const text = `${field.label} ${field.path}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const isNoneShown = none !== undefined && (typed ?? "") === "";
  return (
    <ComboField
      label={label}
      hint={hint}
      fault={props.fault}
      shown={present?.label ?? path ?? (none === undefined ? "" : none.label)}
      chosen={path ?? (isNoneShown ? "" : undefined)}
      typed={typed}
      onType={setTyped}
      options={[
        ...(isNoneShown ? [{ id: "", label: none.label }] : []),
        ...found
          .slice(0, shownMax)
          .map((field) => ({ id: field.path, label: field.label, detail: field.column.dataType })),
      ]}
      onChoose={(id) => {
        const field = found.find((one) => one.path === id);
        if (field !== undefined) props.onPick(field);
        else none?.onPick();
      }}
      message={
        found.length === 0 ? t("noColumn") : found.length > shownMax ? t("moreColumns") : undefined
      }
      placeholder={t("columnPlaceholder")}
    />
  );
}
