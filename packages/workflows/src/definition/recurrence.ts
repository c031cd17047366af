import { Cron } from "croner";

/** The moments of a schedule, in milliseconds since 1970. */
export interface Recurrence {
  /** The first one after a moment; null where there is none. */
  after(moment: number): number | null;
  /** The last one that is not after a moment; null where there is none. */
  upTo(moment: number): number | null;
}

/** A cron expression cannot be read; the message is for its author. */
export class CronSyntaxError extends Error {
  override readonly name = "CronSyntaxError";
}

/**
 * Reads a cron expression of five fields.
 *
 * Where the clocks change, an expression without a star or a step in minutes and hours keeps its count: a time that the
 * clocks leave out comes when they have moved, and one that they repeat comes once. Any other is meant as an interval: it
 * goes on through a repeated hour, and has no moment in one that is left out.
 *
 * @param timeZone as `isTimeZone` takes it
 * @throws CronSyntaxError
 */
export function createRecurrence(cron: string, timeZone: string): Recurrence {
  const pattern = parse(cron, timeZone);
  return {
    after: (moment) => pattern.nextRun(new Date(moment))?.getTime() ?? null,
    // Croner looks at what lies before a moment, and reads it in whole seconds.
    upTo: (moment) => pattern.previousRuns(1, new Date(moment + 1))[0]?.getTime() ?? null,
  };
}

function parse(cron: string, timezone: string): Cron {
  try {
    return new Cron(cron, { timezone, mode: "5-part", fixedTimeRule: "no-wildcard" });
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, "") : "";
    throw new CronSyntaxError(`This is not a cron expression: ${reason}`, { cause: error });
  }
}
