import { Cron } from "croner";

/** The occurrences of a schedule, in milliseconds since 1970. */
export interface Recurrence {
  /** Returns the first occurrence after a moment; null if there is none. */
  after(moment: number): number | null;
  /** Returns the last occurrence at or before a moment; null if there is none. */
  upTo(moment: number): number | null;
}

/** A cron expression that cannot be parsed. The message is for its author. */
export class CronSyntaxError extends Error {
  override readonly name = "CronSyntaxError";
}

/**
 * Parses a cron expression of five fields.
 *
 * At clock changes, an expression without `*` or a step in minutes and hours keeps its number of occurrences: a
 * skipped time occurs after the change, in a minute without another occurrence; a repeated time occurs once. Any other expression is an interval: it continues
 * through a repeated hour and has no occurrence in a skipped one.
 *
 * @param timeZone a name that `isTimeZone` accepts
 * @throws CronSyntaxError
 */
export function createRecurrence(cron: string, timeZone: string): Recurrence {
  const pattern = parse(cron, timeZone);
  const skipped = createSkippedTimes(cron, timeZone);
  return {
    after: (moment) => {
      const next = pattern.nextRun(new Date(moment))?.getTime() ?? null;
      const further = skipped?.near(moment).find((one) => one > moment);
      return further === undefined || (next !== null && next < further) ? next : further;
    },
    upTo: (moment) => {
      // Croner searches before the given moment, in whole seconds.
      const last = pattern.previousRuns(1, new Date(moment + 1))[0]?.getTime() ?? null;
      const further = skipped?.near(moment).findLast((one) => one <= moment);
      return further === undefined || (last !== null && last > further) ? last : further;
    },
  };
}

function parse(cron: string, timezone: string): Cron {
  try {
    return new Cron(cron, { timezone, mode: "5-part", fixedTimeRule: "no-wildcard" });
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, "") : "";
    throw new CronSyntaxError(`cron must be a valid cron expression: ${reason}`, { cause: error });
  }
}

/** The runs of times that the clocks skip. */
export interface SkippedTimes {
  /**
   * Returns the further moments of the last clock change at or before a moment, in ascending order. The first skipped
   * time runs as soon as the clocks have moved; each further one, and each one that meets an ordinary time, runs in a
   * minute of its own, because each moment has one run.
   */
  near(moment: number): readonly number[];
}

const minuteMs = 60_000;
/** No moment of a skipped time is later after its clock change: no change skips more than a day. */
const spanMs = 2 * 1440 * minuteMs;

/**
 * @param cron a valid expression of five fields
 * @returns undefined if the expression is an interval, which has no occurrence in skipped times
 */
function createSkippedTimes(cron: string, timeZone: string): SkippedTimes | undefined {
  const [minutes = "", hours = ""] = cron.trim().split(/\s+/);
  if (/[*?/]/.test(minutes + hours)) return undefined;
  // Clock times, as if they were times in UTC.
  const clock = new Cron(cron, { timezone: "UTC", mode: "5-part" });
  const isOrdinary = (time: number) => clock.nextRun(new Date(time - 1))?.getTime() === time;
  const offsetAt = createOffsetAt(timeZone);
  let last = { change: Number.NaN, moments: [] as readonly number[] };

  const momentsOf = (change: number): readonly number[] => {
    if (last.change === change) return last.moments;
    const until = change + offsetAt(change);
    const moments: number[] = [];
    let skipped = clock.nextRun(new Date(change + offsetAt(change - 1) - 1));
    // The moment of the change itself belongs to an ordinary time or to the first skipped one.
    let minute = isOrdinary(until) ? 1 : 0;
    while (skipped !== null && skipped.getTime() < until) {
      while (minute > 0 && isOrdinary(until + minute * minuteMs)) minute += 1;
      if (minute > 0) moments.push(change + minute * minuteMs);
      minute += 1;
      skipped = clock.nextRun(skipped);
    }
    last = { change, moments };
    return moments;
  };

  return {
    near: (moment) => {
      const change = lastSkip(offsetAt, moment);
      return change === undefined ? [] : momentsOf(change);
    },
  };
}

/** Returns the moment at which the clocks last moved forward, if that is near. */
function lastSkip(offsetAt: (moment: number) => number, moment: number): number | undefined {
  let before = moment - spanMs;
  let after = moment;
  if (offsetAt(after) <= offsetAt(before)) return undefined;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle) < offsetAt(moment)) before = middle;
    else after = middle;
  }
  return after;
}

/** Returns a function that returns how far the clocks of a zone are ahead of UTC, in milliseconds. */
function createOffsetAt(timeZone: string): (moment: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone, hourCycle: "h23", era: "short" },
    ...{ year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: "numeric", minute: "numeric", second: "numeric" },
  });
  return (moment) => {
    const whole = Math.floor(moment / 1000) * 1000;
    const parts = Object.fromEntries(
      format.formatToParts(whole).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
  };
}
