import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useWays } from "../../../records/values/ways.ts";
import { timeText } from "../../../shell/time/time-text.ts";
import { type Day, wallAt } from "../../../shell/time/zone.ts";
import { classes } from "../../../ui/classes.ts";
import { dayText, today } from "./days.ts";
import type { CalendarEvent } from "./event.ts";
import { EventChip, type EventWork } from "./event-chip.tsx";
import { isAllDay, minutesOfDay, placeEvents, slotOf } from "./hours.ts";
import { SlotButton, type Slots } from "./slot-button.tsx";
import { useEventDrop } from "./use-event-drop.ts";

const hourPixels = 44;
/** The hour that is first in view, unless an event begins earlier. */
const firstHour = 7;
const hours = Array.from({ length: 24 }, (_, hour) => hour);

interface HourGridProps {
  readonly label: string;
  readonly days: readonly Day[];
  readonly byDay: ReadonlyMap<Day, readonly CalendarEvent[]>;
  readonly work: EventWork;
  /** Null where nothing can be created. */
  readonly slots: Slots | null;
  readonly onDropEvent: (id: string, from: Day, to: Day) => void;
}

/** A week with its hours: events at their time, those of whole days above. */
export function HourGrid({ label, days, byDay, work, slots, onDropEvent }: HourGridProps) {
  const t = useTranslations("dataView");
  const ways = useWays();
  const now = today(ways.timeZone);
  const place = useRef<HTMLElement>(null);
  const shown = useRef<string>(undefined);
  const earliest = Math.min(
    firstHour,
    ...days.flatMap((day) =>
      placeEvents(day, byDay.get(day) ?? []).map(({ from }) => Math.floor(from / 60)),
    ),
  );
  // Once for a week, when its events are there: an event that is moved later leaves the hours where they are.
  useEffect(() => {
    const week = `${days[0]} ${days.some((day) => (byDay.get(day) ?? []).length > 0)}`;
    if (shown.current === week) return;
    shown.current = week;
    place.current?.scrollTo({ top: earliest * hourPixels - 12 });
  });
  return (
    <section
      ref={place}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls the hours
      tabIndex={0}
      className="grid min-h-0 flex-1 auto-rows-max grid-cols-[4.5rem_repeat(7,minmax(5.5rem,1fr))] overflow-auto"
    >
      <div className="sticky top-0 left-0 z-4 border-line border-b bg-canvas" />
      {days.map((day) => (
        <h3
          key={day}
          dir="auto"
          aria-current={day === now ? "date" : undefined}
          className="sticky top-0 z-3 flex h-9 min-w-0 items-center gap-1.5 border-line border-b border-l bg-canvas px-2 text-2 font-medium text-ink-2"
        >
          <span className="truncate">{dayText(day, ways.locale, { weekday: "short" })}</span>
          <span
            className={classes(
              "grid h-6 min-w-6 place-items-center rounded-full px-1 tabular-nums",
              day === now ? "bg-accent text-accent-ink" : "text-ink",
            )}
          >
            {dayText(day, ways.locale, { day: "numeric" })}
          </span>
        </h3>
      ))}
      <div className="sticky top-9 left-0 z-4 border-line border-b bg-canvas truncate px-1.5 py-1 text-right text-1 text-ink-2">
        {t("allDay")}
      </div>
      {days.map((day) => (
        <ul
          key={day}
          aria-label={`${t("allDay")}, ${dayText(day, ways.locale, { dateStyle: "full" })}`}
          className="sticky top-9 z-3 grid max-h-24 min-h-7 content-start gap-0.5 overflow-y-auto border-line border-b border-l bg-canvas p-0.5"
        >
          {(byDay.get(day) ?? []).filter(isAllDay).map((event) => (
            <EventChip key={event.row.id} {...{ event, day, work }} />
          ))}
        </ul>
      ))}
      <div className="sticky left-0 z-2 bg-canvas" aria-hidden="true">
        {hours.map((hour) => (
          <div
            key={hour}
            style={{ height: hourPixels }}
            className="-mt-2 mb-2 pr-1.5 text-right text-1 text-ink-2 tabular-nums first:invisible"
          >
            {timeText(hour * 3_600_000, ways.locale, { hour: "numeric", timeZone: "UTC" })}
          </div>
        ))}
      </div>
      {days.map((day) => (
        <DayHours
          key={day}
          {...{ day, work, slots }}
          events={byDay.get(day) ?? []}
          isToday={day === now}
          onDropEvent={(id, from) => onDropEvent(id, from, day)}
        />
      ))}
    </section>
  );
}

/** The hours of a day with its events. */
function DayHours(props: {
  readonly day: Day;
  readonly events: readonly CalendarEvent[];
  readonly isToday: boolean;
  readonly work: EventWork;
  readonly slots: Slots | null;
  readonly onDropEvent: (id: string, from: Day) => void;
}) {
  const { day, events, isToday, work, slots } = props;
  const t = useTranslations("dataView");
  const ways = useWays();
  const place = useRef<HTMLElement>(null);
  const { dropProps, isDropTarget } = useEventDrop(place, work.mayMove, props.onDropEvent);
  const full = dayText(day, ways.locale, { dateStyle: "full" });
  return (
    <section
      {...dropProps}
      ref={place}
      data-day={day}
      aria-label={t("dayEvents", { day: full, count: events.length })}
      className={classes(
        "relative min-w-0 border-line border-l bg-surface outline-none",
        isDropTarget && "bg-accent-soft",
      )}
      style={{ height: hours.length * hourPixels }}
    >
      {hours.map((hour) => (
        <div
          key={hour}
          style={{ height: hourPixels }}
          className="border-line border-b last:border-b-0"
        >
          {slots !== null && (
            <SlotButton
              slot={slotOf(day, hour)}
              slots={slots}
              className="size-full opacity-0 hover:bg-sunken hover:opacity-100"
            />
          )}
        </div>
      ))}
      <ul>
        {placeEvents(day, events).map(({ event, from, to, lane, lanes }) => (
          <EventChip
            key={event.row.id}
            {...{ event, day, work }}
            place={{
              top: `${(from / minutesOfDay) * 100}%`,
              height: `calc(${((to - from) / minutesOfDay) * 100}% - 1px)`,
              left: `calc(${(lane / lanes) * 100}% + 1px)`,
              width: `calc(${100 / lanes}% - 3px)`,
            }}
          />
        ))}
      </ul>
      {isToday && <NowLine />}
    </section>
  );
}

/** A line at the present time, which moves each minute. */
function NowLine() {
  const ways = useWays();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  const { hour, minute } = wallAt(now, 0, ways.timeZone);
  return (
    <div
      data-now
      aria-hidden="true"
      style={{ top: `${((hour * 60 + minute) / minutesOfDay) * 100}%` }}
      className="pointer-events-none absolute inset-x-0 z-1 border-danger border-t-2 before:absolute before:-top-[5px] before:-left-1 before:size-2 before:rounded-full before:bg-danger"
    />
  );
}
