import { timeText } from "../../shell/time/time-text.ts";
import { parseTime, utcOf, wallAt, writeOffset, writeWall } from "../../shell/time/zone.ts";
import type { TimeUnit } from "./open-panel.ts";

/** How buckets are written: the language, the zone in which they were cut, and the words that they need. */
export interface BucketWays {
  readonly locale: string;
  readonly timeZone: string;
  readonly quarter: (quarter: number, year: string) => string;
  readonly week: (start: string) => string;
}

interface Bucket {
  /** The wall clock at the start of the bucket, as if it were UTC. */
  readonly wallMs: number;
  /** The offset of the zone, near a change of its clocks. */
  readonly offset: string;
  /** The offset in seconds; null for a bucket of local times. */
  readonly offsetS: number | null;
}

function format(wallMs: number, locale: string, options: Intl.DateTimeFormatOptions): string {
  return timeText(wallMs, locale, { ...options, timeZone: "UTC" });
}

const hourMs = 3_600_000;

function readBucket(value: unknown, timeZone: string): Bucket | undefined {
  const time = typeof value === "string" ? parseTime(value) : undefined;
  if (time === undefined) return undefined;
  if (time.offsetS === null) return { wallMs: utcOf(time), offset: "", offsetS: null };
  const utcMs = utcOf(time) - time.offsetS * 1000;
  const offsetAt = (ms: number) => (utcOf(wallAt(ms, 0, timeZone)) - ms) / 1000;
  const offsetS = offsetAt(utcMs);
  // The same hour comes twice when clocks are set back.
  const isNearChange = offsetAt(utcMs - 3 * hourMs) !== offsetAt(utcMs + 3 * hourMs);
  return {
    wallMs: utcMs + offsetS * 1000,
    offset: isNearChange ? ` (${writeOffset(offsetS)})` : "",
    offsetS,
  };
}

/** Names a bucket of time in the zone in which it was cut; undefined for a value that is no time. */
export function bucketText(value: unknown, unit: TimeUnit, ways: BucketWays): string | undefined {
  const bucket = readBucket(value, ways.timeZone);
  if (bucket === undefined) return undefined;
  const { wallMs } = bucket;
  const show = (options: Intl.DateTimeFormatOptions) => format(wallMs, ways.locale, options);
  switch (unit) {
    case "year":
      return show({ year: "numeric" });
    case "quarter":
      return ways.quarter(
        Math.floor(new Date(wallMs).getUTCMonth() / 3) + 1,
        show({ year: "numeric" }),
      );
    case "month":
      return show({ month: "long", year: "numeric" });
    case "week":
      return ways.week(show({ dateStyle: "medium" }));
    case "day":
      return show({ dateStyle: "medium" });
    default:
      return `${show({ dateStyle: "medium", timeStyle: "short" })}${bucket.offset}`;
  }
}

/** Names a bucket in the small space below an axis. */
export function shortBucketText(
  value: unknown,
  unit: TimeUnit,
  ways: BucketWays,
): string | undefined {
  const bucket = readBucket(value, ways.timeZone);
  if (bucket === undefined) return undefined;
  const show = (options: Intl.DateTimeFormatOptions) => format(bucket.wallMs, ways.locale, options);
  if (unit === "month") return show({ month: "short", year: "numeric" });
  if (unit === "week" || unit === "day") return show({ month: "short", day: "numeric" });
  if (unit === "hour" || unit === "minute") {
    return show({ month: "numeric", day: "numeric", hour: "numeric", minute: "2-digit" });
  }
  return bucketText(value, unit, ways);
}

/** Writes a bucket for a file: a date, or a time with its offset, in the zone in which it was cut. */
export function exactBucket(value: unknown, unit: TimeUnit, timeZone: string): string | null {
  const bucket = readBucket(value, timeZone);
  if (bucket === undefined) return value === null || value === undefined ? null : String(value);
  const wall = wallAt(bucket.wallMs, 0, "UTC");
  const text = writeWall(wall, "T");
  if (unit !== "hour" && unit !== "minute") return text.slice(0, "2026-01-31".length);
  return bucket.offsetS === null ? text : `${text}${writeOffset(bucket.offsetS)}`;
}
