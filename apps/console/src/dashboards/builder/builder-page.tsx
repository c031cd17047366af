import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { pageClasses } from "../../ui/page-head.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Builder } from "./builder.tsx";
import { dashboardQuery } from "./dashboard-api.ts";
import { draftOf } from "./dashboard-body.ts";
import { emptyDraft } from "./draft.ts";

const newRoute = getRouteApi("/frame/admin/dashboards/new");
const route = getRouteApi("/frame/admin/dashboards/$id");

/** The builder of a board that is not stored yet. */
export function NewDashboardPage() {
  const search = newRoute.useSearch();
  const navigate = newRoute.useNavigate();
  return (
    <Builder
      stored={null}
      start={emptyDraft}
      search={search}
      onSearch={(changes) =>
        void navigate({ search: (last) => ({ ...last, ...changes }), replace: true })
      }
    />
  );
}

/** The builder of a stored board. */
export function BuilderPage() {
  const { id } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const words = useTranslations("manage");
  const { data, error, isFetchedAfterMount, refetch } = useQuery(dashboardQuery(id));
  if (data === undefined || !isFetchedAfterMount) {
    return (
      <div className={pageClasses}>
        {error === null ? (
          <Skeleton label={words("loading")} rows={8} />
        ) : (
          <FailureNotice error={error} onRetry={() => void refetch()} />
        )}
      </div>
    );
  }
  return (
    <Builder
      key={id}
      stored={data}
      start={draftOf(data)}
      search={search}
      onSearch={(changes) =>
        void navigate({ search: (last) => ({ ...last, ...changes }), replace: true })
      }
    />
  );
}
