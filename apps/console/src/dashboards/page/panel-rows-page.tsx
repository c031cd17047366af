import { RowhouseError } from "@rowhouse/client";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { useTranslations } from "use-intl";
import { FilterBar } from "../../records/filter/filter-bar.tsx";
import type { FilterFault } from "../../records/filter/filter-faults.ts";
import type { ReadingAnswer, ReadingQuery, ReadRows } from "../../records/readings/open-reading.ts";
import { resourceOfReading } from "../../records/readings/reading-resource.ts";
import { ReadingTable } from "../../records/readings/reading-table.tsx";
import { useReadingView } from "../../records/readings/use-reading-view.ts";
import { SearchBox } from "../../records/table/search-box.tsx";
import { useOwnWays, WaysProvider } from "../../records/values/ways.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { type NavigationResource, navigationQuery } from "../../shell/navigation.ts";
import { useTask } from "../../shell/use-task.ts";
import { useTitle } from "../../shell/use-title.ts";
import { classes, linkClasses } from "../../ui/classes.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Download } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { fileName, saveFile } from "../../ui/save-file.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { labelOfGroup } from "../model/labels.ts";
import { columnOfGroup } from "../model/panel-columns.ts";
import type { PanelRowsSearch } from "../model/panel-rows-search.ts";
import { groupText } from "../model/panel-ways.ts";
import { usePanelWays } from "../panels/use-panel-ways.ts";
import {
  boardQuery,
  downloadPanelRows,
  type MarkPlace,
  outlineQuery,
  panelQuery,
  panelRowsQuery,
  readPanelRows,
} from "./dashboard-queries.ts";

const from = "/frame/app/dashboards/$id/panels/$panel/rows" as const;
const pageSize = 100;

/** The rows behind a mark of a panel, as far as this person may read them. */
export function PanelRowsPage() {
  const t = useTranslations("dashboards");
  const { id, panel } = useParams({ from });
  const search = useSearch({ from });
  const navigate = useNavigate({ from: "/app/dashboards/$id/panels/$panel/rows" });
  const { parameters, where, order_by: order, search: text } = search;
  const outline = useQuery(outlineQuery(id, parameters)).data;
  const resources = useQuery(navigationQuery).data?.resources;
  const own = useOwnWays();
  const ways = useMemo(
    () => ({ ...own, timeZone: outline?.timeZone ?? own.timeZone }),
    [own, outline?.timeZone],
  );
  const query = useMemo(
    (): ReadingQuery => ({
      ...{ limit: pageSize, count: "exact" },
      ...(where === undefined ? {} : { where }),
      ...(text === undefined ? {} : { search: text }),
      ...(order === undefined ? {} : { order_by: order }),
    }),
    [where, text, order],
  );
  const place = useMemo(
    () => ({ id, panelId: panel, parameters, mark: search.mark }),
    [id, panel, parameters, search.mark],
  );
  const read = useMemo(() => readPanelRows(place), [place]);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...panelRowsQuery(place, query),
    placeholderData: keepPreviousData,
  });
  const change = useCallback(
    (parts: Partial<PanelRowsSearch>, isStep = false) =>
      void navigate({ search: (last) => ({ ...last, ...parts }), replace: !isStep }),
    [navigate],
  );
  const resource = useMemo(
    () =>
      data === undefined || resources === undefined
        ? undefined
        : resourceOfReading(data.data, resources, false),
    [data, resources],
  );
  const title = data?.data.name || t("rowsTitle");
  useTitle(title);
  return (
    <WaysProvider value={ways}>
      <div className="flex h-dvh min-w-0 flex-col max-md:h-[calc(100dvh-49px)]">
        <header className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 border-line border-b px-3.5 py-2">
          <h1 className="flex min-w-0 flex-wrap items-baseline gap-x-1.5">
            <Link
              to="/app/dashboards/$id"
              params={{ id }}
              search={{ parameters }}
              className={`${linkClasses} max-w-80 truncate`}
            >
              <bdi>{outline?.name ?? t("back")}</bdi>
            </Link>
            <span className="text-ink-2">/</span>
            <span className="min-w-0 truncate text-4 font-semibold" dir="auto" title={title}>
              {title}
            </span>
          </h1>
          <MarkWords {...place} timeZone={ways.timeZone} />
        </header>
        {resource !== undefined && resources !== undefined && (
          <PanelRowsTools
            {...{ resource, resources, search, place, query, title }}
            faults={error instanceof RowhouseError ? error.faults : []}
            onChange={change}
          />
        )}
        {error !== null && (
          <div className="border-line border-b p-3.5">
            <FailureNotice error={error} onRetry={() => void refetch()} />
          </div>
        )}
        {data === undefined || resource === undefined || resources === undefined ? (
          error === null && (
            <div className="p-3.5">
              <Skeleton label={t("loading")} rows={8} />
            </div>
          )
        ) : (
          <div
            aria-busy={isPlaceholderData}
            className={classes(
              "flex min-h-0 min-w-0 flex-1 flex-col",
              isPlaceholderData && "opacity-60",
            )}
          >
            <PanelRowsTable
              answer={data}
              {...{ read, query, resource, resources, search, title }}
              onChange={change}
            />
          </div>
        )}
      </div>
    </WaysProvider>
  );
}

