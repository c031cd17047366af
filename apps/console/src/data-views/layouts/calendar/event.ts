import { cellOf, type GridColumn } from "../../../records/grid/grid-column.ts";
import type { Row } from "../../../records/model/resource.ts";
import type { GridRow } from "../../../records/rows/row-store.ts";
import { valueKindOf } from "../../../records/values/value-kind.ts";
import {
  type Day,
  midnightOf,
  type ParsedTime,
  parseTime,
  utcOf,
  type WallTime,
  wallAt,
  writeFull,
  writeInstantOfWall,
  writeWall,
} from "../../../shell/time/zone.ts";
import { addDays } from "./days.ts";

/** The fields of a calendar's rows. */
export interface EventFields {
  readonly start: GridColumn;
  readonly end: GridColumn | undefined;
}

/** A row on the days that it covers. */
export interface CalendarEvent {
  readonly row: GridRow;
  readonly first: Day;
  readonly last: Day;
  /** The time at which it starts: `09:30`; null for whole days. */
  readonly clock: string | null;
  /** Minutes of the wall clock since 1970 at which it starts; null for whole days. */
  readonly begin: number | null;
  /** Those at which it ends; null without an end. */
  readonly end: number | null;
}

/** Returns the row as an event; undefined for a row without a start that a calendar has. */
export function eventOf(
  row: GridRow,
  { start, end }: EventFields,
  timeZone: string,
): CalendarEvent | undefined {
  const from = wallOf(start, row.values, timeZone);
  if (from === undefined) return undefined;
  const to = end === undefined ? undefined : wallOf(end, row.values, timeZone);
  const isWhole = valueKindOf(start.column) === "DATE";
  const first = dayIn(from);
  // An event that ends at midnight ends with the day before.
  const isMidnight = to !== undefined && !isWhole && to.hour + to.minute + to.second === 0;
  const until = to === undefined ? first : isMidnight ? addDays(dayIn(to), -1) : dayIn(to);
  return {
    row,
    first,
    last: [first, until].sort().at(-1) ?? first,
    clock: isWhole ? null : writeWall(from, "T").slice(11, 16),
    begin: isWhole ? null : minuteOf(from),
    end: isWhole || to === undefined ? null : minuteOf(to),
  };
}

function minuteOf(wall: WallTime): number {
  return Math.floor(utcOf(wall) / 60_000);
}

/** Returns the values of a new row that begins on a day, or at an hour of it: `2026-05-01T09`. */
export function valuesAt({ start, end }: EventFields, slot: string, timeZone: string): Row {
  const [day = "", hour = "09"] = slot.split("T");
  const begin = { ...midnightOf(day), hour: Number(hour) };
  return {
    [start.name]: valueAt(start, begin, timeZone),
    ...(end === undefined ? {} : { [end.name]: valueAt(end, hourLater(begin), timeZone) }),
  };
}

function hourLater(wall: WallTime): WallTime {
  return wallAt(utcOf(wall) + 3_600_000, 0, "UTC");
}

function valueAt({ column }: GridColumn, wall: WallTime, timeZone: string): string {
  const kind = valueKindOf(column);
  if (kind === "DATE") return dayIn(wall);
  return kind === "INSTANT" ? writeInstantOfWall(wall, timeZone) : writeFull(wall);
}

/** Returns the wall clock of a value: of an instant in the person's zone, of any other as it is. */
function wallOf(item: GridColumn, values: Row, timeZone: string): WallTime | undefined {
  const time = timeOf(item, values);
  return time === undefined ? undefined : inZone(time, timeZone);
}

function timeOf(item: GridColumn, values: Row): ParsedTime | undefined {
  const value = cellOf(item, values);
  return typeof value === "string" ? parseTime(value) : undefined;
}

function inZone(time: ParsedTime, timeZone: string): WallTime {
  if (time.offsetS === null) return time;
  return wallAt(utcOf(time) - time.offsetS * 1000, time.microsecond, timeZone);
}

function dayIn(wall: WallTime): Day {
  return writeWall(wall, "T").slice(0, 10);
}

/**
 * Returns the values with which a row is some days later or earlier. Its times of day stay those of the wall clock, also
 * where the clocks are changed in between; a time that is skipped there is moved by what is skipped.
 */
export function shifted(
  row: GridRow,
  { start, end }: EventFields,
  days: number,
  timeZone: string,
): Row {
  const items = end === undefined ? [start] : [start, end];
  return Object.fromEntries(
    items.flatMap((item): readonly (readonly [string, string])[] => {
      const time = timeOf(item, row.values);
      return time === undefined ? [] : [[item.name, shiftedText(item, time, days, timeZone)]];
    }),
  );
}

function shiftedText(item: GridColumn, time: ParsedTime, days: number, timeZone: string): string {
  const wall = inZone(time, timeZone);
  const day = addDays(dayIn(wall), days);
  if (valueKindOf(item.column) === "DATE") return day;
  const moved = { ...wall, ...dateOf(day) };
  return time.offsetS === null ? writeFull(moved) : writeInstantOfWall(moved, timeZone);
}

function dateOf(day: Day): Pick<WallTime, "year" | "month" | "day"> {
  const { year, month, day: dayOfMonth } = midnightOf(day);
  return { year, month, day: dayOfMonth };
}

/** The instant at which a day begins in a zone, or the day itself for times without one. */
export function beginOf(day: Day, item: GridColumn, timeZone: string): string {
  if (valueKindOf(item.column) !== "INSTANT") return day;
  return writeInstantOfWall(midnightOf(day), timeZone);
}

/** Sorts events of a day: those of whole days first, then by their time. */
export function compareEvents(one: CalendarEvent, other: CalendarEvent): number {
  return keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : 0;
}

function keyOf({ first, clock }: CalendarEvent): string {
  return clock === null ? `0${first}` : `1${clock}${first}`;
}
