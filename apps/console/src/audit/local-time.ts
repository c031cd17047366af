import { offsetOfWall, parseTime, utcOf, wallAt, writeWall } from "../records/values/zone.ts";

/** The day of an instant in a zone: `2026-01-31`. */
export function dayOf(at: number, zone: string): string {
  return writeWall(wallAt(at, 0, zone), " ").slice(0, 10);
}

/** The instant at which the day of another begins in a zone, in milliseconds. */
export function dayStartOf(at: number, zone: string): number {
  const wall = { ...wallAt(at, 0, zone), hour: 0, minute: 0, second: 0, microsecond: 0 };
  return utcOf(wall) - (offsetOfWall(wall, zone) ?? 0) * 1000;
}

/** An instant as `datetime-local` shows it, to the minute; empty without one. */
export function typedLocal(instant: string | undefined, zone: string): string {
  const at = Date.parse(instant ?? "");
  return Number.isNaN(at) ? "" : writeWall(wallAt(at, 0, zone), "T").slice(0, 16);
}

/** The instant of a `datetime-local`; undefined for an empty one. */
export function readLocal(text: string, zone: string): string | undefined {
  const wall = parseTime(text);
  if (wall === undefined) return undefined;
  return new Date(utcOf(wall) - (offsetOfWall(wall, zone) ?? 0) * 1000).toISOString();
}
