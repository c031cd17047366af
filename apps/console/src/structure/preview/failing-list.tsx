import { useQuery } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "use-intl";
import { navigationQuery } from "../../shell/navigation.ts";
import { CircleX } from "../../ui/icons.generated.ts";
import { linkClasses } from "../../ui/link-classes.ts";
import { useDraft } from "../draft/draft-context.ts";
import { type FailingRows, rowLink, rowsLink } from "../model/failing-links.ts";

const shownMax = 3;

/** The rows that a change fails on, each cause with the way to its rows in the grid. */
export function FailingList({ failing }: { readonly failing: readonly FailingRows[] }) {
  const t = useTranslations("tableDraft");
  const format = useFormatter();
  if (failing.length === 0) return null;
  const known = failing.flatMap(({ rows }) => (rows === null ? [] : [rows]));
  const total = known.reduce((sum, rows) => sum + rows, 0);
  return (
    <section role="alert" className="grid gap-3 border-line border-b bg-danger-soft p-4">
      <h2 className="flex items-center gap-2 font-semibold text-danger">
        <CircleX size={16} aria-hidden="true" />
        {known.length < failing.length
          ? t("rowsMayFail")
          : t("rowsFail", { count: total, number: format.number(total) })}
      </h2>
      {failing.map((one) => (
        <Failing key={one.path} failing={one} />
      ))}
    </section>
  );
}

function Failing({ failing }: { readonly failing: FailingRows }) {
  const t = useTranslations("tableDraft");
  const format = useFormatter();
  const { table, preview } = useDraft();
  const { data: navigation } = useQuery(navigationQuery);
  if (table === null) return null;
  const { message, rows, keys } = failing;
  const placed = preview.changes[Number(/^\/data\/changes\/(\d+)/.exec(failing.path)?.[1])];
  const column = /^column\/(.*)$/s.exec(placed?.place ?? "")?.[1];
  const isReadable = navigation?.resources.some(
    ({ schema, name }) => schema === table.schema && name === table.name,
  );
  const link = rowsLink(table, failing, placed);
  return (
    <div className="grid gap-1">
      <p className="wrap-anywhere">
        {column !== undefined && <code className="font-mono text-2">{column}: </code>}
        <span lang="en">{message}</span>
        {rows !== null && <bdi> ({format.number(rows)})</bdi>}
      </p>
      {isReadable === false && <p className="text-2 text-ink-2">{t("notExposed")}</p>}
      {isReadable === true && (
        <ul className="grid">
          {keys.slice(0, shownMax).map((key) => (
            <li key={key.join()} className="flex justify-between gap-4">
              <code className="min-w-0 truncate font-mono text-2" title={key.join(", ")}>
                #{key.join(", ")}
              </code>
              <a
                href={rowLink(table, key)}
                target="_blank"
                rel="noopener"
                // The visible text is part of the name in every language.
                aria-label={`${t("open")} ${key.join(", ")}`}
                className={linkClasses}
              >
                {t("open")}
              </a>
            </li>
          ))}
          <li>
            {link === undefined ? (
              <span className="text-2 text-ink-2">{t("noLink")}</span>
            ) : (
              <a href={link.href} target="_blank" rel="noopener" className={linkClasses}>
                {link.isAll
                  ? t("showAll", { number: format.number(rows ?? keys.length) })
                  : t("showFirst", { number: format.number(keys.length) })}
              </a>
            )}
          </li>
        </ul>
      )}
    </div>
  );
}
