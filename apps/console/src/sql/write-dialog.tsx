import { useTranslations } from "use-intl";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import type { RunRequest } from "./run-request.ts";

interface WriteDialogProps {
  readonly request: RunRequest;
  /** PostgreSQL's words for the statement that it has refused to run read-only. */
  readonly reason: string;
  readonly onRun: () => void;
  readonly onClose: () => void;
}

/** Asks before statements that change something run. */
export function WriteDialog({ request, reason, onRun, onClose }: WriteDialogProps) {
  const t = useTranslations("sql.write");
  return (
    <ConfirmDialog
      title={t("title")}
      confirm={t("run")}
      cancel={t("cancel")}
      failure={undefined}
      isBusy={false}
      onConfirm={onRun}
      onClose={onClose}
    >
      <div className="grid gap-3">
        <p>{t("text")}</p>
        <p className="text-2">{t("reason", { reason })}</p>
        <pre
          dir="auto"
          className="max-h-48 overflow-auto rounded-control bg-sunken p-2 font-mono text-2 text-ink wrap-anywhere whitespace-pre-wrap"
        >
          {request.text.trim()}
        </pre>
      </div>
    </ConfirmDialog>
  );
}
