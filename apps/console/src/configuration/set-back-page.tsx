import { queryOptions, useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { FailureNotice } from "../shell/failure-notice.tsx";
import { useTitle } from "../shell/use-title.ts";
import { Notice } from "../ui/notice.tsx";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { readFiles } from "./configuration-queries.ts";
import { ConfigurationTrail } from "./configuration-trail.tsx";
import { PlanReview, planKey } from "./plan-review.tsx";

/** The files after the last apply of each part; null without drift. */
const appliedFilesQuery = queryOptions({
  queryKey: [planKey, "set-back"],
  queryFn: async ({ signal }) => {
    const { data: drift } = await client.admin.get("/configuration/drift", { signal });
    if (drift.lastApply === null || drift.files.length === 0) return null;
    const present = await readFiles(drift.parts, signal);
    const gone = new Set(drift.files.map(({ path }) => path));
    const files = Object.entries(present).filter(([path]) => !gone.has(path));
    const before = drift.files.flatMap(({ path, before }): [string, string][] =>
      before === null ? [] : [[path, before]],
    );
    return { lastApply: drift.lastApply, files: Object.fromEntries([...files, ...before]) };
  },
  staleTime: 0,
  gcTime: 0,
});

/** The plan that makes the configuration what it was after the last apply. */
export function SetBackPage() {
  const t = useTranslations("configuration");
  const { data, error, refetch, dataUpdatedAt } = useQuery(appliedFilesQuery);
  useTitle(t("setBackTitle"));
  return (
    <div className={pageClasses}>
      <PageHead trail={<ConfigurationTrail />} title={t("setBackTitle")} text={t("setBackText")} />
      {data === undefined && error !== null && (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton label={t("planning")} rows={6} />}
      {data === null && <Notice kind="ok">{t("noDrift")}</Notice>}
      {data !== undefined && data !== null && (
        <PlanReview
          id={`set-back ${dataUpdatedAt}`}
          files={data.files}
          source={data.lastApply.source}
        />
      )}
    </div>
  );
}
