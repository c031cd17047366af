import { useTranslations } from "use-intl";
import { MessagePage } from "./message-page.tsx";

/** Shown at an address without a page. */
export function MissingPage({ isInFrame = false }: { readonly isInFrame?: boolean }) {
  const t = useTranslations("missing");
  return (
    <MessagePage title={t("title")} text={t("text")} isInFrame={isInFrame}>
      <a href="/app" className="text-accent underline underline-offset-2">
        {t("back")}
      </a>
    </MessagePage>
  );
}
