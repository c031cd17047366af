/**
 * A `numeric` with its number of decimal digits, computed as PostgreSQL documents it: sums and products are exact, and a quotient
 * has at least 16 significant digits and is rounded. Undefined digits are NaN.
 */
export class ExactNumber {
  readonly #digits: bigint | undefined;
  readonly #scale: number;

  constructor(digits: bigint | undefined, scale: number) {
    this.#digits = digits;
    this.#scale = scale;
  }

  static read(text: string): ExactNumber {
    if (text === "NaN") return new ExactNumber(undefined, 0);
    const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
    const [whole = "", fraction = ""] = mantissa.replace("+", "").split(".");
    const digits = BigInt(`${whole}${fraction}`);
    const scale = fraction.length - Number(exponent);
    return scale >= 0
      ? new ExactNumber(digits, scale)
      : new ExactNumber(digits * 10n ** BigInt(-scale), 0);
  }

  static sum(numbers: readonly ExactNumber[]): ExactNumber {
    return numbers.reduce((sum, number) => sum.plus(number));
  }

  get isZero(): boolean {
    return this.#digits === 0n;
  }

  plus(other: ExactNumber): ExactNumber {
    return this.#combine(other, (left, right) => left + right);
  }

  minus(other: ExactNumber): ExactNumber {
    return this.#combine(other, (left, right) => left - right);
  }

  times(other: ExactNumber): ExactNumber {
    if (this.#digits === undefined || other.#digits === undefined) return nan;
    return new ExactNumber(this.#digits * other.#digits, this.#scale + other.#scale);
  }

  /** The divisor is not zero. */
  over(other: ExactNumber): ExactNumber {
    if (this.#digits === undefined || other.#digits === undefined) return nan;
    const scale = quotientScale(this, other);
    // Both sides have the same scale; one digit more decides the rounding.
    const [left, right] = [
      this.#digits * 10n ** BigInt(other.#scale + scale + 1),
      other.#digits * 10n ** BigInt(this.#scale),
    ];
    const quotient = left / right;
    const rounded = (quotient + (quotient < 0n ? -5n : 5n)) / 10n;
    return new ExactNumber(rounded, scale);
  }

  #combine(other: ExactNumber, apply: (left: bigint, right: bigint) => bigint): ExactNumber {
    if (this.#digits === undefined || other.#digits === undefined) return nan;
    const scale = Math.max(this.#scale, other.#scale);
    const at = (number: bigint, own: number): bigint => number * 10n ** BigInt(scale - own);
    return new ExactNumber(
      apply(at(this.#digits, this.#scale), at(other.#digits, other.#scale)),
      scale,
    );
  }

  toString(): string {
    if (this.#digits === undefined) return "NaN";
    const sign = this.#digits < 0n ? "-" : "";
    const digits = String(this.#digits < 0n ? -this.#digits : this.#digits);
    if (this.#scale === 0) return `${sign}${digits}`;
    const padded = digits.padStart(this.#scale + 1, "0");
    return `${sign}${padded.slice(0, -this.#scale)}.${padded.slice(-this.#scale)}`;
  }

  get scale(): number {
    return this.#scale;
  }

  /** The first group of four digits and its power of ten thousand. */
  get head(): { readonly digit: number; readonly weight: number } {
    const [whole = "", fraction = ""] = this.toString().replace("-", "").split(".");
    const places = whole.padStart(Math.ceil(whole.length / 4) * 4, "0");
    const groups = `${places}${fraction.padEnd(Math.ceil(fraction.length / 4) * 4, "0")}`;
    const found = (groups.match(/.{4}/g) ?? []).map(Number);
    const first = found.findIndex((group) => group !== 0);
    if (first < 0) return { digit: 0, weight: 0 };
    return { digit: found[first] ?? 0, weight: places.length / 4 - 1 - first };
  }
}

const nan = new ExactNumber(undefined, 0);

/** As `select_div_scale` in PostgreSQL's numeric.c. */
function quotientScale(left: ExactNumber, right: ExactNumber): number {
  const [one, two] = [left.head, right.head];
  const weight = one.weight - two.weight - Number(one.digit <= two.digit);
  return Math.min(1000, Math.max(16 - weight * 4, left.scale, right.scale, 0));
}
