import type { Day } from "../../../shell/time/zone.ts";
import { addDays } from "./days.ts";
import type { CalendarEvent } from "./event.ts";

export const minutesOfDay = 1440;
/** Minutes that an event without an end takes. */
const usualMinutes = 60;
/** Minutes as high as the smallest event, whose title is then readable. */
const leastMinutes = 30;

/** An event on one day of a week with hours; the lanes are those of the events that overlap. */
export interface PlacedEvent {
  readonly event: CalendarEvent;
  /** Minutes since midnight of the wall clock. */
  readonly from: number;
  readonly to: number;
  readonly lane: number;
  readonly lanes: number;
}

/** Whether an event stands above the hours: it has no time of day, or takes a day or longer. */
export function isAllDay({ begin, end }: CalendarEvent): boolean {
  return begin === null || (end !== null && end - begin >= minutesOfDay);
}

/** Places the events of a day beside each other where they overlap. */
export function placeEvents(day: Day, events: readonly CalendarEvent[]): readonly PlacedEvent[] {
  const midnight = Date.parse(`${day}T00:00:00Z`) / 60_000;
  const spans = events
    .flatMap((event) => {
      if (event.begin === null || isAllDay(event)) return [];
      const end = event.end === null || event.end <= event.begin ? null : event.end;
      const from = Math.max(0, event.begin - midnight);
      const to = Math.min(minutesOfDay, (end ?? event.begin + usualMinutes) - midnight);
      const begun = Math.min(from, minutesOfDay - leastMinutes);
      return from >= minutesOfDay || to < 0
        ? []
        : [{ event, from: begun, to: Math.max(to, begun + leastMinutes) }];
    })
    .sort((one, other) => one.from - other.from || other.to - one.to);
  const placed: PlacedEvent[] = [];
  let cluster: { event: CalendarEvent; from: number; to: number; lane: number }[] = [];
  let ends: number[] = [];
  const close = () => {
    placed.push(...cluster.map((one) => ({ ...one, lanes: ends.length })));
    cluster = [];
    ends = [];
  };
  for (const span of spans) {
    if (ends.every((end) => end <= span.from)) close();
    const free = ends.findIndex((end) => end <= span.from);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = span.to;
    cluster.push({ ...span, lane });
  }
  close();
  return placed;
}

/** A place where an event can begin: a day, or an hour of one: `2026-05-01`, `2026-05-01T09`. */
export type CalendarSlot = string;

export function slotOf(day: Day, hour: number): CalendarSlot {
  return `${day}T${String(hour).padStart(2, "0")}`;
}

/** Returns the slot to which an arrow key leads; undefined for another key, and beyond the hours of a day. */
export function slotBeside(slot: CalendarSlot, key: string): CalendarSlot | undefined {
  const [day = "", hour] = slot.split("T");
  const isAcross = key === "ArrowLeft" || key === "ArrowRight";
  if (!isAcross && key !== "ArrowUp" && key !== "ArrowDown") return undefined;
  const by = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
  if (hour === undefined) return addDays(day, isAcross ? by : 7 * by);
  if (isAcross) return `${addDays(day, by)}T${hour}`;
  const next = Number(hour) + by;
  return next < 0 || next > 23 ? undefined : slotOf(day, next);
}
