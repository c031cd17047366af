import { useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { Snippet } from "../shell/snippet.tsx";
import { classes } from "../ui/classes.ts";
import { StateBadge } from "../ui/entries.tsx";
import { ChevronDown } from "../ui/icons.generated.ts";
import { ToolButton } from "../ui/tool-button.tsx";
import type { AuditSearch, LogEntry } from "./audit-search.ts";
import { useSentence } from "./use-sentence.tsx";

interface AuditRowProps {
  readonly entry: LogEntry;
  readonly onFilter: (change: AuditSearch) => void;
}

/** An entry as a sentence, and the record that it opens. */
export function AuditRow({ entry, onFilter }: AuditRowProps) {
  const t = useTranslations("audit");
  const format = useFormatter();
  const sentenceOf = useSentence();
  const [isOpen, setOpen] = useState(false);
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

/** The record of an entry as the service has it, and the ways to entries that share a value. */
function AuditRecord({ entry, onFilter }: AuditRowProps) {
  const t = useTranslations("audit");
  const { names: _, ...record } = entry;
  const { requestId, targetKind, targetId, actorUserId } = entry;
  const only = (change: AuditSearch) => () => onFilter(change);
  return (
    <div className="grid gap-2 border-line border-t bg-canvas px-3 py-3 sm:px-4">
      <div className="flex flex-wrap gap-2">
        {requestId !== null && (
          <ToolButton onClick={only({ requestId })}>{t("allOfRequest")}</ToolButton>
        )}
        {targetId !== null && (
          <ToolButton onClick={only({ targetKind, targetId })}>{t("allOfTarget")}</ToolButton>
        )}
        {actorUserId !== null && (
          <ToolButton onClick={only({ actorUserId })}>{t("allOfActor")}</ToolButton>
        )}
      </div>
      <Snippet title={t("record")} text={JSON.stringify(record, null, 2)} heading="h3" />
    </div>
  );
}
