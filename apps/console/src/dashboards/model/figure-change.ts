import { addDecimals, compareDecimals, isDecimal } from "../../records/values/decimal.ts";

/** How a figure differs from that of the period before. */
interface FigureChange {
  readonly direction: "UP" | "DOWN" | "SAME";
  /** The difference without its sign, with every digit. */
  readonly amount: string;
  /** The difference as a part of the value before, without its sign; undefined if that was zero. */
  readonly part: number | undefined;
}

/** Compares a figure with the one before; undefined if either is no number. */
export function figureChange(value: unknown, previous: unknown): FigureChange | undefined {
  const [now, before] = [String(value), String(previous)];
  if (value === null || previous === null || !isDecimal(now) || !isDecimal(before))
    return undefined;
  const difference = addDecimals([now, negated(before)]);
  const sign = compareDecimals(difference, "0");
  const base = Math.abs(Number(before));
  const amount = difference.replace(/^-/, "");
  return {
    direction: sign > 0 ? "UP" : sign < 0 ? "DOWN" : "SAME",
    amount,
    part: base === 0 ? undefined : Number(amount) / base,
  };
}

function negated(digits: string): string {
  return digits.startsWith("-") ? digits.slice(1) : `-${digits.replace(/^\+/, "")}`;
}
