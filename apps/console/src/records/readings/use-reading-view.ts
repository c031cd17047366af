import { useCallback, useMemo, useState } from "react";
import type { NavigationResource } from "../../shell/navigation.ts";
import type { GridColumn } from "../grid/grid-column.ts";
import { listOf, namesOf } from "../table/rows-search.ts";
import type { TableView } from "../table/table-view.ts";
import type { OpenReading } from "./open-reading.ts";
import { readingColumns } from "./reading-columns.ts";

/** What a person has chosen of a table: in its address. */
export interface TableState {
  readonly order_by: string | undefined;
  /** The shown fields in their order; without it, as the table was set up. */
  readonly fields: string | undefined;
  /** The fields that do not scroll; without it, as the table was set up. */
  readonly pinned: string | undefined;
}

interface ReadingViewParts {
  readonly reading: OpenReading;
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly state: TableState;
  readonly onState: (change: Partial<TableState>) => void;
  readonly onOpen: TableView["openRecords"];
}

/** The table of a reading: its columns as they were set up and as the person has changed them. */
export function useReadingView(parts: ReadingViewParts): TableView {
  const { reading, resource, resources, state, onState, onOpen } = parts;
  const { presentation } = reading;
  const [widths, setWidths] = useState<Readonly<Record<string, number>>>({});
  const all = useMemo(() => readingColumns(reading, resource), [reading, resource]);
  const set = presentation.layout === "table" ? presentation.columns : noColumns;
  const usual = useMemo(() => {
    const named = set.map(({ field }) => field).filter((field) => all.has(field));
    return named.length > 0 ? named : [...all.keys()];
  }, [set, all]);
  const shown = useMemo(() => {
    const chosen = namesOf(state.fields);
    const known = new Map([...all].map(([field, { name }]) => [name, field]));
    const fields = chosen.flatMap((name) => known.get(name) ?? []);
    return fields.length > 0 ? fields : usual;
  }, [state.fields, usual, all]);
  const pinned = useMemo(
    () =>
      new Set(
        state.pinned === undefined
          ? set.flatMap(({ field, pinned: isPinned }) =>
              isPinned === true ? (all.get(field)?.name ?? []) : [],
            )
          : namesOf(state.pinned),
      ),
    [state.pinned, set, all],
  );
  const columns = useMemo(() => {
    const placed = shown.flatMap((field): readonly GridColumn[] => {
      const column = all.get(field);
      if (column === undefined) return [];
      const width =
        widths[column.name] ?? set.find((one) => one.field === field)?.width ?? column.width;
      return [{ ...column, width, isPinned: pinned.has(column.name) }];
    });
    return [...placed.filter((one) => one.isPinned), ...placed.filter((one) => !one.isPinned)];
  }, [shown, all, widths, set, pinned]);
  const setOrder = useCallback(
    (orderBy: string | undefined) => onState({ order_by: orderBy }),
    [onState],
  );
  return useMemo(
    (): TableView => ({
      ...{ resource, resources, columns, setOrder, openRecords: onOpen },
      allColumns: [...all.values()].map(({ name, column }) => ({ ...column, name })),
      orderBy: state.order_by ?? (reading.orderBy.length > 0 ? reading.orderBy.join() : undefined),
      setColumns: (names) => onState({ fields: listOf(names) }),
      // An empty text: nothing is pinned, though the table was set up so.
      setPinned: (names) => onState({ pinned: listOf(names) ?? "" }),
      setWidth: (name, width) => setWidths((last) => ({ ...last, [name]: width })),
      resetColumns: () => onState({ fields: undefined, pinned: undefined }),
      groupBy: null,
    }),
    [resource, resources, columns, setOrder, onOpen, all, state.order_by, reading, onState],
  );
}

const noColumns = [] as const;
