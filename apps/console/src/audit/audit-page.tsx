import { getRouteApi } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { FailureNotice } from "../shell/failure-notice.tsx";
import { useListing } from "../shell/use-listing.ts";
import { useTitle } from "../shell/use-title.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditList } from "./audit-list.tsx";
import { auditQuery } from "./audit-search.ts";

const route = getRouteApi("/frame/admin/audit");

/** The audit log: who changed what, when, and in which request. Its filters are in the address. */
export function AuditPage() {
  const t = useTranslations("audit");
  const words = useTranslations("manage");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useTitle(t("title"));
  const log = useListing(["audit-log", search], (page, signal) =>
    client.admin.get("/audit-log", { query: { ...auditQuery(search), ...page }, signal }),
  );
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  const filter = (change: typeof search) =>
    void navigate({ search: (last) => ({ ...last, ...change }) });
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} text={t("text")} />
      <AuditFilters search={search} onChange={filter} />
      {log.error !== null && <FailureNotice error={log.error} onRetry={log.reload} />}
      {log.items === undefined && log.error === null && (
        <Skeleton label={words("loading")} rows={8} />
      )}
      {log.items?.length === 0 && (
        <EmptyState title={isFiltered ? words("nothingFound") : t("empty")} />
      )}
      {log.items !== undefined && log.items.length > 0 && (
        <AuditList entries={log.items} onFilter={filter} />
      )}
      {log.hasMore && (
        <div>
          <Button isBusy={log.isLoadingMore} onPress={log.loadMore}>
            {words("more")}
          </Button>
        </div>
      )}
    </div>
  );
}
