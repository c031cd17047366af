import { type ReactNode, useId } from "react";
import { classes } from "./classes.ts";

interface SwitchProps {
  readonly label: string;
  /** The accessible name, if the label is only the state. */
  readonly name?: string;
  /** A sentence below the label. */
  readonly hint?: ReactNode;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly isBusy?: boolean;
  /** The tooltip, such as the reason why it is disabled. */
  readonly title?: string | undefined;
  readonly onChange: (isOn: boolean) => void;
}

/** A choice between on and off. */
export function Switch(props: SwitchProps) {
  const { label, hint, isOn, isDisabled = false, isBusy = false, title, onChange } = props;
  const id = useId();
  return (
    <div className="flex min-w-0 items-start gap-2">
      <button
        type="button"
        role="switch"
        aria-checked={isOn}
        {...(props.name === undefined ? { "aria-labelledby": id } : { "aria-label": props.name })}
        {...(hint === undefined ? {} : { "aria-describedby": `${id}-hint` })}
        disabled={isDisabled}
        title={title}
        onClick={() => onChange(!isOn)}
        className={classes(
          "flex h-6 w-10 shrink-0 items-center rounded-full border p-0.5 transition-colors duration-100 disabled:opacity-50",
          isOn ? "justify-end border-accent bg-accent" : "border-line-input bg-sunken",
          isBusy && "opacity-60",
        )}
      >
        <span className={classes("size-4 rounded-full", isOn ? "bg-accent-ink" : "bg-ink-3")} />
      </button>
      <div className="grid min-w-0 gap-0.5 pt-0.5">
        <span id={id}>{label}</span>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-2 text-ink-2">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
