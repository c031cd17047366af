import { firstWeekday } from "../../../shell/time/locale.ts";
import { timeRangeText, timeText } from "../../../shell/time/time-text.ts";
import { type Day, dayAt } from "../../../shell/time/zone.ts";

const dayMs = 86_400_000;

/** The milliseconds of a day's midnight in UTC, where every day has 24 hours. */
function utcDay(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function dayOf(utcMs: number): Day {
  return new Date(utcMs).toISOString().slice(0, 10);
}

export function addDays(day: Day, count: number): Day {
  return dayOf(utcDay(day) + count * dayMs);
}

/** Returns the number of days from one to another. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((utcDay(to) - utcDay(from)) / dayMs);
}

/** Returns the first day of the month that is some months later. */
export function addMonths(day: Day, count: number): Day {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return dayOf(Date.UTC(year, month - 1 + count, 1));
}

/** The present day in a zone. */
export function today(timeZone: string): Day {
  return dayAt(Date.now(), timeZone);
}

function weekStart(day: Day, first: number): Day {
  const weekday = new Date(utcDay(day)).getUTCDay() || 7;
  return addDays(day, -((weekday - first + 7) % 7));
}

function daysFrom(day: Day, count: number): readonly Day[] {
  return Array.from({ length: count }, (_, index) => addDays(day, index));
}

/** The days that a calendar shows: a week, or the whole weeks of a month. */
export function shownDays(day: Day, span: "week" | "month", locale: string): readonly Day[] {
  const first = firstWeekday(locale);
  if (span === "week") return daysFrom(weekStart(day, first), 7);
  const begin = weekStart(`${day.slice(0, 7)}-01`, first);
  const end = addMonths(day, 1);
  const weeks = Math.ceil(daysBetween(begin, end) / 7);
  return daysFrom(begin, weeks * 7);
}

/** Writes a day in words of a language. */
export function dayText(day: Day, locale: string, options: Intl.DateTimeFormatOptions): string {
  return timeText(utcDay(day), locale, { ...options, timeZone: "UTC" });
}

/** Writes the days from one to another. */
export function daysText(first: Day, last: Day, locale: string): string {
  const options = { dateStyle: "medium", timeZone: "UTC" } as const;
  return timeRangeText(utcDay(first), utcDay(last), locale, options);
}
