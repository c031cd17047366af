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
 * skipped time occurs after the change, a repeated time occurs once. Any other expression is an interval: it continues
 * through a repeated hour and has no occurrence in a skipped one.
 *
 * @param timeZone a name that `isTimeZone` accepts
 * @throws CronSyntaxError
 */
export function createRecurrence(cron: string, timeZone: string): Recurrence {
  const pattern = parse(cron, timeZone);
  return {
    after: (moment) => pattern.nextRun(new Date(moment))?.getTime() ?? null,
    // Croner searches before the given moment, in whole seconds.
    upTo: (moment) => pattern.previousRuns(1, new Date(moment + 1))[0]?.getTime() ?? null,
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
