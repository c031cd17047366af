import type { ScheduleTrigger } from "../definition/definition.ts";
import type { Recurrence } from "../definition/recurrence.ts";

/** What is to be done about a schedule that is due; moments are milliseconds since 1970. */
export interface Firing {
  /** The occurrence that gets a run; null where it is too late for one. */
  readonly scheduledAt: number | null;
  /** When the schedule is due again; null where it never is. */
  readonly nextAt: number | null;
}

/** So late an occurrence may be and still not count as missed: no worker is more punctual under all circumstances. */
const punctualMs = 60_000;
/** How far back `ALL` goes. */
const catchUpMs = 86_400_000;

/**
 * Decides about the occurrences from `dueAt` until `now`, of which there is one at least. `LATEST` makes one run of them, for
 * the last; `ALL` one for each of the last 24 hours, one decision after the other; `NONE` one for the last, unless that was
 * missed too.
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
