import type { AdminOperations } from "@rowhouse/client";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { Listing } from "../shell/listing.tsx";
import { SearchField } from "../shell/search-field.tsx";
import { useListing } from "../shell/use-listing.ts";
import { useTitle } from "../shell/use-title.ts";
import { linkClasses } from "../ui/classes.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { StateBadge } from "../ui/entries.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { X } from "../ui/icons.generated.ts";
import { type ListColumn, ListTable } from "../ui/list-table.tsx";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { Select } from "../ui/select.tsx";
import { type AuditSearch, auditOutcomes, auditQuery, auditTexts } from "./audit-search.ts";

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

interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (change: AuditSearch) => void;
}

/** The filters of the audit log that are set, each with the button that removes it. */
function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const t = useTranslations("audit");
  const set = auditTexts.filter((name) => name !== "search" && search[name] !== undefined);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <SearchField
        label={t("filters.search")}
        value={search.search}
        onChange={(text) => onChange({ search: text })}
      />
      <Select
        label={t("outcome")}
        value={search.outcome ?? ""}
        options={[
          { value: "", label: t("any") },
          ...auditOutcomes.map((value) => ({ value, label: t(value) })),
        ]}
        onChange={(outcome) => onChange({ outcome: outcome === "" ? undefined : outcome })}
      />
      {set.map((name) => (
        <span
          key={name}
          className="flex h-7 max-w-full items-center gap-1.5 rounded-control border border-accent-line bg-accent-soft pl-2"
        >
          <span className="text-ink-2">{t(`filters.${name}`)}</span>
          <code className="truncate font-mono text-2">{search[name]}</code>
          <IconButton
            label={t("remove", { name: t(`filters.${name}`) })}
            icon={X}
            onPress={() => onChange({ [name]: undefined })}
          />
        </span>
      ))}
    </div>
  );
}

type Entry = AdminOperations["GET /audit-log"]["answer"]["data"][number];

interface AuditListProps {
  readonly entries: readonly Entry[];
  /** Narrows the list to entries that share a value. */
  readonly onFilter: (change: AuditSearch) => void;
}

const code = (text: string) => <code className="font-mono text-2">{text}</code>;

/** Entries of the audit log. A value leads to the entries that share it. */
function AuditList({ entries, onFilter }: AuditListProps) {
  const t = useTranslations("audit");
  const format = useFormatter();
  const narrow = (text: ReactNode, change: AuditSearch) => (
    <button
      type="button"
      className={`${linkClasses} max-w-full truncate`}
      title={typeof text === "string" ? text : undefined}
      onClick={() => onFilter(change)}
    >
      {typeof text === "string" ? <code className="font-mono text-2">{text}</code> : text}
    </button>
  );
  const columns: readonly ListColumn<Entry>[] = [
    {
      key: "action",
      label: t("action"),
      width: "w-52",
      cell: ({ action, outcome }) => (
        <span className="flex flex-wrap items-center gap-2">
          {narrow(action, { search: action })}
          {outcome === "FAILED" && <StateBadge look="warn">{t("FAILED")}</StateBadge>}
        </span>
      ),
    },
    {
      key: "target",
      label: t("target"),
      cell: ({ targetKind, targetId }) =>
        targetId === null
          ? code(targetKind)
          : narrow(`${targetKind} ${targetId}`, { targetKind, targetId }),
    },
    {
      key: "fields",
      label: t("fields"),
      cell: ({ changedFields }) => code(changedFields.join(", ")),
    },
    {
      key: "actor",
      label: t("actor"),
      cell: ({ actorUserId, actorTokenId }) => {
        if (actorTokenId !== null) {
          return narrow(<span className="text-2">{t("byToken", { id: actorTokenId })}</span>, {
            actorTokenId,
          });
        }
        return actorUserId === null ? t("nobody") : narrow(actorUserId, { actorUserId });
      },
    },
    {
      key: "time",
      label: t("time"),
      width: "w-48",
      cell: ({ occurredAt, requestId }) => {
        const text = format.dateTime(new Date(occurredAt), {
          dateStyle: "medium",
          timeStyle: "medium",
        });
        const time = <time dateTime={occurredAt}>{text}</time>;
        return requestId === null ? time : narrow(time, { requestId });
      },
    },
  ];
  return <ListTable label={t("title")} items={entries} columns={columns} keyOf={({ id }) => id} />;
}
