import type { AdminOperations } from "@rowhouse/client";
import type { ReactNode } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { StateBadge } from "../ui/entries.tsx";
import { linkClasses } from "../ui/link-classes.ts";
import { type ListColumn, ListTable } from "../ui/list-table.tsx";
import type { AuditSearch } from "./audit-search.ts";

type Entry = AdminOperations["GET /audit-log"]["answer"]["data"][number];

interface AuditListProps {
  readonly entries: readonly Entry[];
  /** Narrows the list to entries that share a value. */
  readonly onFilter: (change: AuditSearch) => void;
}

const code = (text: string) => <code className="font-mono text-2">{text}</code>;

/** Entries of the audit log. A value leads to the entries that share it. */
export function AuditList({ entries, onFilter }: AuditListProps) {
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
