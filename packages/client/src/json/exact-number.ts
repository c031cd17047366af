const json = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A JSON number that a double would change. It keeps its digits, and a request sends them as they are. */
export class ExactNumber {
  readonly text: string;

  /** @throws TypeError if the text is not a JSON number */
  constructor(text: string) {
    if (!json.test(text)) throw new TypeError("An exact number must be a JSON number");
    this.text = text;
  }

  /** Returns the digits. */
  toString(): string {
    return this.text;
  }

  /** Returns the digits, so that `JSON.stringify` rounds nothing. */
  toJSON(): string {
    return this.text;
  }

  /** Returns the nearest double. */
  valueOf(): number {
    return Number(this.text);
  }
}

/** Returns whether a double represents the value of this JSON number. */
export function fitsDouble(digits: string): boolean {
  if (digits.length < 16 && !/[eE]/.test(digits)) return true;
  const double = Number(digits);
  return Number.isFinite(double) && normalForm(digits) === normalForm(String(double));
}

/** Returns sign, digits and exponent without leading and trailing zeros. */
function normalForm(text: string): string {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const sign = mantissa.startsWith("-") ? "-" : "";
  const [whole = "", fraction = ""] = mantissa.slice(sign.length).split(".");
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  // A loop, because /0+$/ takes quadratic time for a long run of zeros in the middle.
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end -= 1;
  if (end === 0) return "0";
  const scale = Number(exponent) - fraction.length + digits.length - end;
  return `${sign}${digits.slice(0, end)}e${scale}`;
}
