import { writeName } from "@rowhouse/access/written-name";
import { RowhouseError } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useTranslations } from "use-intl";
import { FilterBar } from "../../records/filter/filter-bar.tsx";
import { type FilterFault, isFilterFault } from "../../records/filter/filter-faults.ts";
import { DataGrid } from "../../records/grid/data-grid.tsx";
import { type Row, titleOf } from "../../records/model/resource.ts";
import { NewRecord } from "../../records/panel/new-record.tsx";
import { RecordStack } from "../../records/panel/record-stack.tsx";
import { equalValues } from "../../records/rows/equal-values.ts";
import { countRows, firstPage, type RowsRequest } from "../../records/rows/load-rows.ts";
import { RowCount } from "../../records/rows/row-count.ts";
import {
  type GridRow,
  RowStore,
  type RowsState,
  type Unreadable,
} from "../../records/rows/row-store.ts";
import { useRowChanges } from "../../records/rows/use-row-changes.ts";
import { useUndoKeys } from "../../records/rows/use-undo-keys.ts";
import { ColumnMenu } from "../../records/table/column-menu.tsx";
import { RowCards } from "../../records/table/row-cards.tsx";
import { namesOf } from "../../records/table/rows-search.ts";
import { useGridControl } from "../../records/table/use-grid-control.ts";
import { useIsNarrow } from "../../records/table/use-is-narrow.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import { type NavigationResource, personQuery } from "../../shell/navigation.ts";
import { classes } from "../../ui/classes.ts";
import { Copy, Pencil, Trash2, X } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useWide } from "../../ui/use-wide.ts";
import { TransferButtons } from "../transfer/transfer-buttons.tsx";
import { GoToDialog, StartBar } from "./go-to-dialog.tsx";
import { GroupTable } from "./group-table.tsx";
import { requestPath } from "./own-request.ts";
import { type Bulk, RowsDialogs } from "./rows-dialogs.tsx";
import { EmptyRows, RowsFailure, StatusBar } from "./rows-status.tsx";
import { RowsHeader, RowsToolbar } from "./rows-toolbar.tsx";
import { usePageKeys } from "./use-page-keys.ts";
import { type RowsView, useRowsView } from "./use-rows-view.ts";

interface RowsPageProps {
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
}

const noFaults: readonly FilterFault[] = [];
const noRecords: readonly string[] = [];

interface OpenMenu {
  readonly column: number;
  readonly beside: Element;
}

