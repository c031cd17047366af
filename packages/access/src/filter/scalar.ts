import { exactNumberText, isStorableText } from "@rowhouse/json";
import type { Variable } from "./filter.ts";
import { isPeriod } from "./period.ts";

/** `{ kind: "UNKNOWN" }` is a variable's form with a name that means nothing. */
export type VariableReading =
  | { readonly kind: "VARIABLE"; readonly variable: Variable }
  | { readonly kind: "UNKNOWN" };

const variableForm = /^\$(?:USER\.|NOW$|PERIOD\.)/;
const escapedForm = /^\$\$(?:USER\.|NOW$|PERIOD\.)/;

/** Reads `$USER.<column>`, `$NOW` and `$PERIOD.<name>`. Any other text that starts with a dollar is a literal. */
export function parseVariable(input: unknown): VariableReading | undefined {
  if (typeof input !== "string" || !variableForm.test(input)) return undefined;
  if (input === "$NOW") return { kind: "VARIABLE", variable: { kind: "NOW" } };
  if (input.startsWith("$USER.") && input.length > 6) {
    return { kind: "VARIABLE", variable: { kind: "USER", column: input.slice(6) } };
  }
  const period = input.startsWith("$PERIOD.") ? input.slice(8) : "";
  if (isPeriod(period)) return { kind: "VARIABLE", variable: { kind: "PERIOD", period } };
  return { kind: "UNKNOWN" };
}

/**
 * A literal as text: strings as they are (`$$USER.x` stands for the text `$USER.x`), numbers with the digits that were
 * sent. Undefined for null, objects and lists, and for text that Postgres cannot hold.
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
