import { useTranslations } from "use-intl";
import { useWays } from "../../../records/values/ways.ts";
import { type Day, dayText, today } from "./days.ts";
import type { CalendarEvent } from "./event.ts";
import { EventChip, type EventWork } from "./event-chip.tsx";

/** The days with events as a list, for windows that are too narrow for a week. */
export function Agenda(props: {
  readonly label: string;
  readonly days: readonly Day[];
  readonly byDay: ReadonlyMap<Day, readonly CalendarEvent[]>;
  readonly work: EventWork;
}) {
  const t = useTranslations("dataView");
  const ways = useWays();
  const now = today(ways.timeZone);
  const full = props.days.filter((day) => (props.byDay.get(day) ?? []).length > 0);
  if (full.length === 0)
    return <p className="flex-1 p-6 text-center text-ink-2">{t("noEvents")}</p>;
  return (
    <ul
      aria-label={props.label}
      className="grid min-h-0 flex-1 content-start gap-3 overflow-auto p-3"
    >
      {full.map((day) => (
        <li key={day} className="grid gap-1">
          <h2
            dir="auto"
            className="text-2 font-medium text-ink-2"
            aria-current={day === now ? "date" : undefined}
          >
            {dayText(day, ways.locale, { weekday: "long", day: "numeric", month: "long" })}
          </h2>
          <ul className="grid gap-1">
            {(props.byDay.get(day) ?? []).map((event) => (
              <EventChip key={event.row.id} {...{ event, day }} work={props.work} />
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