/** The rows of one resource: what is chosen above, the grid, a record beside it, and the state below. */
export function RowsPage({ resource, resources }: RowsPageProps) {
  const t = useTranslations("grid");
  const isNarrow = useIsNarrow();
  const isWide = useWide();
  const loaded = useRowsView(resource, resources);
  const { search, fields } = loaded;
  const { where, order_by: orderBy, search: text, from = 1 } = search;
  const start = from - 1;
  const { store, state, isStale } = useRows({
    ...{ resource, fields, where, orderBy, start },
    search: text,
  });
  const view = useReadView(loaded, state.unreadable);
  const { columns } = view;
  const changes = useRowChanges(resource, view.fields, store);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [draft, setDraft] = useState<Row | null>(null);
  const [bulk, setBulk] = useState<Bulk | null>(null);
  const [isGoing, setGoing] = useState(false);
  const openMenu = (column: number, beside: Element) => setMenu({ column, beside });
  const mayDelete = resource.actions.includes("DELETE");
  const mayUpdate = resource.columns.some(({ readable, updatable }) => readable && updatable);
  const begin = (kind: Bulk["kind"], chosen: readonly GridRow[]) => {
    const rows = chosen.filter(({ key }) => key !== null);
    const isAllowed = kind === "DELETE" ? mayDelete : mayUpdate;
    if (!isAllowed || rows.length === 0) return;
    changes.dismiss();
    setBulk({ kind, rows });
  };
  const control = useGridControl({
    ...{ view, store, state, resources, changes, onMenu: openMenu },
    onDelete: (rows) => begin("DELETE", rows),
  });
  const checked = control.checked.rows;
  const [only] = checked.length === 1 ? checked : [];
  const menuColumn = columns[menu?.column ?? -1];
  const grouped = namesOf(search.group);
  const mayCreate = resource.actions.includes("CREATE");
  const { data: person } = useQuery(personQuery);
  const prefilled = useMemo(
    () => equalValues(where, resource, person?.id),
    [where, resource, person],
  );
  const onNew = useMemo(
    () => (mayCreate ? () => setDraft(prefilled) : null),
    [mayCreate, prefilled],
  );
  useUndoKeys(changes);
  const onRefresh = useCallback(() => store.refresh(), [store]);
  const copyTitles = useRef(control.copyTitles);
  copyTitles.current = control.copyTitles;
  const onCopyTitles = useCallback(() => copyTitles.current(), []);
  const onGoTo = useCallback(() => setGoing(true), []);
  usePageKeys({ onNew, onRefresh, onGoTo, onCopyTitles });
  const onNearEnd = useCallback(() => store.loadMore(), [store]);
  const faults = state.error instanceof RowhouseError ? state.error.faults : noFaults;
  const isShownByFilter = faults.length > 0 && faults.every(isFilterFault);
  // On a narrow window the panel is a page above the rows, where the focus has no place.
  /** A panel or a dialog shows the failure of a write itself. */
  const isOver = search.open !== undefined || draft !== null || bulk?.kind === "CHANGE";
  const isCovered = !isWide && (draft !== null || search.open !== undefined);
  const grid = (
    <DataGrid
      {...control.gridProps}
      label={titleOf(resource)}
      columns={columns}
      rows={state.rows}
      isLoading={state.isLoading || isStale}
      isComplete={state.isComplete || state.error !== undefined}
      count={state.count}
      start={start}
      onResize={view.setWidth}
      onMenu={openMenu}
      onNearEnd={onNearEnd}
    />
  );
  return (
    <div className="grid h-dvh min-w-0 max-md:h-[calc(100dvh-49px)] md:grid-cols-[minmax(0,1fr)_auto]">
      <section
        aria-label={titleOf(resource)}
        inert={isCovered}
        className="flex min-h-0 min-w-0 flex-col"
      >
        <RowsHeader resource={resource} onNew={onNew}>
          <TransferButtons view={view} count={state.count} onImported={() => store.refresh()} />
        </RowsHeader>
        {checked.length > 0 ? (
          <ChosenBar
            count={checked.length}
            onChange={mayUpdate ? () => begin("CHANGE", checked) : null}
            onDuplicate={
              mayCreate && only !== undefined ? () => setDraft(copyOf(resource, only.values)) : null
            }
            onDelete={mayDelete ? () => begin("DELETE", checked) : null}
            onClear={() => control.checked.setAll(false)}
          />
        ) : (
          <RowsToolbar
            view={view}
            filter={
              <FilterBar
                resource={resource}
                resources={resources}
                where={where}
                onChange={(next) => view.change({ where: next })}
                faults={faults}
              />
            }
          />
        )}
        {state.error !== undefined && !isShownByFilter && (
          <RowsFailure
            error={state.error}
            action={t("retry")}
            onAction={() => store.retry()}
            path={requestPath(view)}
          />
        )}
        {changes.error !== undefined && !isOver && (
          <RowsFailure error={changes.error} action={t("dismiss")} onAction={changes.dismiss} />
        )}
        {start > 0 && <StartBar view={view} start={start} />}
        <div
          data-rows={state.rows.length > 0 || state.isComplete ? "" : undefined}
          className={classes("flex min-h-0 flex-1 flex-col", isStale && "opacity-60")}
        >
          {grouped.length > 0 ? (
            <GroupTable view={view} names={grouped} />
          ) : state.isComplete && state.rows.length === 0 && start === 0 ? (
            <EmptyRows
              isFiltered={where !== undefined || text !== undefined}
              onClear={() => view.change({ where: undefined, search: undefined })}
              onNew={onNew}
              path={requestPath(view)}
            />
          ) : isNarrow ? (
            <RowCards
              {...{ resource, columns, onNearEnd }}
              rows={state.rows}
              isComplete={state.isComplete}
              onOpen={control.open}
            />
          ) : (
            grid
          )}
        </div>
        <StatusBar {...{ view, state, changes, control, onGoTo }} />
      </section>
      {draft === null ? (
        <RecordStack
          {...{ resource, resources, changes }}
          rows={state.rows}
          open={search.open ?? noRecords}
          onOpen={view.openRecords}
        />
      ) : (
        <NewRecord
          {...{ resource, resources, changes }}
          initial={draft}
          onClose={() => {
            changes.dismiss();
            setDraft(null);
            focusGrid();
          }}
          onCreated={() => {
            setDraft(null);
            control.activateFirst();
            focusGrid();
          }}
        />
      )}
      {menu !== null && menuColumn !== undefined && (
        <ColumnMenu
          item={menuColumn}
          view={view}
          beside={menu.beside}
          onClose={() => setMenu(null)}
        />
      )}
      {isGoing && <GoToDialog view={view} count={state.count} onClose={() => setGoing(false)} />}
      <RowsDialogs {...{ view, state, changes, control, bulk }} onClose={() => setBulk(null)} />
    </div>
  );
}

