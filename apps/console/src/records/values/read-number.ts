import { compareDecimals, isDecimal, shiftDecimal } from "./decimal.ts";
import { unqualified, type ValueColumn } from "./value-kind.ts";
import type { Reading, Ways } from "./ways.ts";

const ranges: Readonly<Record<string, readonly [string, string]>> = {
  smallint: ["-32768", "32767"],
  integer: ["-2147483648", "2147483647"],
  bigint: ["-9223372036854775808", "9223372036854775807"],
};

/** Reads a whole number; digits of `bigint` stay a text, as the Data API returns them. */
export function readInteger(column: ValueColumn, text: string, ways: Ways): Reading {
  const plain = plainDecimal(column, text, ways, true);
  if (plain === undefined || !/^[+-]?\d+(?:\.0*)?$/.test(plain)) {
    return { fault: ways.say("fault.integer") };
  }
  const digits = shiftDecimal(plain.replace(/\..*$/, ""), 0);
  const value = digits === "-0" ? "0" : digits;
  const type = unqualified(column.baseType);
  const [min, max] = ranges[type] ?? ["", ""];
  if (min !== "" && (compareDecimals(value, min) < 0 || compareDecimals(value, max) > 0)) {
    return { fault: ways.say("fault.range", { min, max }) };
  }
  return { value: type === "bigint" ? value : Number(value) };
}

/** Reads a decimal number; `numeric` keeps every digit that was written. */
export function readDecimal(column: ValueColumn, text: string, ways: Ways): Reading {
  const isFloat = /^(?:real|double precision)$/.test(column.baseType);
  const special = /^([+-]?)(?:nan|inf(?:inity)?|∞)$/i.exec(text);
  if (special !== null) {
    const sign = special[1] === "-" ? "-" : "";
    return { value: /nan$/i.test(text) ? "NaN" : `${sign}Infinity` };
  }
  const plain = plainDecimal(column, text, ways, false);
  if (plain === undefined) {
    const [one, other] = readings(text, ways);
    if (one !== undefined && other !== undefined) {
      return { fault: ways.say("fault.ambiguous", { one, other }) };
    }
    const { decimal } = separatorsOf(ways.locale);
    return { fault: ways.say("fault.number", { example: `12${decimal}5` }) };
  }
  return { value: isFloat ? Number(plain) : plain.replace(/^\+/, "") };
}

/** Returns the two numbers that a typed text can mean, as the person would write each without doubt. */
function readings(text: string, { locale, isTyped }: Ways): readonly string[] {
  const { group, decimal } = separatorsOf(locale);
  if (isTyped !== true || group !== "." || !/^[+-]?\d{1,3}\.\d{3}$/.test(text)) return [];
  return [text.replace(".", ""), text.replace(".", decimal)];
}

/** Returns the number in PostgreSQL's form; undefined for a text that is no number for this person. */
function plainDecimal(
  column: ValueColumn,
  text: string,
  ways: Ways,
  isInteger: boolean,
): string | undefined {
  const bare = text
    .replace(/[\u202f\u00a0\u2009\s]/g, " ")
    .replace("−", "-")
    .trim();
  if (!isInteger && readings(bare, ways).length > 0) return undefined;
  if (isDecimal(bare) && !(isInteger && bare.includes("."))) return bare;
  const { format } = column;
  const { group, decimal } = separatorsOf(ways.locale);
  const isPercent = format?.type === "percent" && bare.includes("%");
  const figures = stripUnit(bare, ways.locale, format?.type === "currency" ? format.currency : "");
  const compact = figures.replaceAll(" ", group === " " || group === "’" ? group : " ");
  const [sign = "", rest = ""] = /^([+-]?)(.*)$/.exec(compact)?.slice(1) ?? [];
  const [whole = "", fraction, ...more] = rest.split(decimal);
  if (more.length > 0 || !/^\d*$/.test(fraction ?? "")) return undefined;
  const groups = whole.split(group);
  const isGrouped =
    groups.length === 1
      ? /^\d*$/.test(whole)
      : groups.every((part, at) => (at === 0 ? /^\d{1,3}$/ : /^\d{2,3}$/).test(part)) &&
        groups.at(-1)?.length === 3;
  const plain = `${sign}${groups.join("")}${fraction === undefined ? "" : `.${fraction}`}`;
  if (!isGrouped || !isDecimal(plain)) return undefined;
  return isPercent && format.whole !== 100 ? shiftDecimal(plain, -2) : plain;
}

/** Removes the sign of a currency or of percent, which the shown form of a number has. */
function stripUnit(text: string, locale: string, currency: string): string {
  const bare = text.replace("%", "");
  if (currency === "") return bare.trim();
  const options = { style: "currency", currency } as const;
  const symbol = new Intl.NumberFormat(locale, options)
    .formatToParts(1)
    .find(({ type }) => type === "currency")?.value;
  return bare
    .replace(symbol ?? currency, "")
    .replace(currency, "")
    .trim();
}

const separators = new Map<string, { readonly group: string; readonly decimal: string }>();

/** The signs that separate thousands and decimals in a language; narrow blanks count as blanks. */
export function separatorsOf(locale: string): { readonly group: string; readonly decimal: string } {
  const known = separators.get(locale);
  if (known !== undefined) return known;
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(1234567.5);
  const find = (wanted: string, fallback: string) =>
    parts.find(({ type }) => type === wanted)?.value.replace(/[\u202f\u00a0\u2009]/g, " ") ??
    fallback;
  const found = { group: find("group", ","), decimal: find("decimal", ".") };
  separators.set(locale, found);
  return found;
}
