import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { administrationPages, isOnPage } from "../shell/administration-pages.ts";
import { personQuery } from "../shell/navigation.ts";
import { ArrowLeft } from "../ui/icons.generated.ts";
import { Sidebar } from "./sidebar.tsx";
import { SidebarLink } from "./sidebar-link.tsx";

/** The navigation beside the open page: of the administration on its pages, else of the workspace. */
export function FrameNavigation() {
  const { pathname } = useLocation();
  const { data: person } = useQuery(personQuery);
  const isAdministration = pathname === "/admin" || pathname.startsWith("/admin/");
  return isAdministration && person?.isAdministrator === true ? (
    <AdministrationSidebar />
  ) : (
    <Sidebar />
  );
}

/** The navigation of the administration, and the way back to the workspace. */
function AdministrationSidebar() {
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
