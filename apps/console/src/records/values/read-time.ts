import { timeParts } from "../../shell/time/time-text.ts";
import {
  isPossible,
  offsetOfWall,
  parseTime,
  type WallTime,
  writeFull,
  writeOffset,
  writeWall,
} from "../../shell/time/zone.ts";
import type { Reading, Ways } from "./ways.ts";

const endless = /^-?infinity$/;
/** The years that no calendar of the browser has, in PostgreSQL's form. */
const remote = /^(?:\d{5,7}-\d\d-\d\d.*|\d{4,}-\d\d-\d\d.* BC)$/;

/** Reads a date: ISO 8601, day.month.year, or the order of the person's language with slashes. */
export function readDate(text: string, ways: Ways): Reading {
  if (endless.test(text) || remote.test(text)) return { value: text };
  const wall = wallIn(text, ways.locale);
  if (wall === undefined) return { fault: ways.say("fault.date") };
  return { value: writeWall(wall, "T").slice(0, 10) };
}

/** Reads a time without a zone. */
export function readTimestamp(text: string, ways: Ways): Reading {
  if (endless.test(text) || remote.test(text)) return { value: text };
  if (parseTime(text)?.offsetS === null && text.includes("T")) return { value: text };
  const wall = wallIn(text, ways.locale);
  if (wall === undefined) return { fault: ways.say("fault.timestamp") };
  return { value: writeFull(wall) };
}

/** Reads an instant; a text without an offset is a time in the person's zone. */
export function readInstant(text: string, ways: Ways): Reading {
  if (endless.test(text) || remote.test(text)) return { value: text };
  const parsed = parseTime(text);
  if (typeof parsed?.offsetS === "number") return { value: text.replace(/^(\S+) (?=\d)/, "$1T") };
  const wall = wallIn(text, ways.locale);
  if (wall === undefined) return { fault: ways.say("fault.timestamp") };
  const offset = offsetOfWall(wall, ways.timeZone);
  if (offset === undefined) return { fault: ways.say("fault.skipped", { zone: ways.timeZone }) };
  return { value: `${writeFull(wall)}${writeOffset(offset)}` };
}

const clockForm =
  /^(\d{1,2})[:.](\d\d)(?:[:.](\d\d)([.,]\d{1,6})?)?\s*([ap]\.?m\.?)?([+-]\d\d.*)?$/i;

/** Reads a time of day, with 24 hours or with am and pm. */
export function readClock(text: string, ways: Ways): Reading {
  if (/^\d\d:\d\d:\d\d(?:\.\d+)?(?:[+-]\d\d(?::\d\d){0,2})?$/.test(text)) return { value: text };
  const clock = clockIn(text);
  return clock === undefined ? { fault: ways.say("fault.time") } : { value: clock };
}

function clockIn(text: string): string | undefined {
  const match = clockForm.exec(text);
  if (match === null) return undefined;
  const [, hours = "", minutes = "", seconds = "00", fraction = "", half, zone = ""] = match;
  const hour = half === undefined ? Number(hours) : twelve(Number(hours), /p/i.test(half));
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  return `${String(hour).padStart(2, "0")}:${minutes}:${seconds}${fraction.replace(",", ".")}${zone}`;
}

function twelve(hour: number, isAfternoon: boolean): number {
  if (hour < 1 || hour > 12) return 99;
  return (hour % 12) + (isAfternoon ? 12 : 0);
}

const dayForm = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:(?:,?\s+|T)(\S.*))?$/;

/** Returns the date and time that a person wrote in the order of their language. */
function wallIn(text: string, locale: string): WallTime | undefined {
  const match = dayForm.exec(text.replace(/[\u202f\u00a0]/g, " ").trim()) ?? null;
  if (match === null) return namedMonth(text, locale);
  const [, first = "", separator = "", second = "", third = "", rest] = match;
  const numbers = [first, second, third];
  const order = first.length === 4 ? "ymd" : separator === "." ? "dmy" : dayOrder(locale);
  const at = (part: string) => numbers[order.indexOf(part)] ?? "";
  if (at("y").length !== 4) return undefined;
  return wallOf(Number(at("y")), Number(at("m")), Number(at("d")), rest);
}

function wallOf(
  year: number,
  month: number,
  day: number,
  clockText: string | undefined,
): WallTime | undefined {
  const clock = clockText === undefined ? "00:00:00" : clockIn(clockText);
  if (clock === undefined) return undefined;
  const [hour = 0, minute = 0, seconds = 0] = clock.split(":").map(Number);
  const fraction = clock.split(".")[1] ?? "";
  const wall = { year, month, day, hour, minute, second: Math.floor(seconds) };
  const whole = { ...wall, microsecond: Number(fraction.padEnd(6, "0")) };
  return isPossible(whole) ? whole : undefined;
}

/** The order of day, month and year in a language, such as `mdy`. */
function dayOrder(locale: string): string {
  return timeParts(0, locale, { timeZone: "UTC" })
    .map(({ type }) => (type === "year" ? "y" : type === "month" ? "m" : type === "day" ? "d" : ""))
    .join("");
}

/** Reads `Feb 3, 2025, 9:14 AM` and `3. Februar 2025`: what the pages show. */
function namedMonth(text: string, locale: string): WallTime | undefined {
  const match =
    /^(?<month>\p{L}+)\.? (?<day>\d{1,2}),? (?<year>\d{4})(?:,? (?<rest>.+))?$/u.exec(text) ??
    /^(?<day>\d{1,2})\.? (?<month>\p{L}+)\.?,? (?<year>\d{4})(?:,? (?<rest>.+))?$/u.exec(text);
  const { month = "", day, year, rest } = match?.groups ?? {};
  const typed = month.toLowerCase();
  const number = monthNames(locale).findIndex(
    ([short, long]) => typed === short || (typed.length >= 3 && long?.startsWith(typed)),
  );
  return number < 0 ? undefined : wallOf(Number(year), number + 1, Number(day), rest);
}

function monthNames(locale: string): string[][] {
  return Array.from({ length: 12 }, (_, index) =>
    (["short", "long"] as const).map((month) =>
      timeParts(Date.UTC(2025, index, 1), locale, { month, day: "numeric", timeZone: "UTC" })
        .filter(({ type }) => type === "month")
        .map(({ value }) => value.toLowerCase().replace(/\.$/, ""))
        .join(""),
    ),
  );
}
