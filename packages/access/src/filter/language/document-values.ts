import { parseScalar, parseVariable } from "./scalar.ts";

/** Whether a value is a number, or all of a list are. In brackets, which know texts only, a text can be one. */
export function isNumericValue(value: unknown, isUntyped: boolean): boolean {
  if (Array.isArray(value)) return value.every((item) => isNumericValue(item, isUntyped));
  if (typeof value !== "string")
    return typeof value !== "boolean" && parseScalar(value) !== undefined;
  return isUntyped && value.split(",").every((text) => numberForm.test(text));
}

const numberForm = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$/;

/**
 * The JSON values, as texts, that equal an operand inside a document: 1.50 is 1.5, and not "1.5". A text in brackets has no
 * type, and stands for the text and for the number or flag that is written alike.
 *
 * @returns undefined for operators and operands that are not compared as JSON
 */
export function jsonValues(
  operator: string,
  value: unknown,
  isUntyped: boolean,
): string[] | undefined {
  const isList = operator === "_in" || operator === "_nin";
  if (!isList && operator !== "_eq" && operator !== "_neq") return undefined;
  const isText = isList && isUntyped && typeof value === "string";
  const items = isText ? value.split(",") : isList ? value : [value];
  if (!Array.isArray(items)) return undefined;
  const texts: string[] = [];
  for (const item of items) {
    const text = parseScalar(item);
    if (text === undefined || parseVariable(item) !== undefined) return undefined;
    if (typeof item !== "string") texts.push(text);
    else {
      texts.push(JSON.stringify(text));
      if (isUntyped && literalForm.test(text)) texts.push(text);
    }
  }
  return texts;
}

const literalForm = /^(?:true|false|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?)$/;
