import {
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import { useFormatter, useTranslations } from "use-intl";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { DataGrid } from "../grid/data-grid.tsx";
import type { GridColumn } from "../grid/grid-column.ts";
import { PasteDialog } from "../paste/paste-dialog.tsx";
import { type GridRow, RowStore } from "../rows/row-store.ts";
import { useRowChanges } from "../rows/use-row-changes.ts";
import { ColumnMenu } from "../table/column-menu.tsx";
import { RowCards } from "../table/row-cards.tsx";
import type { TableView } from "../table/table-view.ts";
import { UnsavedBar } from "../table/unsaved-cells.tsx";
import { useGridControl } from "../table/use-grid-control.ts";
import { useIsNarrow } from "../table/use-is-narrow.ts";
import { CellValue } from "../values/cell-value.tsx";
import { averageFormat } from "../values/show-number.ts";
import type { OpenReading, ReadingAnswer, ReadingQuery, ReadRows } from "./open-reading.ts";
import type { Summary } from "./presentation.ts";
import { readingColumns, readingPaths } from "./reading-columns.ts";
import { firstReadingPage } from "./reading-rows.ts";
import { RowsFrame } from "./rows-frame.tsx";

interface ReadingTableProps {
  readonly label: string;
  /** The answer with the first rows. A new one begins the table anew. */
  readonly answer: ReadingAnswer;
  readonly read: ReadRows;
  /** The query of that answer. */
  readonly query: ReadingQuery;
  readonly resource: NavigationResource;
  readonly view: TableView;
  readonly open: readonly string[];
  /** In place of a table without rows. */
  readonly empty: ReactNode;
  readonly tools?: ReactNode;
}

/** The rows of a reading in a grid: cells are edited in place where the person may, and records open beside it. */
export function ReadingTable(props: ReadingTableProps) {
  const { answer, read, query, resource, view } = props;
  const t = useTranslations("grid");
  const format = useFormatter();
  const isNarrow = useIsNarrow();
  const store = useMemo(
    () => new RowStore(firstReadingPage(resource, read, query, answer)),
    [resource, read, query, answer],
  );
  const state = useSyncExternalStore(store.subscribe, () => store.state);
  useEffect(() => {
    store.loadMore();
    return () => store.stop();
  }, [store]);
  const fields = useMemo(() => fieldsToRead(resource, answer.data), [resource, answer]);
  const changes = useRowChanges(resource, fields, store);
  const [menu, setMenu] = useState<{ readonly column: number; readonly beside: Element } | null>(
    null,
  );
  const openMenu = (column: number, beside: Element) => setMenu({ column, beside });
  const control = useGridControl({
    ...{ view, store, state, changes, resources: view.resources, onMenu: openMenu },
    onDelete: ignore,
  });
  const onNearEnd = useCallback(() => store.loadMore(), [store]);
  const menuColumn = view.columns[menu?.column ?? -1];
  const foot = useMemo(() => summaryFoot(answer.data, view), [answer, view]);
  const count = answer.meta?.count;
  const loaded = format.number(state.rows.length);
  const isEmpty = state.isComplete && state.rows.length === 0;
  return (
    <RowsFrame
      label={props.label}
      resource={resource}
      resources={view.resources}
      rows={state.rows}
      changes={changes}
      open={props.open}
      onOpen={view.openRecords}
      status={
        <>
          <span role="status" className="shrink-0 tabular-nums">
            {count === undefined
              ? t("rowsLoaded", { count: loaded })
              : t("rowsOf", { count: loaded, all: format.number(count) })}
          </span>
          <span className="truncate tabular-nums">{control.summary}</span>
          <UnsavedBar unsaved={control.unsaved} />
        </>
      }
      tools={props.tools}
    >
      <div
        data-rows={state.rows.length > 0 || isEmpty ? "" : undefined}
        className="flex min-h-0 flex-1 flex-col"
      >
        {isEmpty ? (
          props.empty
        ) : isNarrow ? (
          <RowCards
            resource={resource}
            columns={view.columns}
            rows={state.rows}
            isComplete={state.isComplete}
            onNearEnd={onNearEnd}
            onOpen={control.open}
          />
        ) : (
          <DataGrid
            {...control.gridProps}
            label={props.label}
            columns={view.columns}
            rows={state.rows}
            isLoading={state.isLoading}
            isComplete={state.isComplete || state.error !== undefined}
            count={count ?? (state.isComplete ? state.rows.length : undefined)}
            onResize={view.setWidth}
            onMenu={openMenu}
            onNearEnd={onNearEnd}
            foot={foot}
          />
        )}
      </div>
      {menu !== null && menuColumn !== undefined && (
        <ColumnMenu
          item={menuColumn}
          view={view}
          beside={menu.beside}
          onClose={() => setMenu(null)}
        />
      )}
      {control.paste !== null && <PasteDialog paste={control.paste} />}
    </RowsFrame>
  );
}

/** The rows of a reading are deleted in their table. */
function ignore(_rows: readonly GridRow[]): void {}

/** The fields with which a written row is read again: those of the reading, and the key. */
export function fieldsToRead(
  resource: NavigationResource,
  reading: Pick<OpenReading, "fields">,
): readonly string[] {
  return readingPaths(reading, resource).map(({ term }) => term);
}

/** Returns what a table says below its columns, by their names; undefined if nothing was asked. */
function summaryFoot(
  { presentation, fields, summaries }: OpenReading,
  { resource }: Pick<TableView, "resource">,
): ReadonlyMap<string, ReactNode> | undefined {
  if (summaries === undefined || presentation.layout !== "table") return undefined;
  const items = readingColumns({ fields }, resource);
  const cells = presentation.columns.flatMap(
    ({ field, summary }): readonly (readonly [string, ReactNode])[] => {
      const item = items.get(field);
      if (item === undefined || summary === undefined || !(field in summaries)) return [];
      return [
        [
          item.name,
          <SummaryCell key={field} item={item} summary={summary} value={summaries[field]} />,
        ],
      ];
    },
  );
  return cells.length === 0 ? undefined : new Map(cells);
}

/** The column whose look a summary has: an amount keeps its format, a number of rows is a plain number. */
function summarized({ column }: GridColumn, summary: Summary): NavigationColumn {
  if (summary === "min" || summary === "max") return column;
  const isCount = summary === "count" || summary === "countDistinct";
  return {
    ...{ ...column, array: false, values: null, colors: null },
    baseType: isCount ? "bigint" : "numeric",
    format: isCount
      ? null
      : summary === "avg"
        ? averageFormat(column.format, column)
        : column.format,
  };
}

function SummaryCell(props: {
  readonly item: GridColumn;
  readonly summary: Summary;
  readonly value: unknown;
}) {
  const t = useTranslations("grid");
  const { item, summary, value } = props;
  return (
    <span className="flex min-w-0 items-baseline gap-1.5">
      <span className="shrink-0 text-1 text-ink-3">{t(`summary.${summary}`)}</span>
      <CellValue column={summarized(item, summary)} value={value} />
    </span>
  );
}
