import { useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { titleOf } from "../../records/model/resource.ts";
import { AppLink } from "../../shell/app-link.tsx";
import type { NavigationResource } from "../../shell/navigation.ts";
import { SearchField } from "../../shell/search-field.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { linkClasses } from "../../ui/classes.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHead } from "../../ui/page-head.tsx";

/** More are found by the search. */
const shownMax = 200;

/** Begins a DataView with the table or view whose rows it shows. */
export function ChooseTable({ resources }: { readonly resources: readonly NavigationResource[] }) {
  const t = useTranslations("viewBuilder");
  const [search, setSearch] = useState<string>();
  useTitle(t("newTitle"));
  const readable = useMemo(
    () => resources.filter(({ actions }) => actions.includes("READ")),
    [resources],
  );
  const wanted = (search ?? "").toLowerCase();
  const found = readable.filter((one) =>
    `${titleOf(one)} ${one.schema}.${one.name}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <PageHead
        title={t("newTitle")}
        text={t("chooseText")}
        trail={
          <>
            <AppLink href="/admin/data-views" className={linkClasses}>
              {t("trail")}
            </AppLink>
            <span aria-hidden="true"> / </span>
          </>
        }
      />
      <SearchField label={t("chooseResource")} value={search} onChange={setSearch} />
      {found.length === 0 ? (
        <EmptyState title={t("nothingExposed")} text={t("nothingExposedText")} />
      ) : (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-2">
          {found.slice(0, shownMax).map((one) => (
            <li key={one.id}>
              <AppLink
                href={`/admin/data-views/new?resource=${one.id}`}
                className="grid min-w-0 rounded-panel border border-line bg-surface px-3 py-2.5 hover:border-line-strong"
              >
                <span dir="auto" className="truncate font-medium" title={titleOf(one)}>
                  {titleOf(one)}
                </span>
                <span
                  dir="auto"
                  className="truncate font-mono text-2 text-ink-2"
                  title={`${one.schema}.${one.name}`}
                >
                  {one.schema}.{one.name}
                </span>
              </AppLink>
            </li>
          ))}
        </ul>
      )}
      {found.length > shownMax && (
        <p className="text-ink-2">{t("moreTables", { count: found.length - shownMax })}</p>
      )}
    </>
  );
}
