import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import type { Navigation, NavigationResource } from "../../shell/navigation.ts";
import { classes } from "../../ui/classes.ts";
import { linkClasses } from "../../ui/link-classes.ts";

interface TableSidesProps {
  readonly name: string;
  readonly own: Navigation;
  readonly theirs: Navigation;
  /** The address that shows a resource to both. */
  readonly hrefOf: (resource: NavigationResource) => string;
}

/** The tables and views of both, those that the other caller may not open marked. */
export function TableSides({ name, own, theirs, hrefOf }: TableSidesProps) {
  const t = useTranslations("access");
  const seen = new Set(theirs.resources.map(({ id }) => id));
  const list = (title: string, resources: readonly NavigationResource[], isOwn: boolean) => (
    <section aria-label={title} className="grid min-w-0 content-start gap-2">
      <h2 dir="auto" className="text-4 font-semibold wrap-anywhere">
        {title}
      </h2>
      {resources.length === 0 ? (
        <p className="text-ink-2">{t("viewAs.noTables")}</p>
      ) : (
        <ul className="rounded-panel border border-line bg-surface">
          {resources.map((one) => {
            const isMissing = isOwn && !seen.has(one.id);
            return (
              <li
                key={one.id}
                className={classes(
                  "flex min-h-(--row) items-center gap-2 border-line border-b px-3 last:border-b-0",
                  isMissing && "bg-danger-soft",
                )}
              >
                <AppLink
                  href={hrefOf(one)}
                  dir="auto"
                  title={`${one.schema}.${one.name}`}
                  className={`${linkClasses} min-w-0 truncate`}
                >
                  {one.schema}.{one.name}
                </AppLink>
                {isMissing && (
                  <span className="ml-auto shrink-0 text-2 text-danger">
                    {t("viewAs.missingRow")}
                  </span>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {list(t("viewAs.you"), own.resources, true)}
      {list(t("viewAs.them", { name }), theirs.resources, false)}
    </div>
  );
}
