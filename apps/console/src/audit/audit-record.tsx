import { useTranslations } from "use-intl";
import { Snippet } from "../shell/snippet.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import type { AuditEntry, AuditSearch } from "./audit-search.ts";

interface AuditRecordProps {
  readonly entry: AuditEntry;
  readonly onFilter: (change: AuditSearch) => void;
}

/** The record of an entry as the service has it, and the ways to entries that share a value. */
export function AuditRecord({ entry, onFilter }: AuditRecordProps) {
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
