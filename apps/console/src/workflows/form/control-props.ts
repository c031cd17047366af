import type { FormField } from "./form-field.ts";

/** The properties of every control. */
export interface ControlProps {
  /** The id of the input, which its label names. */
  readonly id: string;
  readonly label: string;
  /** The id of the help and the faults. */
  readonly describedBy: string;
  readonly isInvalid: boolean;
  readonly field: FormField;
  /** The JSON pointer of the value in the step. */
  readonly pointer: string;
  /** Undefined if the step has none. */
  readonly value: unknown;
  /** Undefined removes the value. */
  readonly onChange: (value: unknown) => void;
}

/** The look of an input of these forms, as high as a code editor with one line. */
export const controlClasses =
  "h-7.5 w-full min-w-0 rounded-control border border-line-input bg-surface px-2.5 text-3 text-ink placeholder:text-ink-3 focus-visible:outline-offset-0 aria-invalid:border-danger";

/** The attributes that an input takes from its control. */
export function inputAttributes({
  id,
  describedBy,
  isInvalid,
}: Pick<ControlProps, "id" | "describedBy" | "isInvalid">) {
  return { id, "aria-describedby": describedBy, "aria-invalid": isInvalid };
}
