import { RowhouseError } from "@rowhouse/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { useTranslations } from "use-intl";
import type { ReadingQuery } from "../../records/readings/open-reading.ts";
import { resourceOfReading } from "../../records/readings/reading-resource.ts";
import { useOwnWays, WaysProvider } from "../../records/values/ways.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { navigationQuery } from "../../shell/navigation.ts";
import { useTitle } from "../../shell/use-title.ts";
import { classes } from "../../ui/classes.ts";
import { linkClasses } from "../../ui/link-classes.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { PanelRowsSearch } from "../model/panel-rows-search.ts";
import { outlineQuery, panelRowsQuery, readPanelRows } from "./dashboard-queries.ts";
import { MarkWords } from "./mark-words.tsx";
import { PanelRowsTable } from "./panel-rows-table.tsx";
import { PanelRowsTools } from "./panel-rows-tools.tsx";

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
