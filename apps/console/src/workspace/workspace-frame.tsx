import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate } from "@tanstack/react-router";
import { BookOpen, House } from "lucide-react";
import { useEffect } from "react";
import { useTranslations } from "use-intl";
import { personQuery } from "../shell/navigation.ts";
import { useSession } from "../shell/use-session.ts";
import { Mark } from "../ui/mark.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { NavigationLink } from "./navigation-link.tsx";

/** The frame of every page behind the sign-in: what the person may open, and their account. */
export function WorkspaceFrame() {
  const t = useTranslations("workspace");
  const product = useTranslations()("product");
  const session = useSession();
  const navigate = useNavigate();
  const { data: person } = useQuery({ ...personQuery, enabled: session !== null });
  useEffect(() => {
    if (session !== null) return;
    const { pathname, search } = window.location;
    void navigate({
      to: "/admin/auth/sign-in",
      search: { return_to: `${pathname}${search}` },
      replace: true,
    });
  }, [session, navigate]);
  if (session === null) return null;
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr] md:grid-cols-[220px_1fr] md:grid-rows-1">
      <a
        href="#content"
        className="fixed top-2 left-2 z-10 -translate-y-20 rounded-control bg-accent px-3 py-1.5 text-accent-ink focus-visible:translate-y-0"
      >
        {t("skip")}
      </a>
      <header className="flex items-center gap-2 border-line border-b px-3 py-2 md:sticky md:top-0 md:h-dvh md:flex-col md:items-stretch md:border-r md:border-b-0 md:px-2 md:py-3">
        <div className="flex items-center gap-2 md:mb-3 md:px-2">
          <Mark size={22} />
          <span className="sr-only font-semibold sm:not-sr-only">{product}</span>
        </div>
        <nav aria-label={t("navigation")} className="flex min-w-0 flex-1 gap-0.5 md:flex-col">
          <NavigationLink to="/app" icon={House} label={t("home")} />
          {person?.isAdministrator === true && (
            <NavigationLink
              to="/admin/api/docs"
              icon={BookOpen}
              label={t("reference")}
              isExternal
            />
          )}
        </nav>
        <AccountMenu name={session.user.name || session.user.email} email={session.user.email} />
      </header>
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        <Outlet />
      </main>
    </div>
  );
}
