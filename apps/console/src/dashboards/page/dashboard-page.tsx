import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { pageClasses } from "../../ui/page-head.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { type OpenParameter, presentValue } from "../model/open-dashboard.ts";
import type { Mark } from "../model/open-panel.ts";
import { readPanelRowsSearch } from "../model/panel-rows-search.ts";
import { Board } from "./board.tsx";
import { BoardHead } from "./board-head.tsx";
import { boardQuery, outlineQuery } from "./dashboard-queries.ts";
import { ParameterBar } from "./parameter-bar.tsx";
import { useBoardKeys } from "./use-board-keys.ts";
import { usePanelReload } from "./use-panel-reload.ts";

/** A dashboard: its parameters, and its panels on a board of twelve columns. */
export function DashboardPage() {
  const { id } = useParams({ from: "/frame/app/dashboards/$id" });
  return <OpenedDashboard key={id} id={id} />;
}

function OpenedDashboard({ id }: { readonly id: string }) {
  const t = useTranslations("dashboards");
  const { parameters } = useSearch({ from: "/frame/app/dashboards/$id" });
  const navigate = useNavigate({ from: "/app/dashboards/$id" });
  const outline = useQuery(outlineQuery(id, parameters));
  const board = useQuery({
    ...boardQuery(id, parameters),
    // The panels of the last parameters stay until those of the new ones arrive.
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const seconds = state.data?.refreshSeconds ?? null;
      return seconds === null ? false : seconds * 1000;
    },
  });
  const reload = usePanelReload(id, parameters);
  const { refetch } = board;
  useBoardKeys(refetch);
  const dashboard = board.data ?? outline.data;
  useTitle(dashboard?.name ?? t("title"));
  const error = board.data === undefined ? (outline.error ?? board.error) : board.error;
  if (dashboard === undefined) {
    return (
      <div className={pageClasses}>
        {error === null ? (
          <Skeleton label={t("loading")} rows={8} />
        ) : (
          <FailureNotice
            error={error}
            onRetry={() => Promise.all([outline.refetch(), refetch()])}
          />
        )}
      </div>
    );
  }
  const change = (parameter: OpenParameter, next: (value: unknown) => unknown) =>
    navigate({
      search: (before) => {
        const chosen = before.parameters ?? {};
        const value = next(presentValue(parameter, chosen));
        return { ...before, parameters: { ...chosen, [parameter.name]: value } };
      },
    });
  const openRows = (panel: string, mark: Mark) =>
    navigate({
      to: "/app/dashboards/$id/panels/$panel/rows",
      params: { id, panel },
      search: { ...readPanelRowsSearch({}), parameters, mark },
    });
  return (
    <div className={pageClasses}>
      <BoardHead
        dashboard={dashboard}
        parameters={parameters}
        isBusy={board.isFetching}
        onRefresh={() => void refetch()}
      />
      <ParameterBar
        id={id}
        parameters={(outline.data ?? dashboard).parameters}
        chosen={parameters ?? {}}
        onChange={(parameter, next) => void change(parameter, next)}
      />
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <Board
        dashboard={dashboard}
        isLoaded={board.data !== undefined}
        isStale={board.isPlaceholderData}
        loading={reload.loading}
        onReload={reload.reload}
        onDrill={(panel, mark) => void openRows(panel, mark)}
      />
    </div>
  );
}
