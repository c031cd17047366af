import { useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { classes } from "../ui/classes.ts";
import { StateBadge } from "../ui/entries.tsx";
import { ChevronDown } from "../ui/icons.generated.ts";
import { AuditRecord } from "./audit-record.tsx";
import type { AuditEntry, AuditSearch } from "./audit-search.ts";
import { dayOf } from "./local-time.ts";
import { useSentence } from "./use-sentence.tsx";

interface AuditDaysProps {
  readonly entries: readonly AuditEntry[];
  readonly zone: string;
  /** Narrows the list to entries that share a value. */
  readonly onFilter: (change: AuditSearch) => void;
}

const dayMs = 86_400_000;

/** Entries of the audit log under the heading of their day. */
export function AuditDays({ entries, zone, onFilter }: AuditDaysProps) {
  const t = useTranslations("audit");
  const format = useFormatter();
  const days = new Map<string, AuditEntry[]>();
  for (const entry of entries) {
    const day = dayOf(Date.parse(entry.occurredAt), zone);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  const today = dayOf(Date.now(), zone);
  const yesterday = dayOf(Date.now() - dayMs, zone);
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

function AuditRow(props: {
  readonly entry: AuditEntry;
  readonly onFilter: (change: AuditSearch) => void;
}) {
  const t = useTranslations("audit");
  const format = useFormatter();
  const sentenceOf = useSentence();
  const [isOpen, setOpen] = useState(false);
  const { entry, onFilter } = props;
  const time = format.dateTime(new Date(entry.occurredAt), { timeStyle: "medium" });
  return (
    <li className="border-line border-b last:border-b-0">
      <div className="flex items-start gap-x-3 px-3 py-1 sm:px-4">
        <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-4 py-0.5 sm:flex-nowrap">
          <time
            dateTime={entry.occurredAt}
            className="w-20 shrink-0 text-2 text-ink-2 tabular-nums max-sm:w-full"
          >
            {time}
          </time>
          <p className="min-w-0 flex-1 wrap-anywhere">{sentenceOf(entry)}</p>
          {entry.outcome === "FAILED" && <StateBadge look="warn">{t("FAILED")}</StateBadge>}
        </div>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={t("details", { time })}
          title={t("record")}
          onClick={() => setOpen(!isOpen)}
          className="grid size-7 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink"
        >
          <ChevronDown
            size={16}
            aria-hidden="true"
            className={classes("transition-transform duration-100", isOpen && "rotate-180")}
          />
        </button>
      </div>
      {isOpen && <AuditRecord entry={entry} onFilter={onFilter} />}
    </li>
  );
}
