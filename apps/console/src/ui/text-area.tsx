import { type ReactNode, useId } from "react";
import { classes } from "./classes.ts";
import { describedBy, Field, inputClasses } from "./field.tsx";

interface TextAreaProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: ReactNode;
  readonly fault?: string | undefined;
}

/** A field of several lines, which grows with its text. */
export function TextArea({ label, name, value, onChange, hint, fault }: TextAreaProps) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} fault={fault}>
      <textarea
        {...describedBy(id, hint, fault)}
        id={id}
        name={name}
        value={value}
        dir="auto"
        onChange={(event) => onChange(event.target.value)}
        className={classes(
          inputClasses,
          "h-auto max-h-60 min-h-16 resize-none py-1.5 field-sizing-content",
        )}
      />
    </Field>
  );
}
