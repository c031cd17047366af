import { useTranslations } from "use-intl";
import { cellOf, type GridColumn } from "../../records/grid/grid-column.ts";
import { GridValue } from "../../records/grid/grid-value.tsx";
import { titleOf } from "../../records/model/resource.ts";
import type { GridRow } from "../../records/rows/row-store.ts";
import { valueText } from "../../records/values/show-value.ts";
import type { Ways } from "../../records/values/ways.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { ViewAnswer, ViewQuery, ViewSource } from "../model/open-view.ts";
import type { ViewState } from "../model/view-state.ts";

/** What every layout shows, and what it calls. */
export interface LayoutProps {
  readonly answer: ViewAnswer;
  readonly source: ViewSource;
  /** The query of the answer. */
  readonly query: ViewQuery;
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly state: ViewState;
  /** Changes the address. Only another place is a step of the browser's history. */
  readonly onState: (change: Partial<ViewState>, isStep?: boolean) => void;
  readonly onOpen: (paths: readonly string[], isStep: boolean) => void;
}

/** Characters of a title that a label of a button has. */
const titleMax = 120;

/** Returns the title of a row as a text, for labels of buttons. */
export function titleText(item: GridColumn | undefined, row: GridRow, ways: Ways): string {
  const text = item === undefined ? "" : valueText(item.column, cellOf(item, row.values), ways);
  return (text === "" ? (row.key?.join(", ") ?? "–") : text).slice(0, titleMax);
}

/** A value of a row with the name of its field, in one line. */
export function RowField({ item, row }: { readonly item: GridColumn; readonly row: GridRow }) {
  return (
    <span className="grid min-w-0 grid-cols-[38%_minmax(0,1fr)] gap-2 text-2">
      <span className="truncate text-ink-2" dir="auto" title={titleOf(item.column)}>
        {titleOf(item.column)}
      </span>
      <span className="flex min-w-0 overflow-hidden">
        <GridValue item={item} values={row.values} />
      </span>
    </span>
  );
}

/** The text by which a row is recognized; its key where it has none. */
export function RowTitle({
  item,
  row,
}: {
  readonly item: GridColumn | undefined;
  readonly row: GridRow;
}) {
  const value = item === undefined ? undefined : cellOf(item, row.values);
  if (item === undefined || value === null || value === undefined || value === "") {
    return <span className="truncate text-ink-3">{row.key?.join(", ") ?? "–"}</span>;
  }
  return <GridValue item={item} values={row.values} />;
}

/** In place of rows: whether the filter of the person leaves none, or there are none. */
export function EmptyView(props: {
  readonly state: Pick<ViewState, "where" | "search">;
  readonly onState: (change: Partial<ViewState>) => void;
}) {
  const t = useTranslations("grid");
  const { where, search } = props.state;
  const isFiltered = where !== undefined || search !== undefined;
  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-3 p-8 text-center">
      <p className="text-4 font-medium">{t(isFiltered ? "noMatch" : "noRows")}</p>
      <p className="max-w-90 text-ink-2">{t(isFiltered ? "noMatchText" : "noRowsText")}</p>
      {isFiltered && (
        <ToolButton onClick={() => props.onState({ where: undefined, search: undefined })}>
          {t("clearFilter")}
        </ToolButton>
      )}
    </div>
  );
}
