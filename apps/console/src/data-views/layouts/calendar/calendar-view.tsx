import { useEffect, useId, useMemo, useState, useSyncExternalStore } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { recordPath } from "../../../records/panel/record-path.ts";
import type { CalendarPresentation } from "../../../records/readings/presentation.ts";
import { readingColumns } from "../../../records/readings/reading-columns.ts";
import { firstReadingPage } from "../../../records/readings/reading-rows.ts";
import { fieldsToRead } from "../../../records/readings/reading-table.tsx";
import { RowsFrame } from "../../../records/readings/rows-frame.tsx";
import { RowStore, type RowsState } from "../../../records/rows/row-store.ts";
import { useRowChanges } from "../../../records/rows/use-row-changes.ts";
import { useIsNarrow } from "../../../records/table/use-is-narrow.ts";
import { valueKindOf } from "../../../records/values/value-kind.ts";
import { useWays } from "../../../records/values/ways.ts";
import { useFailureText } from "../../../shell/failure-text.ts";
import type { Day } from "../../../shell/time/zone.ts";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { ToolButton } from "../../../ui/tool-button.tsx";
import { chosenRows } from "../../model/open-view.ts";
import { type LayoutProps, titleText } from "../layout-parts.tsx";
import { CalendarBar, spanTitle } from "./calendar-bar.tsx";
import { DayGrid } from "./day-grid.tsx";
import { addDays, daysBetween, dayText, shownDays, today } from "./days.ts";
import {
  beginOf,
  type CalendarEvent,
  compareEvents,
  type EventFields,
  eventOf,
  shifted,
} from "./event.ts";
import { EventChip, type EventWork } from "./event-chip.tsx";

/** The rows on the days of a month or a week. Moving an event changes the dates of its row. */
export function CalendarView({
  presentation,
  ...props
}: LayoutProps & { readonly presentation: CalendarPresentation }) {
  const { answer, resource, resources, state } = props;
  const t = useTranslations("dataView");
  const format = useFormatter();
  const describe = useFailureText();
  const ways = useWays();
  const isNarrow = useIsNarrow();
  const [asked, ask] = useState<CalendarEvent | null>(null);
  const [said, setSaid] = useState("");
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
  const work: EventWork = {
    ...{ title, color: items.get(presentation.color ?? "") },
    mayMove: mayMove && fields !== undefined,
    open: ({ row }) => {
      if (row.key !== null) props.onOpen([recordPath(resource, row.key)], true);
    },
    move: (event, by) => void move(event, by),
    moveTo: ask,
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
        ) : (
          <DayGrid
            {...{ label, days, work }}
            byDay={events.byDay}
            month={span === "month" ? day : null}
            onDropEvent={(id, from, to) => {
              const found = events.byDay.get(from)?.find(({ row }) => row.id === id);
              if (found !== undefined) void move(found, daysBetween(from, to));
            }}
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

/** Rows of one page of a window. */
const pageSize = 500;
/** Rows that a calendar shows at once. */
const rowsMax = 2000;

/** The events of some days. */
function useEvents(
  { answer, source, resource, state }: LayoutProps,
  fields: EventFields | undefined,
  days: readonly Day[],
  timeZone: string,
): {
  readonly store: RowStore;
  readonly state: RowsState;
  readonly byDay: ReadonlyMap<Day, readonly CalendarEvent[]>;
  readonly isCut: boolean;
} {
  const { where, search } = state;
  const [first = ""] = days;
  const end = addDays(days.at(-1) ?? first, 1);
  const start = fields?.start;
  const store = useMemo(() => {
    // A new answer reads the window anew.
    void answer;
    const read = source.read;
    const window =
      start === undefined
        ? {}
        : { from: beginOf(first, start, timeZone), to: beginOf(end, start, timeZone) };
    return new RowStore(
      firstReadingPage(resource, read, {
        ...{ ...chosenRows({ where, search }), ...window, limit: pageSize },
      }),
    );
  }, [answer, source, resource, where, search, first, end, start, timeZone]);
  const rows = useSyncExternalStore(store.subscribe, () => store.state);
  const isCut = rows.rows.length >= rowsMax && !rows.isComplete;
  useEffect(() => {
    if (!rows.isComplete && !isCut) store.loadMore();
  }, [store, rows, isCut]);
  useEffect(() => () => store.stop(), [store]);
  const byDay = useMemo(() => {
    const all =
      fields === undefined ? [] : rows.rows.flatMap((row) => eventOf(row, fields, timeZone) ?? []);
    return new Map(
      days.map((day) => [
        day,
        all.filter((event) => event.first <= day && event.last >= day).sort(compareEvents),
      ]),
    );
  }, [rows.rows, fields, days, timeZone]);
  return { store, state: rows, byDay, isCut };
}
