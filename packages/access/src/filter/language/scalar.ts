import { arrayLiteral } from "@rowhouse/db";
import { exactNumberText, isStorableText } from "@rowhouse/wire";
import type { Variable } from "./filter.ts";
import { isPeriod } from "./period.ts";
import { readPath } from "./written-name.ts";

/** `{ kind: "UNKNOWN" }` is the form of a variable with an unknown name. */
export type VariableReading =
  | { readonly kind: "VARIABLE"; readonly variable: Variable }
  | { readonly kind: "FIELD"; readonly field: string }
  | { readonly kind: "UNKNOWN" };

const variableForm = /^\$(?:USER\.|NOW$|PERIOD\.|FIELD\.)/;
const escapedForm = /^\$\$(?:USER\.|NOW$|PERIOD\.|FIELD\.)/;
const fieldPrefix = "$FIELD.";

/** Escapes a text that has the form of a variable, so that a filter reads it as a literal. */
export function escapeVariable(text: string): string {
  return variableForm.test(text) ? `$${text}` : text;
}

/** Replaces the path of `$FIELD.<path>`; any other operand is returned as it is. */
export function renameFieldOperand(operand: string, rename: (path: string) => string): string {
  return operand.startsWith(fieldPrefix)
    ? `${fieldPrefix}${rename(operand.slice(fieldPrefix.length))}`
    : operand;
}

/**
 * Parses `$USER.<column>`, `$NOW`, `$PERIOD.<name>` and `$FIELD.<path>`. Any other text that starts with a dollar is a
 * literal.
 */
export function parseVariable(input: unknown): VariableReading | undefined {
  if (typeof input !== "string" || !variableForm.test(input)) return undefined;
  if (input === "$NOW") return { kind: "VARIABLE", variable: { kind: "NOW" } };
  if (input.startsWith("$USER.") && input.length > 6) {
    return { kind: "VARIABLE", variable: { kind: "USER", column: input.slice(6) } };
  }
  if (input.startsWith(fieldPrefix) && input.length > fieldPrefix.length) {
    return { kind: "FIELD", field: readPath(input.slice(fieldPrefix.length)) };
  }
  const period = input.startsWith("$PERIOD.") ? input.slice(8) : "";
  if (isPeriod(period)) return { kind: "VARIABLE", variable: { kind: "PERIOD", period } };
  return { kind: "UNKNOWN" };
}

/**
 * Returns a literal as text: strings as they are (`$$USER.x` stands for the text `$USER.x`), numbers with the received
 * digits. Undefined for null, objects, lists, and text that PostgreSQL cannot store.
 */
export function parseScalar(input: unknown): string | undefined {
  if (typeof input === "string") {
    if (!isStorableText(input)) return undefined;
    return escapedForm.test(input) ? input.slice(1) : input;
  }
  if (typeof input === "boolean") return String(input);
  if (typeof input === "number") return Number.isFinite(input) ? String(input) : undefined;
  return exactNumberText(input);
}

/** Returns a literal as text, also one of an array column that is written as a list; undefined as for `parseScalar`. */
export function parseValue(input: unknown): string | undefined {
  return Array.isArray(input) ? arrayText(input, 1) : parseScalar(input);
}

/** Maximum number of dimensions of an array. */
const dimensionsMax = 6;

function arrayText(items: readonly unknown[], depth: number): string | undefined {
  if (depth > dimensionsMax) return undefined;
  if (items.length > 0 && items.every(Array.isArray)) {
    const parts = items.map((item) => arrayText(item, depth + 1));
    return parts.includes(undefined) ? undefined : `{${parts.join(",")}}`;
  }
  const texts: (string | null)[] = [];
  for (const item of items) {
    const text =
      item === null ? null : typeof item === "string" ? plainText(item) : parseScalar(item);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return arrayLiteral(texts);
}

/** An element is never a variable, so its dollar sign needs no other. */
function plainText(text: string): string | undefined {
  return isStorableText(text) ? text : undefined;
}

export function isPeriodReading(reading: VariableReading): boolean {
  return reading.kind === "VARIABLE" && reading.variable.kind === "PERIOD";
}