/** The mark whose rows are shown, in words: the groups of its panel with their values. */
function MarkWords({ timeZone, ...place }: MarkPlace & { readonly timeZone: string }) {
  const ways = usePanelWays(timeZone);
  const cache = useQueryClient();
  const { id, panelId, parameters, mark } = place;
  // The board has read the panel already.
  const known = cache
    .getQueryData(boardQuery(id, parameters).queryKey)
    ?.panels.find((one) => one.id === panelId);
  const { data } = useQuery({
    ...panelQuery(id, panelId, parameters),
    ...(known === undefined ? {} : { initialData: known }),
    enabled: mark !== undefined,
  });
  if (mark === undefined || data?.terms === undefined) return null;
  const { fields = [], terms } = data;
  const chosen = terms.groups.filter(({ name }) => Object.hasOwn(mark, name));
  return (
    <ul className="flex min-w-0 flex-wrap gap-1.5">
      {chosen.map((term) => (
        <li
          key={term.name}
          className="flex min-w-0 max-w-72 gap-1 rounded-control border border-accent-line bg-accent-soft px-2 leading-6"
        >
          <bdi className="truncate text-ink-2">{labelOfGroup(term, fields)}</bdi>
          <bdi className="truncate font-medium">
            {groupText(term, columnOfGroup(term, fields), mark[term.name], ways)}
          </bdi>
        </li>
      ))}
    </ul>
  );
}

interface PanelRowsTableProps {
  readonly answer: ReadingAnswer;
  readonly read: ReadRows;
  readonly query: ReadingQuery;
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly search: PanelRowsSearch;
  readonly title: string;
  readonly onChange: (change: Partial<PanelRowsSearch>, isStep?: boolean) => void;
}

const noRecords: readonly string[] = [];

/** The rows behind a mark in the grid of every page, with their records beside it. */
function PanelRowsTable(props: PanelRowsTableProps) {
  const { answer, resource, search, title, onChange } = props;
  const t = useTranslations("dashboards");
  const view = useReadingView({
    ...{ resource, resources: props.resources, reading: answer.data, state: search },
    onState: onChange,
    onOpen: (paths, isStep) => onChange({ open: paths.length === 0 ? undefined : paths }, isStep),
  });
  return (
    <ReadingTable
      {...{ answer, resource, view }}
      read={props.read}
      query={props.query}
      label={title}
      open={search.open ?? noRecords}
      empty={
        <div className="p-3.5">
          <EmptyState title={t("noRows")} text={t("noRowsText")} />
        </div>
      }
    />
  );
}

interface PanelRowsToolsProps {
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly search: PanelRowsSearch;
  readonly place: MarkPlace;
  readonly query: ReadingQuery;
  readonly title: string;
  readonly faults: readonly FilterFault[];
  readonly onChange: (change: Partial<PanelRowsSearch>) => void;
}

/** What a person chooses of the rows behind a mark: a filter, a text, and a file of them. */
function PanelRowsTools(props: PanelRowsToolsProps) {
  const { resource, resources, search, place, query, title, faults, onChange } = props;
  const t = useTranslations("dashboards");
  const save = useTask(async () => {
    saveFile(await downloadPanelRows(place, query), fileName(title, "csv"));
  }, []);
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-1.5 gap-y-1 border-line border-b px-3.5 py-1.5">
      <FilterBar
        {...{ resource, resources, faults }}
        where={search.where}
        onChange={(where) => onChange({ where })}
      />
      <span className="flex-1" />
      <SearchBox text={search.search ?? ""} onChange={(text) => onChange({ search: text })} />
      <ToolButton aria-busy={save.isBusy} onClick={save.run}>
        <Download size={14} aria-hidden="true" />
        {t("csv")}
      </ToolButton>
      {save.failure !== undefined && <Notice kind="danger">{save.failure}</Notice>}
    </div>
  );
}
