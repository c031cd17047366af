import { writeJson } from "@rowhouse/client";

/** The rows of a statement. Names of columns can repeat, and rows have no key. */
export interface ResultRows {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Returns a value as text with every digit; null has none. */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : writeJson(value);
}
