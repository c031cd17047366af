import { timeParts } from "./time-text.ts";

/** A date and a time of day on a wall clock; microseconds are those of the second. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;
}

/** A parsed timestamp; the offset is null for a time without a zone. */
export interface ParsedTime extends WallTime {
  readonly offsetS: number | null;
}

const form =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,6}))?)?)?\s?(Z|[+-]\d\d(?::?\d\d(?::?\d\d)?)?)?$/i;

/** Parses an ISO 8601 date or timestamp of the years 1 to 9999; undefined for anything else. */
export function parseTime(text: string): ParsedTime | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone] = match;
  const parsed = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    microsecond: Number(fraction.padEnd(6, "0")),
    offsetS: zone === undefined ? null : offsetOf(zone),
  };
  return isPossible(parsed) ? parsed : undefined;
}

function offsetOf(zone: string): number {
  if (/^z$/i.test(zone)) return 0;
  const [hours = 0, minutes = 0, seconds = 0] = (zone.slice(1).match(/\d\d/g) ?? []).map(Number);
  return (zone.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
}

/** Whether a calendar and a clock have this date and time. */
export function isPossible({ year, month, day, hour, minute, second }: WallTime): boolean {
  if (year < 1 || month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return false;
  return day >= 1 && day <= new Date(new Date(0).setUTCFullYear(year, month, 0)).getUTCDate();
}

/** Returns the milliseconds since 1970 of a wall clock in UTC. */
export function utcOf(wall: WallTime): number {
  const { year, month, day, hour, minute, second, microsecond } = wall;
  const date = new Date(0);
  // `Date.UTC` reads the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, Math.floor(microsecond / 1000));
  return date.getTime();
}

/** Returns the seconds by which a zone is ahead of UTC at an instant. */
function offsetAt(utcMs: number, timeZone: string): number {
  const parts = timeParts(utcMs, "en-US", { timeZone, timeZoneName: "longOffset" });
  const name = parts.find(({ type }) => type === "timeZoneName")?.value;
  const offset = name?.replace(/^GMT/, "").replace("−", "-") ?? "";
  return offset === "" ? 0 : offsetOf(offset);
}

/** Returns the wall clock of a zone at an instant. */
export function wallAt(utcMs: number, microsecond: number, timeZone: string): WallTime {
  const date = new Date(utcMs + offsetAt(utcMs, timeZone) * 1000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    microsecond,
  };
}

const dayMs = 86_400_000;

/**
 * Returns the offset in seconds with which a zone shows this wall clock, the first of two where clocks are set back;
 * undefined where they skip it.
 */
export function offsetOfWall(wall: WallTime, timeZone: string): number | undefined {
  const utc = utcOf(wall);
  const offsets = [offsetAt(utc - dayMs, timeZone), offsetAt(utc + dayMs, timeZone)];
  return offsets
    .sort((one, other) => other - one)
    .find((offset) => offsetAt(utc - offset * 1000, timeZone) === offset);
}

/**
 * Returns the milliseconds since 1970 at which a zone shows this wall clock, the first of two where clocks are set back. A
 * time that clocks skip is moved by what they skip.
 */
export function instantOfWall(wall: WallTime, timeZone: string): number {
  const utc = utcOf(wall);
  const offset = offsetOfWall(wall, timeZone) ?? offsetAt(utc - dayMs, timeZone);
  return utc - offset * 1000;
}

/** Writes the instant of a wall clock with the offset of its zone; a time that clocks skip is moved by what they skip. */
export function writeInstantOfWall(wall: WallTime, timeZone: string): string {
  const utcMs = instantOfWall(wall, timeZone);
  const offset = offsetAt(utcMs, timeZone);
  return `${writeFull(wallAt(utcMs, wall.microsecond, timeZone))}${writeOffset(offset)}`;
}

/** A day of the calendar without a time and a zone: `2026-05-01`. */
export type Day = string;

/** Returns the midnight of a day. */
export function midnightOf(day: Day): WallTime {
  const [year = 0, month = 1, dayOfMonth = 1] = day.split("-").map(Number);
  return { year, month, day: dayOfMonth, hour: 0, minute: 0, second: 0, microsecond: 0 };
}

/** Returns the day that a zone has at an instant. */
export function dayAt(utcMs: number, timeZone: string): Day {
  return writeWall(wallAt(utcMs, 0, timeZone), " ").slice(0, 10);
}

/** Returns the milliseconds since 1970 at which a day begins in a zone. */
export function dayStart(day: Day, timeZone: string): number {
  return instantOfWall(midnightOf(day), timeZone);
}

/** Writes a wall clock with its seconds, as the Data API does: `2025-02-03T09:14:00`. */
export function writeFull(wall: WallTime): string {
  const text = writeWall(wall, "T");
  return text.length === 16 ? `${text}:00` : text;
}

/** Writes a wall clock: `2025-02-03 09:14`, with seconds and their fraction if they have any. */
export function writeWall(wall: WallTime, separator: string): string {
  const date = [pad(wall.year, 4), pad(wall.month), pad(wall.day)].join("-");
  const { second, microsecond } = wall;
  const fraction = microsecond === 0 ? "" : `.${pad(microsecond, 6).replace(/0+$/, "")}`;
  const seconds = second === 0 && fraction === "" ? "" : `:${pad(second)}${fraction}`;
  return `${date}${separator}${pad(wall.hour)}:${pad(wall.minute)}${seconds}`;
}

/** Writes an offset as `+01:00`. */
export function writeOffset(offsetS: number): string {
  const whole = Math.abs(offsetS);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  if (whole % 60 !== 0) parts.push(whole % 60);
  return `${offsetS < 0 ? "-" : "+"}${parts.map((part) => pad(part)).join(":")}`;
}

function pad(number: number, length = 2): string {
  return String(number).padStart(length, "0");
}

/** Writes an instant as `datetime-local` shows it, to the minute; empty without one. */
export function typedLocal(instant: string | undefined, timeZone: string): string {
  const at = Date.parse(instant ?? "");
  return Number.isNaN(at) ? "" : writeWall(wallAt(at, 0, timeZone), "T").slice(0, 16);
}

/** Reads the instant of a `datetime-local`; undefined for an empty one. */
export function readLocal(text: string, timeZone: string): string | undefined {
  const wall = parseTime(text);
  return wall === undefined ? undefined : new Date(instantOfWall(wall, timeZone)).toISOString();
}
