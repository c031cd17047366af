import { useId } from "react";

/** A choice of yes or no. */
export function Checkbox(props: {
  readonly label: string;
  readonly isChecked: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isChecked: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="flex min-h-6 items-center gap-2">
      <input
        id={id}
        type="checkbox"
        checked={props.isChecked}
        disabled={props.isDisabled === true}
        onChange={(event) => props.onChange(event.target.checked)}
        className="size-4 shrink-0 accent-accent"
      />
      <label htmlFor={id} className="min-w-0 wrap-anywhere">
        {props.label}
      </label>
    </div>
  );
}
