import { addDecimals, shiftDecimal } from "../../../records/values/decimal.ts";

/**
 * Returns a number between two others, exactly: half of their sum. Without the one before, it is one less than the other;
 * without the one after, one more; without both, zero.
 */
export function midpoint(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return after === undefined ? "0" : addDecimals([after, "-1"]);
  if (after === undefined) return addDecimals([before, "1"]);
  const sum = addDecimals([before, after]);
  // Half is five tenths.
  const half = shiftDecimal(addDecimals([sum, sum, sum, sum, sum]), -1);
  return half.includes(".") ? half.replace(/(?<!0)0+$/, "").replace(/\.$/, "") : half;
}
