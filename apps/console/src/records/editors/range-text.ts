import { unqualified } from "../values/value-kind.ts";

/** The ends of a range as texts; null for an open end. */
export interface RangeEnds {
  readonly lower: string | null;
  readonly upper: string | null;
  readonly hasLower: boolean;
  readonly hasUpper: boolean;
}

const elementTypes: Readonly<Record<string, string>> = {
  int4range: "integer",
  int8range: "bigint",
  numrange: "numeric",
  daterange: "date",
  tsrange: "timestamp without time zone",
  tstzrange: "timestamp with time zone",
};

/** Returns the type of a range's ends. */
export function endType(rangeType: string): string {
  return elementTypes[unqualified(rangeType)] ?? "text";
}

const end = '(?:"((?:[^"\\\\]|\\\\.|"")*)"|([^,"\\[\\]()]*))';
const form = new RegExp(`^\\s*([[(])${end},${end}([\\])])\\s*$`, "s");

/** Parses a range in PostgreSQL's text form; undefined for the empty range and for any other text. */
export function parseRange(text: string): RangeEnds | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, open, quotedLower, lower = "", quotedUpper, upper = "", close] = match;
  return {
    lower: endOf(quotedLower, lower),
    upper: endOf(quotedUpper, upper),
    hasLower: open === "[",
    hasUpper: close === "]",
  };
}

function endOf(quoted: string | undefined, bare: string): string | null {
  if (quoted !== undefined) return quoted.replace(/\\(.)|"(")/gs, "$1$2");
  return bare.trim() === "" ? null : bare;
}

/** Writes a range in PostgreSQL's text form. */
export function writeRange({ lower, upper, hasLower, hasUpper }: RangeEnds): string {
  const write = (text: string | null) =>
    text === null ? "" : /^[\w.+-]+$/.test(text) ? text : `"${text.replace(/["\\]/g, "\\$&")}"`;
  return `${hasLower ? "[" : "("}${write(lower)},${write(upper)}${hasUpper ? "]" : ")"}`;
}
