import { unitText } from "./show-number.ts";
import type { ValueColumn } from "./value-kind.ts";
import type { Ways } from "./ways.ts";
import { isPossible, parseTime, utcOf } from "./zone.ts";

type Format = ValueColumn["format"];

const formatters = new Map<string, Intl.DateTimeFormat>();

function format(utcMs: number, locale: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${locale} ${JSON.stringify(options)}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, formatter);
  return formatter.format(utcMs);
}

const endless: Readonly<Record<string, "infinity" | "minusInfinity">> = {
  infinity: "infinity",
  "-infinity": "minusInfinity",
};

/** Shows a date; one that no calendar of the browser has, such as of the year 44 BC, as it is. */
export function dateText(text: string, shown: Format, ways: Ways): string {
  const known = endless[text];
  if (known !== undefined) return ways.say(known);
  const date = parseTime(text);
  if (date === undefined) return text;
  const dateStyle = shown?.type === "date" ? (shown.style ?? "medium") : "medium";
  return format(utcOf(date), ways.locale, { dateStyle, timeZone: "UTC" });
}

/** Shows a timestamp: an instant in the person's zone, a time without a zone on its own clock. */
export function timestampText(text: string, shown: Format, ways: Ways): string {
  const known = endless[text];
  if (known !== undefined) return ways.say(known);
  const time = parseTime(text);
  if (time === undefined) return text;
  const timeZone = time.offsetS === null ? "UTC" : ways.timeZone;
  const utcMs = utcOf(time) - (time.offsetS ?? 0) * 1000;
  if (shown?.type === "date") {
    return format(utcMs, ways.locale, { dateStyle: shown.style ?? "medium", timeZone });
  }
  const seconds = "seconds" in (shown ?? {}) && (shown as { seconds?: boolean }).seconds === true;
  const timeStyle = seconds ? "medium" : "short";
  if (shown?.type === "time") return format(utcMs, ways.locale, { timeStyle, timeZone });
  const dateStyle = shown?.type === "datetime" ? (shown.style ?? "medium") : "medium";
  return format(utcMs, ways.locale, { dateStyle, timeStyle, timeZone });
}

const clockForm = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?([+-]\d\d(?::\d\d){0,2}|Z)?$/;

/** Shows a time of day; seconds if it has any. */
export function clockText(text: string, shown: Format, ways: Ways): string {
  const [, hour, minute, second = "0", , zone = ""] = clockForm.exec(text) ?? [];
  const clock = {
    ...{ year: 1970, month: 1, day: 1, microsecond: 0 },
    ...{ hour: Number(hour), minute: Number(minute), second: Number(second) },
  };
  if (hour === undefined || !isPossible(clock)) return text;
  const wanted = shown?.type === "time" ? shown.seconds : undefined;
  const timeStyle = (wanted ?? Number(second) > 0) ? "medium" : "short";
  return `${format(utcOf(clock), ways.locale, { timeStyle, timeZone: "UTC" })}${zone}`;
}

const intervalForm =
  /^(?:(-?\d+) years? ?)?(?:(-?\d+) mons? ?)?(?:(-?\d+) days? ?)?(?:([+-]?)(\d+):(\d\d):(\d\d(?:\.\d+)?))?$/;

/** Shows an interval with the units of the person's language. */
export function intervalText(text: string, ways: Ways): string {
  const match = intervalForm.exec(text);
  if (match === null || text === "") return text;
  const [, years, months, days, sign = "", hours, minutes, seconds] = match;
  const signed = (digits: string | undefined) =>
    digits === undefined ? undefined : `${sign === "-" ? "-" : ""}${digits}`;
  const parts: readonly (readonly [string | undefined, string])[] = [
    [years, "year"],
    [months, "month"],
    [days, "day"],
    [signed(hours), "hour"],
    [signed(minutes), "minute"],
    [signed(seconds), "second"],
  ];
  const shown = parts
    .filter(([digits]) => digits !== undefined && Number(digits) !== 0)
    .map(([digits = "", unit]) => unitText(digits, unit, ways.locale));
  return shown.length === 0 ? unitText("0", "second", ways.locale) : shown.join(" ");
}
