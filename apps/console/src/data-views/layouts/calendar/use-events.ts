import { useEffect, useMemo, useSyncExternalStore } from "react";
import { firstReadingPage } from "../../../records/readings/reading-rows.ts";
import { RowStore, type RowsState } from "../../../records/rows/row-store.ts";
import type { Day } from "../../../shell/time/zone.ts";
import { chosenRows } from "../../model/open-view.ts";
import type { LayoutProps } from "../layout-parts.tsx";
import { addDays } from "./days.ts";
import { beginOf, type CalendarEvent, compareEvents, type EventFields, eventOf } from "./event.ts";

/** Rows of one page of a window. */
const pageSize = 500;
/** Rows that a calendar shows at once. */
const rowsMax = 2000;

/** The events of some days. */
export function useEvents(
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
