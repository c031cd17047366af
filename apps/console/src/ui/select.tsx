import { type ReactNode, useId } from "react";
import { classes } from "./classes.ts";
import { describedBy, Field } from "./field.tsx";

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly {
    readonly value: Value;
    readonly label: string;
    /** Whether the label is a name of the person's own data, which has a direction of its own. */
    readonly isName?: boolean;
  }[];
  readonly onChange: (value: Value) => void;
}

/** A choice of one of a few values, by the control of the browser. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const id = useId();
  return (
    <div className="flex min-w-0 max-w-full items-center gap-2 text-2 text-ink-2">
      <label htmlFor={id}>{props.label}</label>
      <Choice {...props} id={id} className="h-7 max-w-72 px-1.5" />
    </div>
  );
}

/** The same as a field of a form, with the label above. */
export function SelectField<Value extends string>(
  props: SelectProps<Value> & { readonly hint?: ReactNode },
) {
  const id = useId();
  return (
    <Field id={id} label={props.label} hint={props.hint}>
      <Choice {...props} id={id} className="h-9 w-full px-2 text-3" />
    </Field>
  );
}

function Choice<Value extends string>(
  props: SelectProps<Value> & {
    readonly id: string;
    readonly hint?: ReactNode;
    readonly className: string;
  },
) {
  return (
    <select
      id={props.id}
      {...describedBy(props.id, props.hint, undefined)}
      value={props.value}
      onChange={(event) => {
        const chosen = props.options.find(({ value }) => value === event.target.value);
        if (chosen !== undefined) props.onChange(chosen.value);
      }}
      className={classes(
        "min-w-0 rounded-control border border-line-input bg-surface text-ink",
        props.className,
      )}
    >
      {props.options.map(({ value, label, isName = false }) => (
        <option key={value} value={value} {...(isName ? { dir: "auto" } : {})}>
          {label}
        </option>
      ))}
    </select>
  );
}
