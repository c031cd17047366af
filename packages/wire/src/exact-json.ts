import { isLosslessNumber, LosslessNumber, parse, stringify } from "lossless-json";
import { endOfString, quote } from "./scan-json.ts";

/**
 * Whether a text may have a number that a double would change or format differently: a fraction, an exponent, or 16
 * digits or more. A number follows the start, a space, a colon, a comma or a bracket; a version such as "1.0" does not
 * match. Digits within longer texts may match; `losesDigits` tells them apart.
 */
const inexact = /(?:^|[\s:,[])(?:-?[0-9]+[.eE]|-?[0-9]{16}|-0)/;

/**
 * Parses JSON without rounding. A number that a double would change or format differently becomes an object that keeps
 * its digits (`exactNumberText` returns them); every other number is a plain number. The last value of a repeated key
 * wins, as with `JSON.parse`.
 *
 * @throws SyntaxError for anything but one JSON text
 * @throws RangeError for nesting that exhausts the stack; `scanJson` returns the depth in advance
 */
export function parseExactJson(text: string): unknown {
  if (!inexact.test(text) || !losesDigits(text)) return JSON.parse(text);
  return parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
}

/** A number that keeps its original digits. */
export type ExactNumber = LosslessNumber;

/** Whether `input` is a number that kept its digits. No JSON text can produce an object that is mistaken for one. */
export function isExactNumber(input: unknown): input is ExactNumber {
  return isLosslessNumber(input);
}

/** Whether a value of `parseExactJson` or `JSON.parse` is an object: no list, and no number that kept its digits. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value)
  );
}

/** Formats JSON with the digits that `parseExactJson` read; undefined becomes null. */
export function writeExactJson(value: unknown): string {
  return stringify(value) ?? "null";
}

/**
 * Converts every number that a double cannot represent exactly to text. Filters and presets accept digits as text, and
 * every JSON parser preserves text.
 */
export function keepDigits(value: unknown): unknown {
  const digits = exactNumberText(value);
  if (digits !== undefined) return digits;
  if (Array.isArray(value)) return value.map(keepDigits);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [key, keepDigits(item)]),
  );
}

/** Returns a JSON value with every number as a double, as `JSON.parse` gives it. */
export function roundNumbers(value: unknown): unknown {
  if (isExactNumber(value)) return Number(value.value);
  if (Array.isArray(value)) return value.map(roundNumbers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [key, roundNumbers(item)]),
  );
}

/** Returns the original digits of a number from `parseExactJson`; undefined for anything else. */
export function exactNumberText(input: unknown): string | undefined {
  return isExactNumber(input) ? input.value : undefined;
}

function parseNumber(digits: string): number | LosslessNumber {
  return isExactDouble(digits) ? Number(digits) : new LosslessNumber(digits);
}

/** Whether the double nearest to a number is written with the same digits. */
function isExactDouble(digits: string): boolean {
  return String(Number(digits)) === digits;
}

/** Whether a JSON text has a number, outside its strings, that is no exact double. For other texts the result is arbitrary. */
function losesDigits(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
    } else if (code === minus || isDigit(code)) {
      const start = at;
      while (isPartOfNumber(text.charCodeAt(at + 1))) at += 1;
      if (!isExactDouble(text.slice(start, at + 1))) return true;
    }
  }
  return false;
}

const minus = 0x2d;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Whether a character continues a number: a digit, `.`, `e`, `E`, `+` or `-`. */
function isPartOfNumber(code: number): boolean {
  return (
    isDigit(code) || code === 0x2e || (code | 0x20) === 0x65 || code === 0x2b || code === minus
  );
}
