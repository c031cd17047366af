import { useTranslations } from "use-intl";
import { GrantLines } from "./grant-lines.tsx";
import type { Explanation } from "./use-explanation.ts";

/** The part of a table that the person can read: what the grants of several roles add up to. */
export function TablePart({ part }: { readonly part: Explanation["relations"][number] }) {
  const t = useTranslations("access");
  return (
    <div className="grid gap-3 rounded-panel border border-line bg-surface p-4">
      <h3 dir="auto" className="font-mono font-medium wrap-anywhere">
        {part.schema}.{part.name}
      </h3>
      <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[10rem_minmax(0,1fr)]">
        <dt className="text-ink-2">{t("explain.rows")}</dt>
        <dd>{t(part.everyRow ? "explain.everyRow" : "explain.someRows")}</dd>
        <dt className="text-ink-2">{t("explain.readable")}</dt>
        <dd dir="auto" className="wrap-anywhere">
          {part.fields
            .map(({ name, everyRow }) =>
              everyRow || !part.everyRow ? name : t("explain.fieldInSomeRows", { name }),
            )
            .join(", ")}
        </dd>
        {part.hiddenFields.length > 0 && (
          <>
            <dt className="text-ink-2">{t("explain.hidden")}</dt>
            <dd dir="auto" className="wrap-anywhere">
              {part.hiddenFields.join(", ")}
            </dd>
          </>
        )}
      </dl>
      {part.grants.length === 0 ? (
        <p className="text-2 text-ink-2">{t("explain.noGrants")}</p>
      ) : (
        <GrantLines grants={part.grants} row={null} />
      )}
    </div>
  );
}
