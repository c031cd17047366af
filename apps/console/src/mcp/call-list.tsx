import type { ReactNode } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { StateBadge } from "../ui/entries.tsx";
import { ScrollText } from "../ui/icons.generated.ts";
import { linkClasses } from "../ui/link-classes.ts";
import { type ListColumn, ListTable } from "../ui/list-table.tsx";
import type { CallsSearch } from "./calls-search.ts";
import type { Call } from "./use-live-calls.ts";

interface CallListProps {
  readonly calls: readonly Call[];
  /** Narrows the list to calls that share a value. */
  readonly onFilter: (change: CallsSearch) => void;
}

/** Calls of agents. A value leads to the calls that share it, a person to their page. */
export function CallList({ calls, onFilter }: CallListProps) {
  const t = useTranslations("mcp");
  const format = useFormatter();
  const narrow = (text: ReactNode, change: CallsSearch) => (
    <button
      type="button"
      className={`${linkClasses} max-w-full truncate align-bottom`}
      onClick={() => onFilter(change)}
    >
      {text}
    </button>
  );
  const columns: readonly ListColumn<Call>[] = [
    {
      key: "tool",
      label: t("call"),
      width: "w-44",
      cell: ({ tool, method }) =>
        tool === null ? (
          <code className="font-mono text-2">{method}</code>
        ) : (
          narrow(<code className="font-mono text-2">{tool}</code>, { tool })
        ),
    },
    {
      key: "resource",
      label: t("resource"),
      cell: ({ resource }) =>
        resource !== null && (
          <code className="font-mono text-2" title={resource}>
            {resource}
          </code>
        ),
    },
    {
      key: "outcome",
      label: t("outcome"),
      width: "w-52",
      cell: ({ outcome, code }) => (
        <span className="flex flex-wrap items-center gap-x-2">
          <StateBadge look={outcome === "SUCCEEDED" ? "ok" : "warn"}>
            {t(`outcomes.${outcome}`)}
          </StateBadge>
          {code !== null && <code className="font-mono text-2 wrap-anywhere">{code}</code>}
        </span>
      ),
    },
    {
      key: "person",
      label: t("person"),
      cell: ({ userId, userName }) =>
        userName === null ? (
          t("deleted")
        ) : (
          <AppLink
            href={`/admin/people/users/${userId}`}
            className={`${linkClasses} max-w-full truncate align-bottom`}
            title={userName}
            dir="auto"
          >
            {userName}
          </AppLink>
        ),
    },
    {
      key: "client",
      label: t("client"),
      cell: ({ clientName, tokenName, tokenId }) => (
        <span className="flex min-w-0 items-center gap-1">
          {narrow(<bdi>{clientName ?? tokenName ?? tokenId}</bdi>, { tokenId })}
          <AppLink
            href={`/admin/audit?actorTokenId=${tokenId}`}
            aria-label={t("audit", { name: tokenName ?? tokenId })}
            title={t("audit", { name: tokenName ?? tokenId })}
            className="grid size-6 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-sunken"
          >
            <ScrollText size={14} aria-hidden="true" />
          </AppLink>
        </span>
      ),
    },
    {
      key: "rows",
      label: t("rows"),
      width: "w-20",
      isNumber: true,
      cell: ({ rows, bytes }) =>
        rows !== null && (
          <span title={bytes === null ? undefined : t("bytes", { count: bytes })}>
            {format.number(rows)}
          </span>
        ),
    },
    {
      key: "duration",
      label: t("duration"),
      width: "w-24",
      isNumber: true,
      cell: ({ durationMs }) => (
        <bdi>
          {format.number(durationMs, { style: "unit", unit: "millisecond", unitDisplay: "short" })}
        </bdi>
      ),
    },
    {
      key: "time",
      label: t("time"),
      width: "w-44",
      cell: ({ at }) => (
        <time dateTime={at}>
          {format.dateTime(new Date(at), { dateStyle: "short", timeStyle: "medium" })}
        </time>
      ),
    },
  ];
  return (
    <ListTable
      label={t("tabs.calls")}
      items={calls}
      columns={columns}
      keyOf={({ id }) => id}
      isWide
    />
  );
}
