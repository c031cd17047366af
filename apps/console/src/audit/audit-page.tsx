import { getRouteApi } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { Listing } from "../shell/listing.tsx";
import { useListing } from "../shell/use-listing.ts";
import { useTitle } from "../shell/use-title.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditList } from "./audit-list.tsx";
import { auditQuery } from "./audit-search.ts";

const route = getRouteApi("/frame/admin/audit");

/** The audit log: who changed what, when, and in which request. Its filters are in the address. */
export function AuditPage() {
  const t = useTranslations("audit");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useTitle(t("title"));
  const log = useListing(["audit-log", search], (page, signal) =>
    client.admin.get("/audit-log", { query: { ...auditQuery(search), ...page }, signal }),
  );
  const filter = (change: typeof search) =>
    void navigate({ search: (last) => ({ ...last, ...change }) });
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} text={t("text")} />
      <AuditFilters search={search} onChange={filter} />
      <Listing
        listing={log}
        isFiltered={Object.values(search).some((value) => value !== undefined)}
        empty={<EmptyState title={t("empty")} />}
      >
        {(entries) => <AuditList entries={entries} onFilter={filter} />}
      </Listing>
    </div>
  );
}
