import { useTranslations } from "use-intl";

/** In place of the content of a panel without rows. */
export function NoRows() {
  const t = useTranslations("panels");
  return (
    <div className="grid h-full content-center justify-items-center gap-0.5 p-2 text-center">
      <p className="font-medium">{t("empty")}</p>
      <p className="text-2 text-ink-2">{t("emptyDetail")}</p>
    </div>
  );
}
