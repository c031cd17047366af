const json = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The only member of what `JSON.stringify` writes for an `ExactNumber`. */
export const exactKey = "$rowhouse.exact";

type ExactForm = { readonly [exactKey]: string };

/** Returns the digits of an `ExactNumber` after `toJSON`; undefined for any other value. */
export function exactDigits(value: unknown): string | undefined {
  const digits = (value as Partial<ExactForm> | null | undefined)?.[exactKey];
  const isForm = typeof digits === "string" && json.test(digits);
  return isForm && Object.keys(value as object).length === 1 ? digits : undefined;
}

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

  /**
   * Returns an object that keeps the digits and that no other value has, so that `JSON.stringify` in another library changes
   * nothing: `readJson` makes an `ExactNumber` of it, and `writeJson` and requests a number.
   */
  toJSON(): ExactForm {
    return { [exactKey]: this.text };
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
