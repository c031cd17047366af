const scale = 40n;
const one = 10n ** scale;

/** An expected number that a response must equal in value, whatever its number of digits. */
export class Decimal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  static sum(values: readonly string[]): Decimal {
    return values.includes("NaN") ? new Decimal("NaN") : fromScaled(total(values));
  }

  static avg(values: readonly string[]): Decimal {
    if (values.includes("NaN")) return new Decimal("NaN");
    return fromScaled(total(values) / BigInt(values.length));
  }

  /** Whether a JSON value equals this number; a quotient may be rounded after sixteen digits. */
  equals(json: unknown): boolean {
    if (typeof json !== "string" || json === "NaN" || this.text === "NaN")
      return json === this.text;
    const difference = toScaled(json) - toScaled(this.text);
    const size = toScaled(this.text) < 0n ? -toScaled(this.text) : toScaled(this.text);
    const tolerance = size / 10n ** 15n;
    return difference <= tolerance && -difference <= tolerance;
  }
}

function total(values: readonly string[]): bigint {
  return values.map(toScaled).reduce((sum, value) => sum + value, 0n);
}

function toScaled(text: string): bigint {
  const [whole = "", fraction = ""] = text.replace("+", "").split(".");
  return BigInt(`${whole}${fraction.slice(0, Number(scale)).padEnd(Number(scale), "0")}`);
}

function fromScaled(value: bigint): Decimal {
  const digits = value < 0n ? -value : value;
  const fraction = String(digits % one)
    .padStart(Number(scale), "0")
    .replace(/0+$/, "");
  const sign = value < 0n ? "-" : "";
  return new Decimal(`${sign}${digits / one}${fraction === "" ? "" : `.${fraction}`}`);
}