/** Where the person goes on once the form of a new row is closed. */
function focusGrid(): void {
  const find = (selector: string) => document.querySelector<HTMLElement>(selector);
  requestAnimationFrame(() => (find('[role="grid"]') ?? find("[data-new]"))?.focus());
}

/** The view with the faults of its columns, and without the fields that cannot be read. */
function useReadView(view: RowsView, unreadable: Unreadable | undefined): RowsView {
  const t = useTranslations("grid");
  const describe = useFailureText();
  const fault =
    unreadable === undefined ? "" : t("unreadable", { fault: describe(unreadable.error) });
  return useMemo(() => {
    if (unreadable === undefined) return view;
    const isRead = (field: string) => !unreadable.fields.has(field);
    const columns = view.columns.map((item) =>
      isRead(writeName(item.name)) ? item : { ...item, fault },
    );
    return { ...view, columns, fields: view.fields.filter(isRead) };
  }, [view, unreadable, fault]);
}

/** Returns the values of a duplicate: those that the person may set, without the key if it has a default. */
function copyOf(resource: NavigationResource, row: Row): Row {
  const copied = resource.columns.filter(
    ({ name, creatable, hasDefault }) =>
      creatable && name in row && !(hasDefault && resource.primaryKey.includes(name)),
  );
  return Object.fromEntries(copied.map(({ name }) => [name, row[name]]));
}

/** The rows of a request. While the first page of another request loads, the rows of the last one stay. */
function useRows(request: RowsRequest): {
  readonly store: RowStore;
  readonly state: RowsState;
  /** Whether the rows are those of an earlier request. */
  readonly isStale: boolean;
} {
  const { resource, fields, where, orderBy, search, start = 0 } = request;
  const whereText = JSON.stringify(where);
  const fieldList = JSON.stringify(fields);
  const count = useMemo(() => {
    const parts = { search, where: readWhere(whereText) };
    return new RowCount((signal) => countRows(resource, parts, signal));
  }, [resource, whereText, search]);
  const store = useMemo(() => {
    const parts = { resource, orderBy, search, start, fields: JSON.parse(fieldList) };
    return new RowStore(firstPage({ ...parts, where: readWhere(whereText) }), count, start);
  }, [resource, fieldList, whereText, orderBy, search, start, count]);
  const state = useSyncExternalStore(store.subscribe, () => store.state);
  useEffect(() => {
    store.loadMore();
    return () => store.stop();
  }, [store]);
  useEffect(() => () => count.stop(), [count]);
  const last = useRef({ resource, state });
  const isWaiting = state.rows.length === 0 && !state.isComplete && state.error === undefined;
  const isStale = isWaiting && last.current.resource === resource && last.current.state !== state;
  useEffect(() => {
    if (!isWaiting) last.current = { resource, state };
  }, [isWaiting, resource, state]);
  return { store, state: isStale ? last.current.state : state, isStale };
}

function readWhere(text: string | undefined): RowsRequest["where"] {
  return text === undefined ? undefined : JSON.parse(text);
}

/** What one can do with the rows that are checked. */
function ChosenBar(props: {
  readonly count: number;
  /** Null for what the person may not do. */
  readonly onChange: (() => void) | null;
  readonly onDuplicate: (() => void) | null;
  readonly onDelete: (() => void) | null;
  readonly onClear: () => void;
}) {
  const t = useTranslations("grid");
  return (
    <div
      role="toolbar"
      aria-label={t("selectedRows", { count: props.count })}
      className="flex min-h-10 flex-wrap items-center gap-1.5 border-line border-b bg-accent-soft px-3.5 py-1.5"
    >
      <span className="mr-2 font-medium">{t("selectedRows", { count: props.count })}</span>
      {props.onChange !== null && (
        <ToolButton onClick={props.onChange}>
          <Pencil size={14} aria-hidden="true" />
          {t("change")}
        </ToolButton>
      )}
      {props.onDuplicate !== null && (
        <ToolButton onClick={props.onDuplicate}>
          <Copy size={14} aria-hidden="true" />
          {t("duplicate")}
        </ToolButton>
      )}
      {props.onDelete !== null && (
        <ToolButton kind="danger" onClick={props.onDelete}>
          <Trash2 size={14} aria-hidden="true" />
          {t("deleteRows")}
        </ToolButton>
      )}
      <span className="flex-1" />
      <ToolButton kind="bare" onClick={props.onClear}>
        <X size={14} aria-hidden="true" />
        {t("unselect")}
      </ToolButton>
    </div>
  );
}
