import type { ReactNode } from "react";

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly fault?: ReactNode;
  /** Beside the label, such as a link that helps. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A label with its input, and below it the fault or else a hint. */
export function Field({ id, label, hint, fault, aside, children }: FieldProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-1.5">
      <label htmlFor={id} className="font-medium wrap-anywhere">
        {label}
      </label>
      <div className="col-span-2 min-w-0">{children}</div>
      {/* Beside the label, but after the input in the order of Tab. */}
      {aside !== undefined && <div className="col-start-2 row-start-1">{aside}</div>}
      {fault !== undefined && (
        <p id={`${id}-fault`} className="col-span-2 text-2 text-danger">
          {fault}
        </p>
      )}
      {fault === undefined && hint !== undefined && (
        <p id={`${id}-hint`} className="col-span-2 text-2 text-ink-2">
          {hint}
        </p>
      )}
    </div>
  );
}

/** The attributes that connect an input to the texts of its field. */
export function describedBy(
  id: string,
  hint: ReactNode,
  fault: string | undefined,
): { readonly "aria-invalid"?: true; readonly "aria-describedby"?: string } {
  if (fault !== undefined) return { "aria-invalid": true, "aria-describedby": `${id}-fault` };
  return hint === undefined ? {} : { "aria-describedby": `${id}-hint` };
}

/** The look of a text input. */
export const inputClasses =
  "h-9 w-full min-w-0 rounded-control border border-line-input bg-surface px-2.5 text-3 text-ink placeholder:text-ink-3 focus-visible:outline-offset-0 aria-invalid:border-danger";
