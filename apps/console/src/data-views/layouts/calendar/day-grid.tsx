import { useRef, useState } from "react";
import { Dialog, Popover } from "react-aria-components";
import { useTranslations } from "use-intl";
import { useWays } from "../../../records/values/ways.ts";
import type { Day } from "../../../shell/time/zone.ts";
import { classes } from "../../../ui/classes.ts";
import { dayText, today } from "./days.ts";
import type { CalendarEvent } from "./event.ts";
import { EventChip, type EventWork } from "./event-chip.tsx";
import { SlotButton, type Slots } from "./slot-button.tsx";
import { useEventDrop } from "./use-event-drop.ts";

/** Events of a day that a month shows; a week shows all. */
const monthMax = 4;

interface DayGridProps {
  readonly label: string;
  readonly days: readonly Day[];
  /** A day of the month that is shown; null for a week. */
  readonly month: Day | null;
  readonly byDay: ReadonlyMap<Day, readonly CalendarEvent[]>;
  readonly work: EventWork;
  /** Null where nothing can be created. */
  readonly slots: Slots | null;
  readonly onDropEvent: (id: string, from: Day, to: Day) => void;
}

/** The days of a month or of a week, a line for each week. */
export function DayGrid({ label, days, month, byDay, work, slots, onDropEvent }: DayGridProps) {
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
                  slots={slots}
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

interface DayCellProps {
  readonly day: Day;
  readonly events: readonly CalendarEvent[];
  readonly isToday: boolean;
  /** Whether it belongs to the month that is shown. */
  readonly isInMonth: boolean;
  /** Events that are shown at most; the others open with a press. */
  readonly eventsMax: number;
  readonly work: EventWork;
  readonly slots: Slots | null;
  readonly onDropEvent: (id: string, from: Day) => void;
}

/** A day with its events. */
function DayCell(props: DayCellProps) {
  const { day, events, isToday, isInMonth, eventsMax, work, slots } = props;
  const t = useTranslations("dataView");
  const ways = useWays();
  const place = useRef<HTMLTableCellElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { dropProps, isDropTarget } = useEventDrop(place, work.mayMove, props.onDropEvent);
  // One more that is hidden takes as much place as its event.
  const shown = events.length > eventsMax ? events.slice(0, eventsMax - 1) : events;
  const rest = events.length - shown.length;
  const full = dayText(day, ways.locale, { dateStyle: "full" });
  return (
    <td
      {...dropProps}
      ref={place}
      data-day={day}
      className={classes(
        "group/day relative h-26 min-w-0 border-line border-r border-b p-1 align-top outline-none last:border-r-0",
        isInMonth ? "bg-surface" : "bg-canvas",
        isDropTarget && "bg-accent-soft",
      )}
    >
      <time
        dateTime={day}
        aria-current={isToday ? "date" : undefined}
        className={classes(
          "mb-1 inline-grid h-6 min-w-6 place-items-center rounded-full px-1 text-2 tabular-nums",
          isToday ? "bg-accent font-medium text-accent-ink" : isInMonth ? "text-ink" : "text-ink-3",
        )}
      >
        <span aria-hidden="true">{dayText(day, ways.locale, { day: "numeric" })}</span>
        <span className="sr-only">{t("dayEvents", { day: full, count: events.length })}</span>
      </time>
      {slots !== null && (
        <SlotButton
          slot={day}
          slots={slots}
          className="absolute top-1 right-1 size-6 rounded-control opacity-0 hover:bg-sunken group-hover/day:opacity-100"
        />
      )}
      <ul className="grid min-w-0 gap-0.5">
        {shown.map((event) => (
          <EventChip key={event.row.id} {...{ event, day, work }} />
        ))}
      </ul>
      {rest > 0 && (
        <button
          ref={button}
          type="button"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          aria-label={t("moreEvents", { count: rest, day: full })}
          onClick={() => setOpen(true)}
          className="min-h-6 justify-self-start rounded-[4px] px-1.5 text-left text-2 text-ink-2 hover:bg-sunken hover:text-ink"
        >
          {t("more", { count: rest })}
        </button>
      )}
      {isOpen && (
        <Popover
          isOpen
          triggerRef={button}
          placement="bottom start"
          onOpenChange={setOpen}
          className="w-72 max-w-[calc(100vw-16px)] rounded-panel border border-line-strong bg-surface text-3 text-ink"
        >
          <Dialog aria-label={full} className="grid max-h-96 gap-2 overflow-auto p-3 outline-none">
            <p dir="auto" className="font-medium">
              {full}
            </p>
            <ul className="grid gap-0.5">
              {events.map((event) => (
                <EventChip key={event.row.id} {...{ event, day, work }} />
              ))}
            </ul>
          </Dialog>
        </Popover>
      )}
    </td>
  );
}
