import { createError } from "@rowhouse/errors";
import { isTimeZone } from "@rowhouse/settings";
import { CronSyntaxError, createRecurrence, type Recurrence } from "../compile/recurrence.ts";

/** A schedule as an author writes it. */
export interface PreviewedSchedule {
  readonly cron: string;
  /** The name of an IANA time zone. */
  readonly timeZone: string;
  /** Maximum number of moments. */
  readonly count: number;
}

/**
 * Returns the next moments of a schedule after `now`, as ISO 8601 in UTC: fewer than `count` if it has no more.
 *
 * @param now in milliseconds since 1970
 * @throws AppError BODY_INVALID at /data/cron or /data/timeZone
 */
export function previewSchedule(schedule: PreviewedSchedule, now: number): string[] {
  const recurrence = parse(schedule);
  const moments: string[] = [];
  let next = recurrence.after(now);
  while (next !== null && moments.length < schedule.count) {
    moments.push(new Date(next).toISOString());
    next = recurrence.after(next);
  }
  return moments;
}

function parse({ cron, timeZone }: PreviewedSchedule): Recurrence {
  if (!isTimeZone(timeZone)) {
    throw createError("BODY_INVALID", {
      path: "/data/timeZone",
      message: "timeZone must be the name of an IANA time zone",
    });
  }
  try {
    return createRecurrence(cron, timeZone);
  } catch (error) {
    if (!(error instanceof CronSyntaxError)) throw error;
    throw createError("BODY_INVALID", { path: "/data/cron", message: error.message });
  }
}
