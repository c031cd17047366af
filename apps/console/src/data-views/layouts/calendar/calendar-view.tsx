import { useId, useMemo, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { recordPath } from "../../../records/model/record-path.ts";
import type { Row } from "../../../records/model/resource.ts";
import type { PresentationOf } from "../../../records/readings/presentation.ts";
import { readingColumns } from "../../../records/readings/reading-columns.ts";
import { fieldsToRead } from "../../../records/readings/reading-table.tsx";
import { RowsFrame } from "../../../records/readings/rows-frame.tsx";
import { useRowChanges } from "../../../records/rows/use-row-changes.ts";
import { useIsNarrow } from "../../../records/table/use-is-narrow.ts";
import { valueKindOf } from "../../../records/values/value-kind.ts";
import { useWays } from "../../../records/values/ways.ts";
import { useFailureText } from "../../../shell/failure-text.ts";
import type { Day } from "../../../shell/time/zone.ts";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { ToolButton } from "../../../ui/tool-button.tsx";
import { type LayoutProps, titleText } from "../layout-parts.tsx";
import { CalendarBar, spanTitle } from "./calendar-bar.tsx";
import { DayGrid } from "./day-grid.tsx";
import { daysBetween, dayText, shownDays, today } from "./days.ts";
import { type CalendarEvent, shifted, valuesAt } from "./event.ts";
import { EventChip, type EventWork } from "./event-chip.tsx";
import { HourGrid } from "./hour-grid.tsx";
import { type CalendarSlot, slotOf } from "./hours.ts";
import type { Slots } from "./slot-button.tsx";
import { useEvents } from "./use-events.ts";

/** The rows on the days of a month or a week. Moving an event changes the dates of its row. */
export function CalendarView({
  presentation,
  ...props
}: LayoutProps & { readonly presentation: PresentationOf<"calendar"> }) {
  const { answer, resource, resources, state } = props;
  const t = useTranslations("dataView");
  const format = useFormatter();
  const describe = useFailureText();
  const ways = useWays();
  const isNarrow = useIsNarrow();
  const [asked, ask] = useState<CalendarEvent | null>(null);
  const [said, setSaid] = useState("");
  const [draft, setDraft] = useState<Row | null>(null);
  const [active, setActive] = useState<CalendarSlot>();
  const day = state.from ?? today(ways.timeZone);
  const span = state.span ?? "month";
  const days = useMemo(() => shownDays(day, span, ways.locale), [day, span, ways.locale]);
  const items = useMemo(() => readingColumns(answer.data, resource), [answer, resource]);
  const start = items.get(presentation.start);
  const end = items.get(presentation.end ?? "");
  const fields = useMemo(() => (start === undefined ? undefined : { start, end }), [start, end]);
  const title = items.get(presentation.title);
  const events = useEvents(props, fields, days, ways.timeZone);
  const readFields = useMemo(() => fieldsToRead(resource, answer.data), [resource, answer]);
  const changes = useRowChanges(resource, readFields, events.store);
  const mayMove = [start, end].every(
    (item) =>
      item === undefined ||
      resource.columns.some(({ name, updatable }) => name === item.name && updatable),
  );
  const move = async (event: CalendarEvent, by: number): Promise<void> => {
    if (fields === undefined || event.row.key === null || by === 0) return;
    const { row } = event;
    const name = titleText(title, row, ways);
    const isWritten = await changes.write({
      changes: [{ row, after: shifted(row, fields, by, ways.timeZone) }],
    });
    setSaid(t(isWritten ? "eventMoved" : "eventNotMoved", { name }));
    // The event has another place in the document.
    requestAnimationFrame(() => focusEvent(row.id));
  };
  const isTimed = start !== undefined && valueKindOf(start.column) !== "DATE";
  const hasHours = span === "week" && isTimed;
  const mayCreate =
    resource.actions.includes("CREATE") &&
    resource.columns.some(({ name, creatable }) => name === start?.name && creatable);
  const [firstDay = day] = days;
  const firstSlot = days.includes(today(ways.timeZone)) ? today(ways.timeZone) : firstDay;
  const begin = (slot: CalendarSlot): void => {
    if (fields === undefined) return;
    const values = Object.entries(valuesAt(fields, slot, ways.timeZone));
    const mayCreateIn = (name: string) =>
      resource.columns.some((column) => column.name === name && column.creatable);
    setDraft(Object.fromEntries(values.filter(([name]) => mayCreateIn(name))));
  };
  const isActiveShown = active !== undefined && days.includes(active.slice(0, 10));
  const slots: Slots | null = mayCreate
    ? {
        active:
          isActiveShown && active.includes("T") === hasHours
            ? active
            : hasHours
              ? slotOf(firstSlot, 9)
              : firstSlot,
        onActive: setActive,
        onNew: begin,
      }
    : null;
  const work: EventWork = {
    ...{ title, color: items.get(presentation.color ?? "") },
    mayMove: mayMove && fields !== undefined,
    open: ({ row }) => {
      if (row.key !== null) props.onOpen([recordPath(resource, row.key)], true);
    },
    move: (event, by) => void move(event, by),
    moveTo: ask,
  };
  const onDropEvent = (id: string, from: Day, to: Day): void => {
    const found = events.byDay.get(from)?.find(({ row }) => row.id === id);
    if (found !== undefined) void move(found, daysBetween(from, to));
  };
  const label = spanTitle(days, day, span, ways.locale);
  const { error } = events.state;
  const shownDaysOfMonth = days.filter(
    (one) => span === "week" || one.slice(0, 7) === day.slice(0, 7),
  );
  return (
    <RowsFrame
      label={answer.data.name}
      isZoneNamed
      reversedText={({ changes: edited }) => {
        const id = JSON.stringify(edited[0]?.key);
        const row = events.state.rows.find((one) => one.id === id);
        return row === undefined || edited.length > 1
          ? undefined
          : t("eventMoved", { name: titleText(title, row, ways) });
      }}
      draft={draft}
      onDraftEnd={([created]) => {
        setDraft(null);
        if (created !== undefined) requestAnimationFrame(() => focusEvent(created.id));
      }}
      {...{ resource, resources, changes, rows: events.state.rows }}
      open={state.open ?? noRecords}
      onOpen={props.onOpen}
      status={
        <>
          <span role="status" className="shrink-0 tabular-nums">
            {events.state.isComplete
              ? t("events", { count: events.state.rows.length })
              : t("loadingEvents")}
          </span>
          <span role="status" className="sr-only">
            {said}
          </span>
        </>
      }
    >
      <CalendarBar
        {...{ day, days, span }}
        hasZone={start !== undefined && valueKindOf(start.column) === "INSTANT"}
        onNew={slots === null ? null : () => begin(days.includes(day) ? day : firstSlot)}
        onChange={(change) => props.onState(change, true)}
      />
      {error !== undefined && (
        <div className="p-2">
          <Notice kind="danger">{describe(error)}</Notice>
        </div>
      )}
      {events.isCut && (
        <div className="p-2">
          <Notice kind="info">
            {t("cutEvents", { count: format.number(events.state.rows.length) })}
          </Notice>
        </div>
      )}
      <div
        data-calendar={events.state.isComplete ? "" : undefined}
        aria-busy={events.state.isLoading}
        className="flex min-h-0 flex-1 flex-col"
      >
        {isNarrow ? (
          <Agenda label={label} days={shownDaysOfMonth} byDay={events.byDay} work={work} />
        ) : hasHours ? (
          <HourGrid
            key={firstDay}
            {...{ label, days, work, slots, onDropEvent }}
            byDay={events.byDay}
          />
        ) : (
          <DayGrid
            {...{ label, days, work, slots, onDropEvent }}
            byDay={events.byDay}
            month={span === "month" ? day : null}
          />
        )}
      </div>
      {asked !== null && (
        <MoveDialog
          name={titleText(title, asked.row, ways)}
          event={asked}
          onClose={() => ask(null)}
          onMove={(by) => {
            ask(null);
            void move(asked, by);
          }}
        />
      )}
    </RowsFrame>
  );
}

const noRecords: readonly string[] = [];

function focusEvent(id: string): void {
  const event = [...document.querySelectorAll<HTMLElement>("[data-event]")].find(
    (one) => one.dataset.event === id,
  );
  event?.querySelector<HTMLElement>("[data-event-open]")?.focus();
}

/** The days with events as a list, for windows that are too narrow for a week. */
function Agenda(props: {
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

/** Asks for the day to which an event is moved. */
function MoveDialog(props: {
  readonly name: string;
  readonly event: CalendarEvent;
  readonly onMove: (days: number) => void;
  readonly onClose: () => void;
}) {
  const t = useTranslations("dataView");
  const words = useTranslations("grid");
  const id = useId();
  const { event } = props;
  const [day, setDay] = useState<Day>(event.first);
  return (
    <Dialog title={t("moveTitle", { name: props.name })} onClose={props.onClose}>
      <div className="grid justify-items-start gap-1.5">
        <label htmlFor={id}>{t("day")}</label>
        <input
          id={id}
          type="date"
          value={day}
          onChange={({ target }) => setDay(target.value)}
          className="h-8 rounded-control border border-line-input bg-surface px-2"
        />
      </div>
      <DialogActions>
        <ToolButton onClick={props.onClose}>{words("cancel")}</ToolButton>
        <ToolButton
          kind="primary"
          disabled={day === "" || day === event.first}
          onClick={() => props.onMove(daysBetween(event.first, day))}
        >
          {t("move")}
        </ToolButton>
      </DialogActions>
    </Dialog>
  );
}
