import { useId } from "react";

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
      <select
        id={id}
        value={props.value}
        onChange={(event) => {
          const chosen = props.options.find(({ value }) => value === event.target.value);
          if (chosen !== undefined) props.onChange(chosen.value);
        }}
        className="h-7 min-w-0 max-w-72 rounded-control border border-line-input bg-surface px-1.5 text-ink"
      >
        {props.options.map(({ value, label, isName = false }) => (
          <option key={value} value={value} {...(isName ? { dir: "auto" } : {})}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
