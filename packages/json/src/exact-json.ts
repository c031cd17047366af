import { isLosslessNumber, LosslessNumber, parse, stringify } from "lossless-json";

/**
 * Whether a text may hold a number that a double would change or spell otherwise: a fraction, an exponent, sixteen
 * digits or more. Digits within strings match as well, which costs time and nothing else.
 */
const inexact = /[0-9][.eE]|[0-9]{16}|-0/;

/**
 * Reads JSON without rounding: a number that a double would change or spell otherwise comes as an object that keeps the
 * digits that were sent (`exactNumberText` reads them), every other one as a number. Where a key is repeated, the last
 * value stands, as with `JSON.parse`.
 *
 * @throws SyntaxError for anything but one JSON text
 * @throws RangeError for nesting that exhausts the stack; `scanJson` tells the depth before
 */
export function parseExactJson(text: string): unknown {
  if (!inexact.test(text)) return JSON.parse(text);
  return parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
}

/** A number that keeps the digits it was written with. */
export type ExactNumber = LosslessNumber;

/** Whether `input` is a number that kept its digits; no JSON text makes an object that passes for one. */
export function isExactNumber(input: unknown): input is ExactNumber {
  return isLosslessNumber(input);
}

/** Writes JSON with the digits that `parseExactJson` read; undefined is null. */
export function writeExactJson(value: unknown): string {
  return stringify(value) ?? "null";
}

/** The digits of a number that `parseExactJson` kept as they were sent; undefined for anything else. */
export function exactNumberText(input: unknown): string | undefined {
  return isExactNumber(input) ? input.value : undefined;
}

function parseNumber(digits: string): number | LosslessNumber {
  const number = Number(digits);
  return String(number) === digits ? number : new LosslessNumber(digits);
}
