import { useTranslations } from "use-intl";
import { MessagePage } from "./message-page.tsx";

/** Shown instead of a page whose code failed. */
export function FailurePage() {
  const t = useTranslations("failure");
  return (
    <MessagePage title={t("title")} text={t("text")}>
      <button
        type="button"
        className="text-accent underline underline-offset-2"
        onClick={() => location.reload()}
      >
        {t("reload")}
      </button>
    </MessagePage>
  );
}
