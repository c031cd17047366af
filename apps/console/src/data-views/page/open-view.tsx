import { writeName } from "@rowhouse/access/written-name";
import { RowhouseError } from "@rowhouse/client";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { FilterBar } from "../../records/filter/filter-bar.tsx";
import type { FilterFault } from "../../records/filter/filter-faults.ts";
import { titleOf } from "../../records/model/resource.ts";
import { readingColumns } from "../../records/readings/reading-columns.ts";
import { resourceOfReading } from "../../records/readings/reading-resource.ts";
import { useReadingView } from "../../records/readings/use-reading-view.ts";
import type { Filter } from "../../records/rows/rows-address.ts";
import { ColumnsMenu } from "../../records/table/columns-menu.tsx";
import { SearchBox } from "../../records/table/search-box.tsx";
import { valueText } from "../../records/values/show-value.ts";
import { valueKindOf } from "../../records/values/value-kind.ts";
import { useWays } from "../../records/values/ways.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { classes } from "../../ui/classes.ts";
import { ChevronDown, Columns3 } from "../../ui/icons.generated.ts";
import { OpenMenu } from "../../ui/menu.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { ViewContent } from "../layouts/view-content.tsx";
import { useViewAnswer, type ViewAnswer, type ViewSource } from "../model/open-view.ts";
import type { ViewState } from "../model/view-state.ts";
import { ViewHeader } from "./view-header.tsx";

interface OpenViewProps {
  readonly source: ViewSource;
  readonly state: ViewState;
  readonly onState: (change: Partial<ViewState>, isStep?: boolean) => void;
  readonly resources: readonly NavigationResource[];
  /** What stands in place of the page for an error that ends it; null for one that can be mended here. */
  readonly refused?: (error: unknown) => ReactNode;
}

/** A DataView with its heading, what can be chosen, and its rows. The builder shows the same. */
export function OpenView({ source, state, onState, resources, refused }: OpenViewProps) {
  const t = useTranslations("dataView");
  const words = useTranslations("grid");
  const describe = useFailureText();
  const { answer, error, query, isStale, reload } = useViewAnswer(source, state);
  const resource = useMemo(
    () =>
      answer === undefined
        ? undefined
        : resourceOfReading(answer.data, resources, source.isPreview),
    [answer, resources, source],
  );
  const end = error === null || answer !== undefined ? null : refused?.(error);
  if (end !== null && end !== undefined) return end;
  const isChosen =
    state.where !== undefined || state.search !== undefined || state.order_by !== undefined;
  const failure = error !== null && (
    <div className="border-line border-b p-2">
      <Notice kind="danger">
        <span className="mr-3">{describe(error)}</span>
        <button type="button" onClick={reload} className="min-h-6 font-medium underline">
          {words("retry")}
        </button>
      </Notice>
    </div>
  );
  if (answer === undefined || resource === undefined) {
    return (
      <div className="grid content-start gap-3 p-4">
        <h1 className="sr-only">{t("title")}</h1>
        {failure}
        {error === null ? (
          <Skeleton label={t("loading")} rows={8} />
        ) : (
          isChosen && (
            <div>
              <ToolButton
                onClick={() =>
                  onState({ where: undefined, search: undefined, order_by: undefined })
                }
              >
                {words("clearFilter")}
              </ToolButton>
            </div>
          )
        )}
      </div>
    );
  }
  const faults = error instanceof RowhouseError ? error.faults : [];
  return (
    <>
      <div data-beside-panel className="contents">
        <ViewHeader {...{ answer, source, query, state }} onReload={reload} />
        <ViewToolbar {...{ answer, resource, resources, state, onState, faults }} />
      </div>
      {failure}
      {"degraded" in answer.data.presentation && (
        <div className="border-line border-b p-2">
          <Notice kind="info">{t("degraded")}</Notice>
        </div>
      )}
      <div
        aria-busy={isStale}
        className={classes("flex min-h-0 min-w-0 flex-1 flex-col", isStale && "opacity-60")}
      >
        <ViewContent {...{ answer, source, query, resources, state, onState }} />
      </div>
    </>
  );
}

interface ViewToolbarProps {
  readonly answer: ViewAnswer;
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly state: ViewState;
  readonly onState: (change: Partial<ViewState>, isStep?: boolean) => void;
  readonly faults: readonly FilterFault[];
}

