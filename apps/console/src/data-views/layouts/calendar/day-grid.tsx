import { useWays } from "../../../records/values/ways.ts";
import { DayCell } from "./day-cell.tsx";
import { type Day, dayText, today } from "./days.ts";
import type { CalendarEvent } from "./event.ts";
import type { EventWork } from "./event-chip.tsx";

/** Events of a day that a month shows; a week shows all. */
const monthMax = 4;

interface DayGridProps {
  readonly label: string;
  readonly days: readonly Day[];
  /** A day of the month that is shown; null for a week. */
  readonly month: Day | null;
  readonly byDay: ReadonlyMap<Day, readonly CalendarEvent[]>;
  readonly work: EventWork;
  readonly onDropEvent: (id: string, from: Day, to: Day) => void;
}

/** The days of a month or of a week, a line for each week. */
export function DayGrid({ label, days, month, byDay, work, onDropEvent }: DayGridProps) {
  const ways = useWays();
  const now = today(ways.timeZone);
  const weeks = Array.from({ length: days.length / 7 }, (_, index) =>
    days.slice(index * 7, index * 7 + 7),
  );
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <table
        aria-label={label}
        className="h-full w-full min-w-160 table-fixed border-separate border-spacing-0"
      >
        <thead>
          <tr>
            {days.slice(0, 7).map((day) => (
              <th
                key={day}
                scope="col"
                dir="auto"
                className="sticky top-0 z-2 h-8 truncate border-line border-b bg-canvas px-2 text-left text-2 font-medium text-ink-2"
              >
                <abbr
                  title={dayText(day, ways.locale, { weekday: "long" })}
                  className="no-underline"
                >
                  {dayText(day, ways.locale, { weekday: "short" })}
                </abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <DayCell
                  key={day}
                  day={day}
                  events={byDay.get(day) ?? []}
                  isToday={day === now}
                  isInMonth={month === null || day.slice(0, 7) === month.slice(0, 7)}
                  eventsMax={month === null ? Number.POSITIVE_INFINITY : monthMax}
                  work={work}
                  onDropEvent={(id, from) => onDropEvent(id, from, day)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
