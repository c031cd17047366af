import { RowhouseError } from "@rowhouse/client";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { type Command, useCommands } from "../../shell/commands.ts";
import { CopyCurl } from "../../shell/copy-text.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { PinButton } from "../../shell/pin-button.tsx";
import { type Shortcut, useShortcuts } from "../../shell/shortcuts.ts";
import { useTitle } from "../../shell/use-title.ts";
import { classes } from "../../ui/classes.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Printer, RefreshCw } from "../../ui/icons.generated.ts";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { boardGap, boardRow, inReadingOrder, placeStyle } from "../model/board.ts";
import {
  type OpenDashboard,
  type OpenParameter,
  type ParameterValues,
  presentValue,
} from "../model/open-dashboard.ts";
import type { Mark, OpenPanel } from "../model/open-panel.ts";
import { readPanelRowsSearch } from "../model/panel-rows-search.ts";
import { PanelCard } from "../panels/panel-card.tsx";
import { ChoiceParameter } from "./choice-parameter.tsx";
import { boardQuery, loadPanel, outlineQuery } from "./dashboard-queries.ts";
import { PeriodParameter } from "./period-parameter.tsx";

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

/** Adds the keys of a dashboard, and its actions to the palette. */
function useBoardKeys(refresh: () => unknown): void {
  const t = useTranslations("dashboards");
  const shortcuts = useMemo(
    (): readonly Shortcut[] => [
      { keys: "r", label: t("refresh"), section: t("title"), run: () => void refresh() },
    ],
    [t, refresh],
  );
  useShortcuts(shortcuts);
  const commands = useMemo((): readonly Command[] => {
    const group = "here" as const;
    const run = () => void refresh();
    return [
      { id: "refresh", group, label: t("refresh"), icon: RefreshCw, keys: "r", run },
      { id: "print", group, label: t("print"), icon: Printer, run: () => window.print() },
    ];
  }, [t, refresh]);
  useCommands(commands);
}

interface ParameterBarProps {
  readonly id: string;
  readonly parameters: readonly OpenParameter[];
  /** The values in the address, which precede those of the last response. */
  readonly chosen: ParameterValues;
  /** The change of a parameter's value in the address. */
  readonly onChange: (parameter: OpenParameter, change: (value: unknown) => unknown) => void;
}

/** The parameters that the panels share. */
function ParameterBar({ id, parameters, chosen, onChange }: ParameterBarProps) {
  const t = useTranslations("dashboards");
  if (parameters.length === 0) return null;
  return (
    <fieldset className="flex flex-wrap items-end gap-x-4 gap-y-2">
      <legend className="sr-only">{t("parameters")}</legend>
      {parameters.map((parameter) => {
        const { name } = parameter;
        if (parameter.kind === "PERIOD") {
          const choose = (value: unknown) => onChange(parameter, () => value);
          return <PeriodParameter key={name} parameter={parameter} onChange={choose} />;
        }
        // A choice is added to those in the address: the response to the last one may not have arrived.
        const current = { ...parameter, value: presentValue(parameter, chosen) };
        const change = (next: (value: unknown) => unknown) => onChange(parameter, next);
        return <ChoiceParameter key={name} id={id} parameter={current} onChange={change} />;
      })}
    </fieldset>
  );
}

/** Reads single panels again; the other panels stay as they are. */
function usePanelReload(id: string, parameters: ParameterValues | undefined) {
  const cache = useQueryClient();
  const [loading, setLoading] = useState<ReadonlySet<string>>(new Set());
  const { queryKey } = boardQuery(id, parameters);
  const put = (panel: OpenPanel) =>
    cache.setQueryData<OpenDashboard>(queryKey, (board) =>
      board === undefined
        ? board
        : { ...board, panels: board.panels.map((one) => (one.id === panel.id ? panel : one)) },
    );
  const reload = async (panel: OpenPanel) => {
    setLoading((before) => new Set([...before, panel.id]));
    try {
      put(await loadPanel(id, panel.id, parameters));
    } catch (error) {
      put({ ...panel, error: asFault(error) });
    } finally {
      setLoading((before) => new Set([...before].filter((one) => one !== panel.id)));
    }
  };
  return { loading, reload: (panel: OpenPanel) => void reload(panel) };
}

