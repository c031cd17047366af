import { parse, stringify } from "lossless-json";

/**
 * Any number that a double could change or spell otherwise: a fraction, an exponent, sixteen digits or more. Digits
 * within strings match as well, which costs time and nothing else.
 */
const inexact = /[0-9][.eE]|[0-9]{16}|-0/;

/**
 * Reads JSON without rounding: a number that a double would change comes as a `LosslessNumber` with the digits that
 * were sent (`exactNumberText` reads it), every other one as a number.
 *
 * @throws SyntaxError for anything but one JSON text
 */
export function parseExactJson(text: string): unknown {
  return inexact.test(text) ? parse(text) : JSON.parse(text);
}

/** Writes JSON with the digits that `parseExactJson` read. */
export function writeExactJson(value: unknown): string {
  return stringify(value) ?? "null";
}
