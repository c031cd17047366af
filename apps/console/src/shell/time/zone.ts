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

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Returns the seconds by which a zone is ahead of UTC at an instant. */
function offsetAt(utcMs: number, timeZone: string): number {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  clocks.set(timeZone, clock);
  const name = clock.formatToParts(utcMs).find(({ type }) => type === "timeZoneName")?.value;
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
