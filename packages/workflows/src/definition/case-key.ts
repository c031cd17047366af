import { exactNumberText } from "@rowhouse/wire";
import { toJson } from "../base/json.ts";

/**
 * Returns the text by which a switch compares values. Equal numbers have the same text, however they are written.
 *
 * @example caseKey(1.5) === caseKey(parseExactJson("15.0e-1")) // true
 */
export function caseKey(value: unknown): string {
  const digits = typeof value === "number" ? String(value) : exactNumberText(value);
  return digits === undefined ? toJson(value) : numberKey(digits);
}

function numberKey(text: string): string {
  const [, sign, whole, fraction, exponent] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  if (whole === undefined) return text;
  const digits = `${whole}${fraction ?? ""}`.replace(/^0+/, "");
  const significant = digits.replace(/(?<!0)0+$/, "");
  if (significant === "") return "0";
  const scale = Number(exponent ?? 0) - (fraction ?? "").length;
  return `${sign}${significant}e${scale + digits.length - significant.length}`;
}
