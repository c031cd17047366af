import { parseTime, utcOf } from "../../shell/time/zone.ts";
import { compareDecimals, isDecimal } from "./decimal.ts";
import { isNumeric, type ValueColumn, valueKindOf } from "./value-kind.ts";

type Rule = NonNullable<ValueColumn["colors"]>[number];

/** A color that an administrator chose for values. */
export type ColorName = Rule["color"];

/** Returns the color of the first rule that matches a value; for an array, of its element. */
export function colorOf(column: ValueColumn, value: unknown): ColorName | undefined {
  return column.colors?.find((rule) => matches(rule, column, value))?.color;
}

function matches(rule: Rule, column: ValueColumn, value: unknown): boolean {
  if ("value" in rule) {
    if (rule.value === null || value === null) return rule.value === value;
    const [wanted, text] = [String(rule.value), String(value)];
    return wanted === text || (isNumeric(column) && compare(column, text, wanted) === 0);
  }
  if (value === null || value === undefined) return false;
  const text = String(value);
  const { from, to } = rule;
  const isAbove = from === undefined || (compare(column, text, String(from)) ?? -1) >= 0;
  return isAbove && (to === undefined || (compare(column, text, String(to)) ?? 1) < 0);
}

/** Compares two values of a column; undefined for values that have no order here. */
function compare(column: ValueColumn, left: string, right: string): number | undefined {
  if (isNumeric(column)) {
    return isDecimal(left) && isDecimal(right) ? compareDecimals(left, right) : undefined;
  }
  switch (valueKindOf(column)) {
    case "DATE":
    case "TIMESTAMP":
    case "INSTANT": {
      const [one, other] = [microsecondsOf(left), microsecondsOf(right)];
      return one === undefined || other === undefined ? undefined : one - other;
    }
    case "TIME":
      return left < right ? -1 : left > right ? 1 : 0;
    case "INTERVAL": {
      const [one, other] = [secondsIn(left), secondsIn(right)];
      return one === undefined || other === undefined ? undefined : one - other;
    }
    default:
      return undefined;
  }
}

function microsecondsOf(text: string): number | undefined {
  if (text === "infinity") return Number.POSITIVE_INFINITY;
  if (text === "-infinity") return Number.NEGATIVE_INFINITY;
  const time = parseTime(text);
  if (time === undefined) return undefined;
  return (utcOf(time) - (time.offsetS ?? 0) * 1000) * 1000 + (time.microsecond % 1000);
}

/** The seconds of an interval as PostgreSQL compares them: a month has 30 days, a day 24 hours. */
function secondsIn(text: string): number | undefined {
  const match =
    /^(?:(-?\d+) years? ?)?(?:(-?\d+) mons? ?)?(?:(-?\d+) days? ?)?(?:([+-]?)(\d+):(\d\d)(?::(\d\d(?:\.\d+)?))?)?$/.exec(
      text,
    );
  if (match === null) return undefined;
  const [, years = 0, months = 0, days = 0, sign, hours = 0, minutes = 0, seconds = 0] = match;
  const clock = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const dayCount = (Number(years) * 12 + Number(months)) * 30 + Number(days);
  return dayCount * 86_400 + (sign === "-" ? -clock : clock);
}
