/** The parts of an interval, from the largest on. */
export const intervalUnits = ["year", "month", "day", "hour", "minute", "second"] as const;
export type IntervalUnit = (typeof intervalUnits)[number];
/** The digits of each part as a person types them; empty for none. */
export type IntervalParts = Readonly<Record<IntervalUnit, string>>;

const form =
  /^P(?:(-?\d+)Y)?(?:(-?\d+)M)?(?:(-?\d+)D)?(?:T(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?\d+(?:\.\d+)?)S)?)?$/;

/** Reads an ISO 8601 duration, as the Data API returns intervals; undefined for another form of PostgreSQL's many. */
export function readInterval(text: string): IntervalParts | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, year = "", month = "", day = "", hour = "", minute = "", second = ""] = match;
  return { year, month, day, hour, minute, second };
}

const whole = /^-?\d{1,9}$/;
const fraction = /^-?\d{1,9}(?:[.,]\d{1,6})?$/;

/** Whether a part is a number that an interval can have. */
export function isPart(unit: IntervalUnit, text: string): boolean {
  return text === "" || (unit === "second" ? fraction : whole).test(text);
}

/** Writes an interval of its parts as the Data API returns it; the empty text for none. */
export function writeInterval(parts: IntervalParts): string {
  const written = (unit: IntervalUnit, letter: string) =>
    parts[unit] === "" ? "" : `${parts[unit].replace(",", ".")}${letter}`;
  const date = written("year", "Y") + written("month", "M") + written("day", "D");
  const time = written("hour", "H") + written("minute", "M") + written("second", "S");
  return date + time === "" ? "" : `P${date}${time === "" ? "" : `T${time}`}`;
}
