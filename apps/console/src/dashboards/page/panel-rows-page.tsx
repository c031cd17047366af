import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { linkClasses } from "../../ui/link-classes.ts";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { PanelContent } from "../panels/panel-content.tsx";
import { panelRowsQuery } from "./dashboard-queries.ts";

/** The rows behind a mark of a panel. */
export function PanelRowsPage() {
  const t = useTranslations("dashboards");
  const from = "/frame/app/dashboards/$id/panels/$panel/rows" as const;
  const { id, panel } = useParams({ from });
  const search = useSearch({ from });
  const { data, error, refetch } = useQuery(panelRowsQuery(id, panel, search));
  useTitle(t("rowsTitle"));
  return (
    <div className={pageClasses}>
      <PageHead
        title={t("rowsTitle")}
        trail={
          <Link
            to="/app/dashboards/$id"
            params={{ id }}
            search={{ parameters: search.parameters }}
            className={linkClasses}
          >
            {t("back")}
          </Link>
        }
      />
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <Skeleton label={t("loading")} rows={8} />
      ) : (
        <PanelContent panel={data} timeZone={data.timeZone} />
      )}
    </div>
  );
}
