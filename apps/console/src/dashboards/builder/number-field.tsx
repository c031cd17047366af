import { useId, useState } from "react";
import { describedBy, Field, inputClasses } from "../../ui/field.tsx";

interface NumberFieldProps {
  readonly label: string;
  /** Null for no number. */
  readonly value: number | null;
  readonly min: number;
  readonly max: number;
  readonly isOptional?: boolean;
  readonly hint?: string | undefined;
  readonly fault?: string | undefined;
  readonly onChange: (value: number | null) => void;
}

/** A whole number. What is typed stays until it is one within the limits. */
export function NumberField(props: NumberFieldProps) {
  const { label, value, min, max, isOptional = false, hint, fault, onChange } = props;
  const id = useId();
  const [typed, setTyped] = useState<string>();
  return (
    <Field id={id} label={label} hint={hint} fault={fault}>
      <input
        {...describedBy(id, hint, fault)}
        id={id}
        type="number"
        step={1}
        min={min}
        max={max}
        value={typed ?? value ?? ""}
        onChange={(event) => {
          const text = event.target.value;
          const number = Number(text);
          const isWithin =
            text !== "" && Number.isInteger(number) && number >= min && number <= max;
          setTyped(isWithin ? undefined : text);
          if (isWithin) onChange(number);
          else if (text === "" && isOptional) onChange(null);
        }}
        onBlur={() => setTyped(undefined)}
        className={`${inputClasses} tabular-nums`}
      />
    </Field>
  );
}
