import { useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import { SqlText } from "../../changes/sql-text.tsx";
import { bytesText } from "../../records/values/show-number.ts";
import { CopyText } from "../../shell/copy-text.tsx";
import { LockedFields } from "../../shell/managed.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Plus } from "../../ui/icons.generated.ts";
import { Section } from "../../ui/section.tsx";
import { Select } from "../../ui/select.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { LineField } from "../columns/line-field.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { columnNames } from "../model/compile-draft.ts";
import type { IndexMethod } from "../model/draft.ts";
import { addPart, dropIndex } from "../model/edit-draft.ts";
import { ColumnsChoice, NewPartActions, PartDialog, PartList, PartRow } from "./tab-parts.tsx";

/** The indexes that belong to no key. */
export function IndexesTab() {
  const t = useTranslations("tableDraft");
  const locale = useLocale();
  const { table, isLocked, draft, change } = useDraft();
  const [isAdding, setAdding] = useState(false);
  if (table === null) return null;
  const nameOf = columnNames(draft);
  const isEmpty = table.indexes.length === 0 && draft.parts.every(({ kind }) => kind !== "index");
  return (
    <Section
      title={t("indexes")}
      text={t("indexesText")}
      aside={
        <ToolButton disabled={isLocked} onClick={() => setAdding(true)}>
          <Plus size={14} aria-hidden="true" />
          {t("addIndex")}
        </ToolButton>
      }
    >
      <LockedFields isLocked={isLocked}>
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
      </LockedFields>
      {isEmpty && <p className="text-ink-2">{t("noIndexes")}</p>}
      <TextSearch />
      {isAdding && <IndexDialog onClose={() => setAdding(false)} />}
    </Section>
  );
}

/** The text columns of a table, each with the indexes that serve its full-text search, or how to create one. */
function TextSearch() {
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

const methods = ["btree", "hash", "gin", "gist", "spgist", "brin"] as const;

/** Adds an index to the draft. */
function IndexDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations("tableDraft");
  const { change } = useDraft();
  const [columns, setColumns] = useState<readonly string[]>([]);
  const [expression, setExpression] = useState("");
  const [isUnique, setUnique] = useState(false);
  const [method, setMethod] = useState<IndexMethod>("btree");
  const [where, setWhere] = useState("");
  return (
    <PartDialog
      title={t("addIndex")}
      isComplete={columns.length > 0 || expression !== ""}
      onClose={onClose}
      onAdd={() => {
        const part = { columns, expression, isUnique, method, where };
        change((last) => addPart(last, { id: crypto.randomUUID(), kind: "index", ...part }));
      }}
    >
      <ColumnsChoice label={t("columns")} chosen={columns} onChange={setColumns} />
      <LineField
        label={t("expression")}
        hint={t("expressionHint")}
        value={expression}
        onChange={setExpression}
        isCode
      />
      <LineField
        label={t("where")}
        hint={t("whereHint")}
        value={where}
        onChange={setWhere}
        isCode
      />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <Checkbox label={t("unique")} isChecked={isUnique} onChange={setUnique} />
        <Select
          label={t("method")}
          value={method}
          options={methods.map((value) => ({ value, label: value }))}
          onChange={setMethod}
        />
      </div>
    </PartDialog>
  );
}
