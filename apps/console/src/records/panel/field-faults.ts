import { type Fault, RowhouseError } from "@rowhouse/client";

/** The faults of a failed write by the columns that they name. */
export interface FieldFaults {
  /** Returns the sentence of the service about a column. */
  of(name: string): string | undefined;
  /** Whether every fault has a column of the form, so that none is left to show above it. */
  readonly isComplete: boolean;
}

/**
 * Places the faults of a failed write at the fields of a form.
 *
 * @param base the JSON pointer of the row in the request
 * @param names the columns of the form
 */
export function fieldFaults(error: unknown, base: string, names: readonly string[]): FieldFaults {
  const faults = error instanceof RowhouseError ? error.faults : [];
  const namesOf = (fault: Fault): readonly string[] => {
    // A violated key has no place in the request, but the names of its columns.
    const { fields } = fault.details ?? {};
    const keyed = Array.isArray(fields) ? fields.map(String) : [];
    return names.filter((name) => fault.path === pointerIn(base, name) || keyed.includes(name));
  };
  const placed = faults.map((fault) => ({ fault, names: namesOf(fault) }));
  return {
    of: (name) => placed.find((one) => one.names.includes(name))?.fault.message,
    isComplete: placed.length > 0 && placed.every((one) => one.names.length > 0),
  };
}

/** Returns the JSON pointer at which the API reports faults of a column. */
function pointerIn(base: string, name: string): string {
  return `${base}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
