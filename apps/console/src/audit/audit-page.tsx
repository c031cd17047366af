import { getRouteApi } from "@tanstack/react-router";
import { useTimeZone, useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { Listing } from "../shell/listing.tsx";
import { useListing } from "../shell/use-listing.ts";
import { useTitle } from "../shell/use-title.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { AuditDays } from "./audit-days.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import { auditQuery } from "./audit-search.ts";
import { dayStartOf } from "./local-time.ts";

const route = getRouteApi("/frame/admin/audit");

/** The audit log: who changed what and when, by day. Its filters are in the address. */
export function AuditPage() {
  const t = useTranslations("audit");
  const zone = useTimeZone() ?? "UTC";
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useTitle(t("title"));
  const log = useListing(["audit-log", search], (page, signal) =>
    client.admin.get("/audit-log", {
      query: { ...auditQuery(search, dayStartOf(Date.now(), zone)), ...page },
      signal,
    }),
  );
  const filter = (change: typeof search) =>
    void navigate({ search: (last) => ({ ...last, ...change }) });
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} text={t("text")} />
      <AuditFilters
        search={search}
        zone={zone}
        onChange={filter}
        onClear={() => void navigate({ search: {} })}
      />
      <Listing
        listing={log}
        isFiltered={Object.values(search).some((value) => value !== undefined)}
        empty={<EmptyState title={t("empty")} />}
      >
        {(entries) => <AuditDays entries={entries} zone={zone} onFilter={filter} />}
      </Listing>
    </div>
  );
}
