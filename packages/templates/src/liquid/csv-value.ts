import { csvCell } from "@rowhouse/wire";

/** Digits as JSON writes them: no formula, although a spreadsheet reads the sign of a text as one. */
const numberText = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Writes the value of a template into CSV: null as an empty cell, an object or list as JSON. */
export function csvValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return csvCell(text, !numberText.test(text));
}
