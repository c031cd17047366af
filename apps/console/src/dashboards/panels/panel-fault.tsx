import { useTranslations } from "use-intl";
import { Notice } from "../../ui/notice.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";

interface PanelFaultProps {
  readonly error: { readonly code: string; readonly message: string };
  readonly onRetry: (() => void) | undefined;
}

/** Why a panel has no content; the other panels are not concerned. */
export function PanelFault({ error, onRetry }: PanelFaultProps) {
  const t = useTranslations("panels");
  const known = { ACTION_DENIED: t("denied"), QUERY_TIMEOUT: t("timeout") };
  const text =
    error.code in known
      ? known[error.code as keyof typeof known]
      : `${t("failed")}. ${error.message}`;
  return (
    <div className="grid content-start justify-items-start gap-2">
      <Notice kind={error.code === "ACTION_DENIED" ? "info" : "danger"}>{text}</Notice>
      {onRetry !== undefined && <ToolButton onClick={onRetry}>{t("retry")}</ToolButton>}
    </div>
  );
}
