import { useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import { bytesText } from "../../records/values/show-number.ts";
import { Plus } from "../../ui/icons.generated.ts";
import { Section } from "../../ui/section.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { columnNames } from "../model/compile-draft.ts";
import { dropIndex } from "../model/edit-draft.ts";
import { IndexDialog } from "./index-dialog.tsx";
import { NewPartActions } from "./new-part-actions.tsx";
import { PartList, PartRow } from "./part-row.tsx";
import { TextSearch } from "./text-search.tsx";

/** The indexes that belong to no key. */
export function IndexesTab() {
  const t = useTranslations("tableDraft");
  const locale = useLocale();
  const { table, draft, change } = useDraft();
  const [isAdding, setAdding] = useState(false);
  if (table === null) return null;
  const nameOf = columnNames(draft);
  const isEmpty = table.indexes.length === 0 && draft.parts.every(({ kind }) => kind !== "index");
  return (
    <Section
      title={t("indexes")}
      text={t("indexesText")}
      aside={
        <ToolButton onClick={() => setAdding(true)}>
          <Plus size={14} aria-hidden="true" />
          {t("addIndex")}
        </ToolButton>
      }
    >
      <PartList label={t("indexes")}>
        {table.indexes.map((index) => {
          const isDropped = draft.droppedIndexes.includes(index.name);
          const facts = [
            ...(index.unique ? [t("unique")] : []),
            index.method,
            ...(index.where === null ? [] : [t("onlyWhere", { where: index.where })]),
            ...(index.bytes === null ? [] : [bytesText(String(index.bytes), locale)]),
            ...(index.valid ? [] : [t("invalid")]),
            index.name,
          ];
          const setDropped = (value: boolean) =>
            change((last) => dropIndex(last, index.name, value));
          return (
            <PartRow
              key={index.name}
              place={`index/${index.name}`}
              name={<span className="font-mono text-2">{index.keys.join(", ")}</span>}
              facts={facts.join(" · ")}
              mark={isDropped ? "dropped" : undefined}
            >
              {isDropped ? (
                <ToolButton
                  aria-label={t("keepNamed", { name: index.name })}
                  onClick={() => setDropped(false)}
                >
                  {t("keep")}
                </ToolButton>
              ) : (
                <ToolButton
                  kind="danger"
                  aria-label={t("dropNamed", { name: index.name })}
                  onClick={() => setDropped(true)}
                >
                  {t("drop")}
                </ToolButton>
              )}
            </PartRow>
          );
        })}
        {draft.parts.map((part) =>
          part.kind === "index" ? (
            <PartRow
              key={part.id}
              place={`part/${part.id}`}
              name={
                <span className="font-mono text-2">
                  {[
                    ...part.columns.map(nameOf),
                    ...(part.expression ? [part.expression] : []),
                  ].join(", ")}
                </span>
              }
              facts={[
                ...(part.isUnique ? [t("unique")] : []),
                part.method,
                ...(part.where === "" ? [] : [t("onlyWhere", { where: part.where })]),
              ].join(" · ")}
              mark="added"
            >
              <NewPartActions id={part.id} />
            </PartRow>
          ) : null,
        )}
      </PartList>
      {isEmpty && <p className="text-ink-2">{t("noIndexes")}</p>}
      <TextSearch />
      {isAdding && <IndexDialog onClose={() => setAdding(false)} />}
    </Section>
  );
}
