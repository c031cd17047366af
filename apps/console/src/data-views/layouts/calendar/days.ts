/** A day of the calendar without a time and a zone: `2026-05-01`. */
export type Day = string;

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
  const parts = new Intl.DateTimeFormat("en-CA", {
    ...{ timeZone, year: "numeric", month: "2-digit", day: "2-digit" },
  });
  return parts.format(Date.now());
}

/** The first day of the week where a language is spoken: 1 for Monday to 7 for Sunday. */
function firstWeekday(locale: string): number {
  const known = new Intl.Locale(locale) as Intl.Locale & {
    readonly getWeekInfo?: () => { readonly firstDay: number };
    readonly weekInfo?: { readonly firstDay: number };
  };
  return known.getWeekInfo?.().firstDay ?? known.weekInfo?.firstDay ?? 1;
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

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Writes a day in words of a language. */
export function dayText(day: Day, locale: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${locale} ${JSON.stringify(options)}`;
  const formatter =
    formatters.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
  formatters.set(key, formatter);
  return formatter.format(utcDay(day));
}
