import { useId } from "react";
import { describedBy, Field, inputClasses } from "../../ui/field.tsx";

interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly hint?: string | undefined;
  readonly fault?: string | undefined;
  readonly onChange: (value: Value) => void;
}

/** A choice of one of a few values, as a field of a form. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, value, options, hint, fault, onChange } = props;
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} fault={fault}>
      <select
        {...describedBy(id, hint, fault)}
        id={id}
        value={value}
        dir="auto"
        onChange={(event) => {
          const chosen = options.find((one) => one.value === event.target.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
        className={inputClasses}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  );
}
