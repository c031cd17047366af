import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { FailureNotice } from "../shell/failure-notice.tsx";
import { useTitle } from "../shell/use-title.ts";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Concerns } from "./concerns.tsx";
import { type Count, type Overview, overviewQuery } from "./overview-query.ts";
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

/** The numbers of the installation, each with its page. */
function Figures({ overview }: { readonly overview: Overview }) {
  const t = useTranslations("overview.figures");
  const { open, hidden, people, roles, workflows, enabled, runs, hasMoreRuns } = overview;
  const failed = runs.filter(({ status }) => status === "FAILED").length;
  const figures: readonly [string, Count, string, string | undefined][] = [
    [t("tables"), open, "/admin/access", t("hidden", { count: hidden.count })],
    [t("people"), people, "/admin/people/users", undefined],
    [t("roles"), roles, "/admin/people/roles", undefined],
    [t("workflows"), enabled, "/admin/workflows", t("ofAll", { count: workflows.count })],
    [
      t("runs"),
      { count: runs.length, isMore: hasMoreRuns },
      "/admin/workflows/runs",
      t("failed", { count: failed }),
    ],
  ];
  return (
    <ul className="grid grid-cols-2 gap-3 md:grid-cols-5">
      {figures.map(([name, { count, isMore }, href, detail]) => (
        <li key={name} className="min-w-0 last:max-md:col-span-2">
          <AppLink
            href={href}
            className="grid h-full content-start gap-0.5 rounded-panel border border-line bg-surface px-4 py-3 hover:border-line-strong"
          >
            <span className="text-2 text-ink-2">{name}</span>
            <span className="font-semibold text-5 tabular-nums">
              {t(isMore ? "more" : "count", { count })}
            </span>
            {detail !== undefined && <span className="text-2 text-ink-2">{detail}</span>}
          </AppLink>
        </li>
      ))}
    </ul>
  );
}
