import { Outlet } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { accountPages, accountPath } from "../shell/account-pages.ts";
import { TabLinks } from "../shell/tab-links.tsx";

/** The frame of the pages of one's own account: their tabs are links. */
export function AccountFrame() {
  const t = useTranslations("account");
  const tabs = accountPages.map((page) => ({ href: accountPath(page), label: t(`tabs.${page}`) }));
  return (
    <div className="grid max-w-200 gap-6 p-4 md:p-8">
      <div className="grid gap-3">
        <h1 className="text-5 font-semibold">{t("title")}</h1>
        <TabLinks label={t("title")} tabs={tabs} />
      </div>
      <Outlet />
    </div>
  );
}
