import type { ScheduleTrigger } from "../definition/definition.ts";
import type { Recurrence } from "../definition/recurrence.ts";

/** The decision about a schedule that is due. Moments are milliseconds since 1970. */
export interface Firing {
  /** The occurrence that gets a run; null if it was missed. */
  readonly scheduledAt: number | null;
  /** When the schedule is due next; null if never. */
  readonly nextAt: number | null;
}

/** An occurrence that is at most this late does not count as missed: workers cannot always be more punctual. */
const punctualMs = 60_000;
/** How far back `ALL` catches up. */
const catchUpMs = 86_400_000;

/**
 * Decides about the occurrences from `dueAt` to `now`, of which there is at least one. `LATEST` starts one run, for
 * the last one; `ALL` starts a run for each of the last 24 hours, one per call; `NONE` starts a run for the last one,
 * unless it was missed.
 */
export function planFiring(
  recurrence: Recurrence,
  catchUp: ScheduleTrigger["catchUp"],
  dueAt: number,
  now: number,
): Firing {
  switch (catchUp) {
    case "ALL": {
      const horizon = now - catchUpMs;
      const first = dueAt >= horizon ? dueAt : recurrence.after(horizon);
      if (first === null || first > now) return { scheduledAt: null, nextAt: first };
      return { scheduledAt: first, nextAt: recurrence.after(first) };
    }
    case "LATEST":
    case "NONE": {
      const latest = Math.max(dueAt, recurrence.upTo(now) ?? dueAt);
      const isMissed = catchUp === "NONE" && now - latest > punctualMs;
      return { scheduledAt: isMissed ? null : latest, nextAt: recurrence.after(now) };
    }
    default:
      return catchUp satisfies never;
  }
}
