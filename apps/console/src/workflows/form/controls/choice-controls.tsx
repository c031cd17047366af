import { useTranslations } from "use-intl";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { type ControlProps, controlClasses, inputAttributes } from "../control-props.ts";
import { choicesOf } from "../form-field.ts";

/** One of a few words. Without a choice, the default applies. */
export function ChoiceControl(props: ControlProps) {
  const { field, value, onChange } = props;
  const t = useTranslations("workflowForm");
  const textOf = useChoiceText();
  const absent = textOf(field.name, String(field.default ?? ""));
  return (
    <select
      {...inputAttributes(props)}
      value={typeof value === "string" ? value : ""}
      onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
      className={`${controlClasses} max-w-80`}
    >
      {(!field.isRequired || value === undefined) && (
        <option value="">{absent === "" ? t("none") : t("default", { value: absent })}</option>
      )}
      {choicesOf(field.schema).map((one) => (
        <option key={one} value={one} dir="auto">
          {textOf(field.name, one)}
        </option>
      ))}
    </select>
  );
}

/** Yes or no; a field without a default can also be neither. */
export function BooleanControl(props: ControlProps) {
  const { label, field, value, onChange } = props;
  const t = useTranslations("workflowForm");
  if (typeof field.default === "boolean") {
    return (
      <Checkbox
        label={label}
        isChecked={typeof value === "boolean" ? value : field.default}
        onChange={(isOn) => onChange(isOn || field.default === true ? isOn : undefined)}
      />
    );
  }
  return (
    <select
      {...inputAttributes(props)}
      value={typeof value === "boolean" ? String(value) : ""}
      onChange={({ target }) => onChange(target.value === "" ? undefined : target.value === "true")}
      className={`${controlClasses} max-w-40`}
    >
      <option value="">{t("automatic")}</option>
      <option value="true">{t("yes")}</option>
      <option value="false">{t("no")}</option>
    </select>
  );
}

/** Returns the words for a choice; a choice without words is shown as it is written. */
export function useChoiceText(): (field: string, choice: string) => string {
  const t = useTranslations("workflowForm");
  return (field, choice) => {
    const key = `choices.${field}.${choice}` as "choices.backoff.fixed";
    return t.has(key) ? t(key) : choice;
  };
}
