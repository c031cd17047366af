import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { FailureNotice } from "../shell/failure-notice.tsx";
import { useTitle } from "../shell/use-title.ts";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Concerns } from "./concerns.tsx";
import { Figures } from "./figures.tsx";
import { overviewQuery } from "./overview-query.ts";
import { RunChart } from "./run-chart.tsx";

/** The first page of the administration: the numbers of the installation, what needs a hand, and the runs of the last day. */
export function OverviewPage() {
  const t = useTranslations("overview");
  const words = useTranslations("manage");
  const { data, error, refetch } = useQuery(overviewQuery);
  useTitle(t("title"));
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} text={t("text")} />
      {error !== null && data === undefined && (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton label={words("loading")} rows={8} />}
      {data !== undefined && (
        <>
          <Figures overview={data} />
          <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <div className="grid gap-4">
              <Concerns overview={data} />
            </div>
            <RunChart runs={data.runs} readAt={data.readAt} />
          </div>
        </>
      )}
    </div>
  );
}
