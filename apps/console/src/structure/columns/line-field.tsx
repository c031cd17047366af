import { useId } from "react";
import { describedBy, Field } from "../../ui/field.tsx";

interface LineFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string | undefined;
  readonly placeholder?: string;
  readonly fault?: string | undefined;
  readonly isCode?: boolean;
}

/** A field of one line in the details of a column or a part. */
export function LineField({ isCode = false, ...props }: LineFieldProps) {
  const { label, value, onChange, hint, placeholder, fault } = props;
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} fault={fault}>
      <input
        {...describedBy(id, hint, fault)}
        id={id}
        type="text"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={!isCode}
        dir={isCode ? "ltr" : "auto"}
        value={value}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
        className={isCode ? inputLook : inputLook.replace("font-mono text-2", "text-3")}
      />
    </Field>
  );
}

/** The look of an input in a row of columns. */
export const inputLook =
  "h-7 w-full min-w-0 rounded-control border border-line-input bg-surface px-2 font-mono text-2 text-ink placeholder:text-ink-3 focus-visible:outline-offset-0 aria-invalid:border-danger disabled:bg-sunken disabled:text-ink-2";
