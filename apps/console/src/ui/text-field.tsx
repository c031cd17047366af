import { type ReactNode, useEffect, useId, useRef } from "react";
import { describedBy, Field, inputClasses } from "./field.tsx";

interface TextFieldProps {
  readonly label: string;
  readonly name: string;
  readonly type?: "text" | "email";
  readonly autoComplete: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: ReactNode;
  readonly fault?: string | undefined;
  /** Whether the only task of the page begins in this field; it then has the focus. */
  readonly isFirst?: boolean;
  /** Id of a `datalist` with values to choose from. */
  readonly list?: string;
}

/** A field of one line. */
export function TextField({
  label,
  hint,
  fault,
  onChange,
  isFirst = false,
  ...input
}: TextFieldProps) {
  const id = useId();
  const place = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst) place.current?.focus();
  }, [isFirst]);
  return (
    <Field id={id} label={label} hint={hint} fault={fault}>
      <input
        {...input}
        {...describedBy(id, hint, fault)}
        ref={place}
        id={id}
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        className={inputClasses}
      />
    </Field>
  );
}
