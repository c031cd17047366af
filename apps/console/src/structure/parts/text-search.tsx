import { useTranslations } from "use-intl";
import { CopyText } from "../../shell/copy-text.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { SqlText } from "../preview/sql-text.tsx";
import { PartList, PartRow } from "./part-row.tsx";

/** The text columns of a table, each with the indexes that serve its full-text search, or how to create one. */
export function TextSearch() {
  const t = useTranslations("tableDraft");
  const { table } = useDraft();
  if (table === null || table.textSearch.length === 0) return null;
  return (
    <details>
      <summary className="min-h-6 w-fit cursor-pointer font-medium">{t("textSearch")}</summary>
      <div className="mt-2 grid gap-3">
        <p className="max-w-140 text-ink-2">{t("textSearchText")}</p>
        <PartList label={t("textSearch")}>
          {table.textSearch.map(({ column, indexes, createIndex }) => (
            <PartRow
              key={column}
              place={`search/${column}`}
              name={<code className="font-mono text-2">{column}</code>}
              facts={
                indexes.length > 0 ? (
                  indexes
                    .map(({ name, configuration }) =>
                      configuration === null ? name : `${name} (${configuration})`,
                    )
                    .join(" · ")
                ) : (
                  <span className="grid gap-1.5">
                    {t("noSearchIndex")}
                    {createIndex !== null && <SqlText statements={[createIndex]} />}
                  </span>
                )
              }
            >
              {indexes.length === 0 && createIndex !== null && (
                <CopyText label={t("copySql")} text={() => `${createIndex};`} />
              )}
            </PartRow>
          ))}
        </PartList>
      </div>
    </details>
  );
}
