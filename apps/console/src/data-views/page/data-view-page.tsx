import { RowhouseError } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { useTranslations } from "use-intl";
import { useOwnWays, WaysProvider } from "../../records/values/ways.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { navigationQuery } from "../../shell/navigation.ts";
import { useTitle } from "../../shell/use-title.ts";
import { linkClasses } from "../../ui/classes.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { emptyState, type ViewState } from "../model/view-state.ts";
import { OpenView } from "./open-view.tsx";
import { appSource } from "./view-header.tsx";

/** Whether a DataView does not exist or is not open to the person. What they chose of its rows has errors of its own. */
function isMissing(error: unknown, { where, search, order_by: order }: ViewState): boolean {
  if (!(error instanceof RowhouseError)) return false;
  const isPlain = where === undefined && search === undefined && order === undefined;
  return error.status === 404 || (isPlain && [400, 403].includes(error.status));
}

/** A DataView in its layout, if this person may open it. */
export function DataViewPage() {
  const t = useTranslations("dataView");
  const ways = useOwnWays();
  const { id } = useParams({ from: "/frame/app/data-views/$id" });
  const state = useSearch({ from: "/frame/app/data-views/$id" });
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(navigationQuery);
  const entry = data?.dataViews.find((one) => one.id === id);
  useTitle(entry?.name ?? t("title"));
  const source = useMemo(() => appSource(id), [id]);
  const onState = useCallback(
    (change: Partial<ViewState>, isStep = false) => {
      void navigate({
        to: ".",
        search: (last) => ({ ...emptyState, ...last, ...change }),
        replace: !isStep,
      });
    },
    [navigate],
  );
  if (data === undefined) {
    return (
      <div className="p-6">
        {error === null ? (
          <Skeleton label={t("loading")} rows={8} />
        ) : (
          <FailureNotice error={error} onRetry={() => void refetch()} />
        )}
      </div>
    );
  }
  return (
    <WaysProvider value={ways}>
      <div className="flex h-dvh min-w-0 flex-col max-md:h-[calc(100dvh-49px)]">
        <OpenView
          key={id}
          {...{ source, state, onState }}
          resources={data.resources}
          refused={(failure) => (isMissing(failure, state) ? <Missing /> : null)}
        />
      </div>
    </WaysProvider>
  );
}

function Missing() {
  const t = useTranslations("dataView");
  const words = useTranslations("grid");
  return (
    <div className="grid max-w-120 gap-2 p-6">
      <h1 className="text-5 font-semibold">{words("missing")}</h1>
      <p className="text-ink-2">{t("missingText")}</p>
      <p>
        <Link to="/app" className={linkClasses}>
          {words("home")}
        </Link>
      </p>
    </div>
  );
}
