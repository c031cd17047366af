import { Cron } from "croner";
import { createSkippedTimes } from "./skipped-times.ts";

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
