import { isDecimal, scaleOf, shiftDecimal } from "./decimal.ts";
import type { ValueColumn } from "./value-kind.ts";
import type { Ways } from "./ways.ts";

type Format = NonNullable<ValueColumn["format"]>;

/** Most digits behind the point that `Intl.NumberFormat` shows. */
const fractionMax = 100;

const formatters = new Map<string, Intl.NumberFormat>();

/** Formats the digits of a decimal number without a double between; `undefined` options show all of them. */
function formatDecimal(
  digits: string,
  locale: string,
  options: Intl.NumberFormatOptions = {},
): string {
  const key = `${locale} ${JSON.stringify(options)}`;
  const formatter = formatters.get(key) ?? new Intl.NumberFormat(locale, options);
  formatters.set(key, formatter);
  return formatter.format(digits as `${number}`);
}

/** Shows a number as its column asks for; values without digits, such as NaN, as they are. */
export function numberText(value: unknown, format: Format | null, ways: Ways): string {
  const text = String(value);
  if (!isDecimal(text)) return text.replace(/^(-?)Infinity$/, "$1∞");
  const { locale } = ways;
  const scale = scaleOf(text);
  if (scale > fractionMax) return text;
  const all = { minimumFractionDigits: scale, maximumFractionDigits: scale };
  const fixed = (decimals: number | undefined) =>
    decimals === undefined
      ? all
      : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  switch (format?.type) {
    case "number":
      return formatDecimal(text, locale, {
        ...fixed(format.decimals),
        useGrouping: format.grouping ?? true,
      });
    case "currency": {
      const { currency, decimals } = format;
      const options = { style: "currency", currency } as const;
      if (decimals !== undefined) {
        return formatDecimal(text, locale, { ...options, ...fixed(decimals) });
      }
      const usual =
        new Intl.NumberFormat(locale, options).resolvedOptions().maximumFractionDigits ?? 2;
      return formatDecimal(text, locale, {
        ...options,
        maximumFractionDigits: Math.max(usual, scale),
      });
    }
    case "percent": {
      const hundredths = format.whole === 100 ? text : shiftDecimal(text, 2);
      const own = scaleOf(hundredths);
      return formatDecimal(hundredths, locale, {
        ...{ style: "unit", unit: "percent" },
        ...fixed(format.decimals ?? own),
      });
    }
    case "bytes":
      return bytesText(text, locale);
    case "duration":
      return durationText(text, format.unit ?? "seconds", locale);
    case "rating":
      return ratingText(Number(text), format.max ?? 5);
    default:
      return formatDecimal(text, locale, { ...all, useGrouping: false });
  }
}

/** Digits of PostgreSQL's quotients of `numeric`, of which averages are: `2.1000000000000000`. */
const quotientScale = 16;

/**
 * Returns a number without the zeros that PostgreSQL adds to a quotient. Digits that the type of the column declares
 * stay.
 */
export function withoutFiller(text: string, { scale }: Pick<ValueColumn, "scale">): string {
  const isFilled = scale === undefined && isDecimal(text) && scaleOf(text) >= quotientScale;
  return isFilled && /^[^e]*0$/i.test(text) ? text.replace(/\.?0+$/, "") : text;
}

/** Returns how an average of a column is shown: with the digits of its numbers, but at least 2 and at most 6. */
export function averageFormat(
  format: Format | null,
  { scale = 0 }: Pick<ValueColumn, "scale">,
): Format {
  const decimals = Math.min(6, Math.max(2, scale));
  switch (format?.type) {
    case "number":
    case "currency":
    case "percent":
      return { ...format, decimals: format.decimals ?? decimals };
    case "bytes":
    case "duration":
      return format;
    default:
      return { type: "number", grouping: format !== null, decimals };
  }
}

/** Filled and empty stars; the number itself if stars cannot show it. */
function ratingText(rating: number, max: number): string {
  const isPossible = Number.isInteger(rating) && rating >= 0 && rating <= max;
  return isPossible ? "★".repeat(rating) + "☆".repeat(max - rating) : String(rating);
}

const sizes = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte", "petabyte"] as const;

/** Shows a number of bytes in the largest unit of which there is at least one. */
export function bytesText(bytes: string, locale: string): string {
  const whole = shiftDecimal(bytes, 0).replace(/^-|\..*$/g, "").length;
  const step = Math.min(sizes.length - 1, Math.floor(Math.max(0, whole - 1) / 3));
  return formatDecimal(shiftDecimal(bytes, -3 * step), locale, {
    style: "unit",
    unit: sizes[step] ?? "byte",
    unitDisplay: "short",
    maximumFractionDigits: step === 0 ? 0 : 1,
  });
}

const milliseconds = {
  milliseconds: 1n,
  seconds: 1000n,
  minutes: 60_000n,
  hours: 3_600_000n,
  days: 86_400_000n,
} as const;

/** Shows a duration in days, hours, minutes and seconds; only parts of a millisecond are lost. */
function durationText(amount: string, unit: keyof typeof milliseconds, locale: string): string {
  const precise = shiftDecimal(amount, 12).replace(/\..*$/, "");
  const total = (BigInt(precise) * milliseconds[unit]) / 1_000_000_000_000n;
  const isNegative = total < 0n;
  let rest = isNegative ? -total : total;
  const parts: string[] = [];
  for (const name of ["day", "hour", "minute"] as const) {
    const size = milliseconds[`${name}s`];
    if (rest >= size) parts.push(unitText(String(rest / size), name, locale));
    rest %= size;
  }
  if (rest > 0n || parts.length === 0) {
    parts.push(unitText(shiftDecimal(String(rest), -3), "second", locale));
  }
  return `${isNegative ? "−" : ""}${parts.join(" ")}`;
}

/** Shows a number with a unit of time, such as `5 min`. */
export function unitText(digits: string, unit: string, locale: string): string {
  return formatDecimal(digits, locale, {
    ...{ style: "unit", unit, unitDisplay: "short" },
    maximumFractionDigits: 6,
  });
}
