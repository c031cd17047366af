import { Outlet } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { useKindTexts } from "../kinds/kind-texts.ts";
import { listedKinds } from "../kinds/record-facts.ts";
import { TabLinks } from "../shell/tab-links.tsx";
import { PageHead, pageClasses } from "../ui/page-head.tsx";

/** The frame of the settings: their tabs are links. */
export function SettingsFrame() {
  const t = useTranslations("settings");
  const texts = useKindTexts();
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} />
      <TabLinks
        label={t("title")}
        tabs={[
          { href: "/admin/settings", label: t("tabs.settings") },
          { href: "/admin/settings/templates", label: t("tabs.templates") },
          { href: "/admin/settings/sealed-values", label: t("tabs.sealed") },
          ...listedKinds.map(({ kind, page }) => ({
            href: page,
            label: texts(kind, "title"),
          })),
        ]}
      />
      <Outlet />
    </div>
  );
}
