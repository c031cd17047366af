const form = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

interface Digits {
  readonly isNegative: boolean;
  /** All digits, without leading zeros. */
  readonly digits: string;
  /** Number of digits behind the point. */
  readonly scale: number;
}

/** Whether a text is a decimal number as PostgreSQL writes it: digits, a point, an exponent. */
export function isDecimal(text: string): boolean {
  return form.test(text) && /\d/.test(text.replace(/e.*$/i, ""));
}

function digitsOf(text: string): Digits {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = form.exec(text) ?? [];
  const scale = fraction.length - Number(exponent);
  const all = `${whole}${fraction}`.padEnd(
    whole.length + fraction.length + Math.max(0, -scale),
    "0",
  );
  return { isNegative: sign === "-", digits: all.replace(/^0+/, ""), scale: Math.max(0, scale) };
}

/** Moves the point of a decimal number to the right, or to the left for negative places; no digit changes. */
export function shiftDecimal(text: string, places: number): string {
  const { isNegative, digits, scale } = digitsOf(text);
  const moved = scale - places;
  const padded = moved < 0 ? digits.padEnd(digits.length - moved, "0") : digits;
  const length = Math.max(moved, 0);
  const wide = padded.padStart(length + 1, "0");
  const whole = wide.slice(0, wide.length - length);
  const fraction = wide.slice(wide.length - length);
  return `${isNegative ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

/** Returns the number of digits behind the point. */
export function scaleOf(text: string): number {
  return digitsOf(text).scale;
}

/** Compares two decimal numbers by their digits: negative, zero or positive. */
export function compareDecimals(left: string, right: string): number {
  const [one, other] = [digitsOf(left), digitsOf(right)];
  const scale = Math.max(one.scale, other.scale);
  const [a, b] = [integerOf(one, scale), integerOf(other, scale)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function integerOf({ isNegative, digits, scale }: Digits, toScale: number): bigint {
  const value = BigInt(digits.padEnd(digits.length + toScale - scale, "0") || "0");
  return isNegative ? -value : value;
}

/** Adds decimal numbers; no digit is lost. */
export function addDecimals(texts: readonly string[]): string {
  const terms = texts.map(digitsOf);
  const scale = Math.max(0, ...terms.map((term) => term.scale));
  const sum = terms.reduce((total, term) => total + integerOf(term, scale), 0n);
  return shiftDecimal(String(sum), -scale);
}
