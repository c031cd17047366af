import { useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { linkClasses } from "../ui/classes.ts";

/** The link to the configuration, before the title of a page below it. */
export function ConfigurationTrail() {
  const t = useTranslations("configuration");
  return (
    <>
      <AppLink href="/admin/configuration" className={linkClasses}>
        {t("title")}
      </AppLink>
      <span aria-hidden="true"> / </span>
    </>
  );
}
