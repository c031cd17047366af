import { isNumeric, type ValueColumn, valueKindOf } from "../../records/values/value-kind.ts";

const ranged: ReadonlySet<string> = new Set(["DATE", "TIME", "TIMESTAMP", "INSTANT", "INTERVAL"]);

/** Whether rules of a column may have a range. */
export function hasRanges(column: ValueColumn): boolean {
  const element = { ...column, array: false };
  return isNumeric(element) || ranged.has(valueKindOf(element));
}

/** The text of a rule's value; empty for no value. */
export function ruleText(value: string | number | boolean | null): string {
  return value === null ? "" : String(value);
}

/** Reads the value of a rule. Digits that a number would change stay text. */
export function readRuleValue(column: ValueColumn, text: string): string | number | boolean {
  const element = { ...column, array: false };
  if (valueKindOf(element) === "BOOLEAN" && (text === "true" || text === "false")) {
    return text === "true";
  }
  return isNumeric(element) && String(Number(text)) === text ? Number(text) : text;
}