/** Returns a failed request in the form in which panels have their errors. */
function asFault(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof RowhouseError)) return { code: "INTERNAL_ERROR", message: "" };
  return { code: error.code, message: error.message };
}

interface BoardProps {
  readonly dashboard: OpenDashboard;
  /** Whether the panels have their content; before, they have their places. */
  readonly isLoaded: boolean;
  /** Whether the content is that of other parameters. */
  readonly isStale: boolean;
  /** The panels that are read again alone. */
  readonly loading: ReadonlySet<string>;
  readonly onReload: (panel: OpenPanel) => void;
  readonly onDrill: (panelId: string, mark: Mark) => void;
}

/** The panels in their places; where there is no room for columns, one below the other as people read them. */
function Board(props: BoardProps) {
  const t = useTranslations("dashboards");
  const { dashboard, isLoaded, isStale, loading } = props;
  const { panels, timeZone } = dashboard;
  if (panels.length === 0) return <EmptyState title={t("empty")} text={t("emptyText")} />;
  return (
    <div className="@container">
      <div
        aria-busy={!isLoaded || isStale}
        className={classes(
          "grid @min-[42rem]:grid-cols-12",
          "@min-[42rem]:auto-rows-[var(--row-height)] print:auto-rows-[minmax(var(--row-height),auto)]",
          isStale && "opacity-60",
        )}
        style={{ gap: boardGap, ...{ "--row-height": `${boardRow}px` } }}
      >
        {inReadingOrder(panels).map((panel) => (
          <div
            key={panel.id}
            className="grid min-w-0 break-inside-avoid @min-[42rem]:[grid-column:var(--column)] @min-[42rem]:[grid-row:var(--rows)] @max-[42rem]:h-(--height) print:h-auto"
            style={placeStyle(panel.layout)}
          >
            <PanelCard
              panel={panel}
              timeZone={timeZone}
              isLoading={!isLoaded || loading.has(panel.id)}
              onReload={() => props.onReload(panel)}
              onDrill={(mark) => props.onDrill(panel.id, mark)}
            />
          </div>
        ))}
      </div>
    </div>
  );
}

interface BoardHeadProps {
  readonly dashboard: OpenDashboard;
  readonly parameters: ParameterValues | undefined;
  readonly isBusy: boolean;
  readonly onRefresh: () => void;
}

/** The name of a dashboard, and what can be done with all of it. */
function BoardHead({ dashboard, parameters, isBusy, onRefresh }: BoardHeadProps) {
  const t = useTranslations("dashboards");
  const { name, description } = dashboard;
  return (
    <PageHead
      title={<bdi>{name}</bdi>}
      {...(description === "" ? {} : { text: <bdi className="wrap-anywhere">{description}</bdi> })}
    >
      <div className="flex flex-wrap gap-2 print:hidden">
        <PinButton entry={{ kind: "dashboard", id: dashboard.id }} name={name} />
        <ToolButton onClick={onRefresh} aria-disabled={isBusy}>
          <RefreshCw
            size={14}
            aria-hidden="true"
            className={classes(isBusy && "motion-safe:animate-spin")}
          />
          {t("refresh")}
        </ToolButton>
        <ToolButton onClick={() => window.print()}>
          <Printer size={14} aria-hidden="true" />
          {t("print")}
        </ToolButton>
        <CopyCurl path={() => requestPath(dashboard.id, parameters)} />
      </div>
    </PageHead>
  );
}

function requestPath(id: string, parameters: ParameterValues | undefined): string {
  const query =
    parameters === undefined
      ? ""
      : `?${new URLSearchParams({ parameters: JSON.stringify(parameters) })}`;
  return `/app/api/dashboards/${id}${query}`;
}
