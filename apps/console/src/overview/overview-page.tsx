import { useTranslations } from "use-intl";
import { administrationPages } from "../shell/administration-pages.ts";
import { AppLink } from "../shell/app-link.tsx";
import { useTitle } from "../shell/use-title.ts";
import { PageHead, pageClasses } from "../ui/page-head.tsx";

/** The first page of the administration: every page of it. */
export function OverviewPage() {
  const t = useTranslations("overview");
  const words = useTranslations("administration");
  useTitle(t("title"));
  const pages = administrationPages.filter(({ name }) => name !== "home");
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} text={t("text")} />
      <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {pages.map(({ name, path, icon: Icon }) => (
          <li key={name}>
            <AppLink
              href={path}
              className="flex h-full gap-3 rounded-panel border border-line bg-surface p-4 hover:border-line-strong"
            >
              <Icon size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-ink-2" />
              <span className="font-medium">{words(`pages.${name}`)}</span>
            </AppLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
