import { useFormatter, useTranslations } from "use-intl";
import { Dialog } from "../ui/dialog.tsx";
import { StateBadge } from "../ui/entries.tsx";
import { StatementButton } from "./statement-button.tsx";
import type { PastStatement } from "./statement-history.ts";

interface HistoryDialogProps {
  readonly history: readonly PastStatement[];
  readonly onChoose: (text: string) => void;
  readonly onClose: () => void;
}

/** The statements that a person has run in this browser, the latest first. */
export function HistoryDialog({ history, onChoose, onClose }: HistoryDialogProps) {
  const t = useTranslations("sql");
  const words = useTranslations("manage");
  const format = useFormatter();
  return (
    <Dialog title={t("history")} closeLabel={words("close")} onClose={onClose} isWide>
      <p className="text-ink-2">{t(history.length === 0 ? "noHistory" : "historyText")}</p>
      <ul className="grid gap-2">
        {history.map(({ text, at, hasFailed }) => (
          <li key={text} className="grid gap-1">
            <StatementButton text={text} onChoose={onChoose} />
            <span className="flex items-center gap-2 text-2 text-ink-2">
              {format.dateTime(new Date(at), { dateStyle: "medium", timeStyle: "medium" })}
              {hasFailed && <StateBadge look="warn">{t("hasFailed")}</StateBadge>}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
