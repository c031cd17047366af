import { type CSSProperties, type KeyboardEvent, useRef, useState } from "react";
import { useDrag } from "react-aria-components";
import { useTranslations } from "use-intl";
import { cellOf, type GridColumn } from "../../../records/grid/grid-column.ts";
import { colorClasses } from "../../../records/values/badge.tsx";
import { colorOf } from "../../../records/values/color-of.ts";
import { useWays } from "../../../records/values/ways.ts";
import type { Day } from "../../../shell/time/zone.ts";
import { classes } from "../../../ui/classes.ts";
import { Ellipsis } from "../../../ui/icons.generated.ts";
import { type MenuGroup, OpenMenu } from "../../../ui/menu.tsx";
import { RowTitle, titleText } from "../layout-parts.tsx";
import { dayText } from "./days.ts";
import type { CalendarEvent } from "./event.ts";

/** The type of what is dragged: events of one calendar. */
export const eventType = "application/x-rowhouse-event";

/** How events are shown and worked with, on every day alike. */
export interface EventWork {
  readonly title: GridColumn | undefined;
  readonly color: GridColumn | undefined;
  /** Whether this person may move events. */
  readonly mayMove: boolean;
  readonly open: (event: CalendarEvent) => void;
  readonly move: (event: CalendarEvent, days: number) => void;
  readonly moveTo: (event: CalendarEvent) => void;
}

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
};

/** An event on one of its days. Alt and the arrows move it; so do dragging and its menu. */
export function EventChip(props: {
  readonly event: CalendarEvent;
  readonly day: Day;
  readonly work: EventWork;
  /** Its place among the hours of the day; a line of a list without one. */
  readonly place?: CSSProperties;
}) {
  const { event, day, work, place } = props;
  const t = useTranslations("dataView");
  const ways = useWays();
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLButtonElement>(null);
  const name = titleText(work.title, event.row, ways);
  const isMovable = work.mayMove && event.row.key !== null;
  const { dragProps, isDragging } = useDrag({
    isDisabled: !isMovable,
    // The keyboard has Alt and the arrows.
    hasDragButton: true,
    getItems: () => [
      { [eventType]: JSON.stringify({ id: event.row.id, day }), "text/plain": name },
    ],
    getAllowedDropOperations: () => ["move"],
  });
  const press = (pressed: KeyboardEvent): void => {
    const days = Object.hasOwn(steps, pressed.key) ? steps[pressed.key] : undefined;
    if (days === undefined || !pressed.altKey || !isMovable) return;
    pressed.preventDefault();
    work.move(event, days);
  };
  const color =
    work.color === undefined
      ? undefined
      : colorOf(work.color.column, cellOf(work.color, event.row.values));
  const isFirst = event.first === day;
  const clock = event.clock !== null && isFirst && (
    <time
      className={classes("tabular-nums", place === undefined ? "shrink-0" : "max-w-full truncate")}
    >
      {event.clock}
    </time>
  );
  return (
    <li
      {...dragProps}
      data-event={event.row.id}
      style={place}
      className={classes(
        "group/event flex min-w-0 rounded-[4px]",
        place === undefined
          ? "relative items-center"
          : "absolute items-start overflow-hidden border border-surface",
        color === undefined ? "bg-sunken text-ink" : colorClasses[color],
        place === undefined && !isFirst && "rounded-l-none",
        place === undefined && event.last > day && "rounded-r-none",
        isDragging && "opacity-60",
        isMovable && "cursor-grab",
      )}
    >
      <button
        type="button"
        data-event-open
        onClick={() => work.open(event)}
        onKeyDown={press}
        aria-disabled={event.row.key === null}
        className={classes(
          "flex min-h-6 min-w-0 flex-1 gap-x-1.5 rounded-[4px] text-left text-2",
          place === undefined ? "items-center px-1.5" : "h-full flex-col px-1 pt-0.5 leading-4",
        )}
      >
        {place === undefined && clock}
        <span className="flex min-w-0 max-w-full font-medium">
          <RowTitle item={work.title} row={event.row} />
        </span>
        {place !== undefined && clock}
        <time dateTime={day} className="sr-only">
          {dayText(day, ways.locale, { dateStyle: "full" })}
        </time>
      </button>
      {isMovable && (
        <button
          ref={menu}
          type="button"
          aria-haspopup="menu"
          aria-expanded={isOpen}
          aria-label={t("moveTo", { name })}
          onClick={() => setOpen(true)}
          className={classes(
            "grid size-6 shrink-0 place-items-center rounded-[4px] opacity-0 group-focus-within/event:opacity-100 group-hover/event:opacity-100 max-md:opacity-100",
            place !== undefined && "absolute top-0 right-0 bg-inherit",
          )}
        >
          <Ellipsis size={13} aria-hidden="true" />
        </button>
      )}
      {isOpen && (
        <OpenMenu
          label={t("moveTo", { name })}
          beside={menu}
          groups={menuOf(event, work, t)}
          onClose={() => setOpen(false)}
        />
      )}
    </li>
  );
}

function menuOf(
  event: CalendarEvent,
  work: EventWork,
  t: ReturnType<typeof useTranslations<"dataView">>,
): readonly MenuGroup[] {
  const step = (id: string, label: string, days: number) => ({
    ...{ id, label },
    onPress: () => work.move(event, days),
  });
  return [
    {
      id: "steps",
      entries: [
        step("earlier", t("dayEarlier"), -1),
        step("later", t("dayLater"), 1),
        step("weekEarlier", t("weekEarlier"), -7),
        step("weekLater", t("weekLater"), 7),
      ],
    },
    {
      id: "day",
      entries: [{ id: "day", label: t("moveToDay"), onPress: () => work.moveTo(event) }],
    },
  ];
}
