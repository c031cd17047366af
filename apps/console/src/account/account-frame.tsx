import { Outlet, useLocation } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { accountPages, accountPath } from "../shell/account-pages.ts";
import { AppLink } from "../shell/app-link.tsx";
import { classes } from "../ui/classes.ts";

/** The frame of the pages of one's own account: their tabs are links. */
export function AccountFrame() {
  const t = useTranslations("account");
  const { pathname } = useLocation();
  return (
    <div className="grid max-w-200 grid-cols-[minmax(0,1fr)] gap-6 p-4 md:p-8">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <h1 className="text-5 font-semibold">{t("title")}</h1>
        <nav aria-label={t("title")} className="flex flex-wrap gap-x-1 border-line border-b">
          {accountPages.map((page) => (
            <AppLink
              key={page}
              href={accountPath(page)}
              aria-current={pathname === accountPath(page) ? "page" : undefined}
              className={classes(
                "-mb-px flex h-9 items-center border-b-2 px-2.5 font-medium",
                pathname === accountPath(page)
                  ? "border-accent text-ink"
                  : "border-transparent text-ink-2 hover:text-ink",
              )}
            >
              {t(`tabs.${page}`)}
            </AppLink>
          ))}
        </nav>
      </div>
      <Outlet />
    </div>
  );
}
