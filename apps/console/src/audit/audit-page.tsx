import { getRouteApi } from "@tanstack/react-router";
import { useFormatter, useTimeZone, useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { Listing } from "../shell/listing.tsx";
import { dayAt, dayStart } from "../shell/time/zone.ts";
import { ZoneNote } from "../shell/time/zone-note.tsx";
import { useListing } from "../shell/use-listing.ts";
import { useTitle } from "../shell/use-title.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditRow } from "./audit-row.tsx";
import { type AuditSearch, auditQuery, type LogEntry } from "./audit-search.ts";

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
      query: { ...auditQuery(search, dayStart(dayAt(Date.now(), zone), zone)), ...page },
      signal,
    }),
  );
  const filter = (change: typeof search) =>
    void navigate({ search: (last) => ({ ...last, ...change }) });
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} text={t("text")}>
        <ZoneNote />
      </PageHead>
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

interface AuditDaysProps {
  readonly entries: readonly LogEntry[];
  readonly zone: string;
  /** Narrows the list to entries that share a value. */
  readonly onFilter: (change: AuditSearch) => void;
}

const dayMs = 86_400_000;

/** Entries of the audit log under the heading of their day. */
function AuditDays({ entries, zone, onFilter }: AuditDaysProps) {
  const t = useTranslations("audit");
  const format = useFormatter();
  const days = new Map<string, LogEntry[]>();
  for (const entry of entries) {
    const day = dayAt(Date.parse(entry.occurredAt), zone);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  const today = dayAt(Date.now(), zone);
  const yesterday = dayAt(Date.now() - dayMs, zone);
  const titleOf = (day: string, at: string): string => {
    const date = format.dateTime(new Date(at), { dateStyle: "full" });
    if (day === today) return t("today", { day: date });
    return day === yesterday ? t("yesterday", { day: date }) : date;
  };
  return [...days].map(([day, own]) => {
    const title = titleOf(day, own[0]?.occurredAt ?? "");
    return (
      <section key={day} aria-labelledby={`day-${day}`} className="grid gap-2">
        <h2 id={`day-${day}`} className="font-semibold text-3">
          {title}
        </h2>
        <ul
          aria-label={t("entriesOf", { day: title })}
          className="rounded-panel border border-line bg-surface"
        >
          {own.map((entry) => (
            <AuditRow key={entry.id} entry={entry} onFilter={onFilter} />
          ))}
        </ul>
      </section>
    );
  });
}
