import type { Format } from "./format-choices.ts";

/** Digits that the browser can format. */
const decimalsMax = 20;

/** Returns a format that the browser can show, or null while its options are incomplete. The service checks them all. */
export function sampleFormat(format: Format | null): Format | null {
  if (format === null) return null;
  if (format.type === "currency" && !/^[A-Za-z]{3}$/.test(format.currency)) return null;
  if ("decimals" in format && !isCount(format.decimals, 0, decimalsMax)) return null;
  if (format.type === "rating" && !isCount(format.max, 2, 10)) return null;
  return format;
}

function isCount(value: unknown, from: number, to: number): boolean {
  if (value === undefined) return true;
  return typeof value === "number" && value >= from && value <= to;
}
