import { useLocation } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { administrationPages, isOnPage } from "../shell/administration-pages.ts";
import { ArrowLeft } from "../ui/icons.generated.ts";
import { SidebarLink } from "./sidebar-link.tsx";

/** The navigation of the administration, and the way back to the workspace. */
export function AdministrationSidebar() {
  const t = useTranslations("administration");
  const { pathname } = useLocation();
  return (
    <nav aria-label={t("title")} className="grid content-start gap-3">
      <SidebarLink href="/app" icon={ArrowLeft} label={t("workspace")} />
      <div className="grid gap-px">
        {administrationPages.map((page) => (
          <SidebarLink
            key={page.name}
            href={page.path}
            icon={page.icon}
            label={t(`pages.${page.name}`)}
            isHere={isOnPage(pathname, page)}
          />
        ))}
      </div>
    </nav>
  );
}
