import { useTranslations } from "use-intl";
import { TextField } from "../../ui/text-field.tsx";
import type { ChangePreview } from "../draft/use-preview.ts";

interface ConfirmationFieldsProps {
  readonly confirmations: ChangePreview["confirmations"];
  readonly typed: Readonly<Record<string, string>>;
  readonly onChange: (typed: Readonly<Record<string, string>>) => void;
  readonly faultAt: (pointer: string) => string | undefined;
}

/** A field for each name that has to be typed, because data goes for good. */
export function ConfirmationFields(props: ConfirmationFieldsProps) {
  const t = useTranslations("tableDraft");
  const { confirmations, typed, onChange, faultAt } = props;
  return confirmations.map(({ path, confirm }, index) => (
    <TextField
      key={path}
      label={t("typeName", { name: confirm })}
      name={path}
      autoComplete="off"
      value={typed[path] ?? ""}
      onChange={(text) => onChange({ ...typed, [path]: text })}
      fault={faultAt(path)}
      isFirst={index === 0}
    />
  ));
}

/** Whether each name is typed as it is. */
export function isConfirmed(
  confirmations: ChangePreview["confirmations"],
  typed: Readonly<Record<string, string>>,
): boolean {
  return confirmations.every(({ path, confirm }) => typed[path] === confirm);
}
