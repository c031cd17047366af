import { ExactNumber, exactDigits, exactKey, fitsDouble } from "./exact-number.ts";
import { randomId } from "./random-id.ts";

/** Whether a text may have a number that a double changes. Digits within strings match as well, which only costs time. */
const suspicious = /(?:^|[[:,\s])-?(?:\d[\d.]{15,}|[\d.]+[eE][+-]?\d{3})/;

const numbers = /-?\d[\d.]*(?:[eE][+-]?\d+)?/g;

/**
 * Reads what `writeJson` wrote, or `JSON.stringify` of values with an `ExactNumber`, with the same digits.
 *
 * @throws SyntaxError for anything but one JSON text
 */
export function readJson(text: string): unknown {
  const value = parseJson(text);
  return text.includes(exactKey) ? revived(value) : value;
}

function revived(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return value;
  const digits = exactDigits(value);
  if (digits !== undefined) return new ExactNumber(digits);
  if (Array.isArray(value)) return value.map(revived);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, revived(each)]));
}

/**
 * Parses JSON without changing the value of a number: one that a double cannot represent becomes an `ExactNumber`.
 *
 * @throws SyntaxError for anything but one JSON text
 */
export function parseJson(text: string): unknown {
  if (!suspicious.test(text)) return JSON.parse(text);
  // A random mark, so that no text of a row can pass for a number.
  const mark = randomId();
  return JSON.parse(markNumbers(text, mark), (_key, value: unknown) =>
    typeof value === "string" && value.startsWith(mark)
      ? new ExactNumber(value.slice(mark.length))
      : value,
  );
}

/** Replaces each number that a double changes by a string of the mark and its digits. */
function markNumbers(text: string, mark: string): string {
  let marked = "";
  for (let at = 0; ; ) {
    const open = text.indexOf('"', at);
    const outside = text.slice(at, open === -1 ? text.length : open);
    marked += outside.replace(numbers, (digits) =>
      fitsDouble(digits) ? digits : `"${mark}${digits}"`,
    );
    if (open === -1) return marked;
    const close = endOfString(text, open);
    marked += text.slice(open, close);
    at = close;
  }
}

/** Returns the position behind the string that opens at a position. */
function endOfString(text: string, open: number): number {
  for (let close = open; ; ) {
    close = text.indexOf('"', close + 1);
    if (close === -1) return text.length;
    let slashes = 0;
    while (text[close - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return close + 1;
  }
}