/** What the person chooses of the rows: values, any filter, columns, a text. */
function ViewToolbar(props: ViewToolbarProps) {
  const { answer, resource, resources, state, onState, faults } = props;
  const { presentation } = answer.data;
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-1.5 gap-y-1 border-line border-b px-3.5 py-1.5">
      <QuickFilters
        {...{ answer, resource }}
        where={state.where}
        onChange={(where) => onState({ where })}
      />
      <FilterBar
        {...{ resource, resources, faults }}
        where={state.where}
        onChange={(where) => onState({ where })}
      />
      <span className="flex-1" />
      {presentation.layout === "table" && <Columns {...props} />}
      <SearchBox text={state.search ?? ""} onChange={(search) => onState({ search })} />
    </div>
  );
}

function Columns(props: ViewToolbarProps) {
  const t = useTranslations("grid");
  const [isChoosing, setChoosing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const view = useReadingView({ ...props, reading: props.answer.data, onOpen: () => {} });
  const all = view.allColumns.length;
  return (
    <>
      <ToolButton
        ref={button}
        kind="bare"
        aria-expanded={isChoosing}
        onClick={() => setChoosing(true)}
      >
        <Columns3 size={15} aria-hidden="true" />
        {view.columns.length === all
          ? t("columns", { count: all })
          : t("columnsShown", { count: view.columns.length, all })}
      </ToolButton>
      {isChoosing && <ColumnsMenu view={view} beside={button} onClose={() => setChoosing(false)} />}
    </>
  );
}

/** Columns that have a quick filter. */
const filtersMax = 3;

interface QuickFiltersProps {
  readonly answer: ViewAnswer;
  readonly resource: NavigationResource;
  readonly where: Filter | undefined;
  readonly onChange: (where: Filter | undefined) => void;
}

/** Filters by one value of a column with few of them: an enum, or yes and no. */
function QuickFilters({ answer, resource, where, onChange }: QuickFiltersProps) {
  const columns = useMemo(
    () =>
      [...readingColumns(answer.data, resource).values()]
        .map(({ column }) => column)
        .filter((column) => resource.columns.includes(column))
        .filter((column) => ["ENUM", "BOOLEAN"].includes(valueKindOf(column)))
        .slice(0, filtersMax),
    [answer, resource],
  );
  return columns.map((column) => {
    const name = writeName(column.name);
    const { [name]: own, ...others } = where ?? {};
    const set = (value: unknown) => {
      const next = value === undefined ? others : { ...others, [name]: { _eq: value } };
      onChange(Object.keys(next).length === 0 ? undefined : next);
    };
    return <QuickFilter key={name} column={column} chosen={equalTo(own)} onChoose={set} />;
  });
}

/** Returns the value of a condition that is one of equality; undefined for any other. */
function equalTo(condition: unknown): unknown {
  if (typeof condition !== "object" || condition === null) return undefined;
  const [entry, ...more] = Object.entries(condition);
  return entry?.[0] === "_eq" && more.length === 0 ? entry[1] : undefined;
}

function QuickFilter(props: {
  readonly column: NavigationColumn;
  /** Undefined for any value. */
  readonly chosen: unknown;
  readonly onChoose: (value: unknown) => void;
}) {
  const { column, chosen, onChoose } = props;
  const t = useTranslations("dataView");
  const ways = useWays();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const title = titleOf(column);
  const values: readonly unknown[] = column.values ?? [true, false];
  const entry = (value: unknown, id: string, label: string) => ({
    ...{ id, label },
    ...(value === chosen ? { hint: "✓" } : {}),
    onPress: () => onChoose(value),
  });
  return (
    <>
      <ToolButton
        ref={button}
        kind={chosen === undefined ? "bare" : "plain"}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <span dir="auto" className="max-w-40 truncate">
          {chosen === undefined ? title : `${title}: ${valueText(column, chosen, ways)}`}
        </span>
        <ChevronDown size={13} aria-hidden="true" />
      </ToolButton>
      {isOpen && (
        <OpenMenu
          label={title}
          beside={button}
          onClose={() => setOpen(false)}
          groups={[
            {
              id: "values",
              entries: [
                entry(undefined, "any", t("any")),
                ...values.map((value) =>
                  entry(value, `value ${String(value)}`, valueText(column, value, ways)),
                ),
              ],
            },
          ]}
        />
      )}
    </>
  );
}
