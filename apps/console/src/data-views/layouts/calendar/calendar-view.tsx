import { useMemo, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { recordPath } from "../../../records/panel/record-path.ts";
import type { CalendarPresentation } from "../../../records/readings/presentation.ts";
import { readingColumns } from "../../../records/readings/reading-columns.ts";
import { fieldsToRead } from "../../../records/readings/reading-table.tsx";
import { RowsFrame } from "../../../records/readings/rows-frame.tsx";
import { useRowChanges } from "../../../records/rows/use-row-changes.ts";
import { useIsNarrow } from "../../../records/table/use-is-narrow.ts";
import { valueKindOf } from "../../../records/values/value-kind.ts";
import { useWays } from "../../../records/values/ways.ts";
import { useFailureText } from "../../../shell/failure-text.ts";
import { Notice } from "../../../ui/notice.tsx";
import type { LayoutProps } from "../layout-props.ts";
import { titleText } from "../row-title.ts";
import { Agenda } from "./agenda.tsx";
import { CalendarBar, spanTitle } from "./calendar-bar.tsx";
import { DayGrid } from "./day-grid.tsx";
import { daysBetween, shownDays, today } from "./days.ts";
import { type CalendarEvent, shifted } from "./event.ts";
import type { EventWork } from "./event-chip.tsx";
import { MoveDialog } from "./move-dialog.tsx";
import { useEvents } from "./use-events.ts";

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
