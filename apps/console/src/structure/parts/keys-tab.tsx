import { useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { linkClasses } from "../../ui/classes.ts";
import { Plus } from "../../ui/icons.generated.ts";
import { Section } from "../../ui/section.tsx";
import { Select } from "../../ui/select.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { columnNames } from "../model/compile-draft.ts";
import { addPart } from "../model/edit-draft.ts";
import { structurePath } from "../model/paths.ts";
import { ForeignKeyDialog } from "./foreign-key-dialog.tsx";
import {
  ColumnsChoice,
  ConstraintActions,
  NewPartActions,
  PartDialog,
  PartList,
  PartRow,
} from "./tab-parts.tsx";

/** Primary key, unique keys, foreign keys, and the tables that refer to this one. */
export function KeysTab() {
  const t = useTranslations("tableDraft");
  const { table, draft } = useDraft();
  const [dialog, setDialog] = useState<"key" | "foreignKey" | undefined>();
  if (table === null) return null;
  const nameOf = columnNames(draft);
  const markOf = (name: string) =>
    Object.hasOwn(draft.droppedConstraints, name) ? "dropped" : undefined;
  const keys = [
    ...(table.primaryKey === null ? [] : [{ ...table.primaryKey, isPrimary: true }]),
    ...table.uniques.map((key) => ({ ...key, isPrimary: false })),
  ];
  const columnsText = (columns: readonly string[]) => columns.map(nameOf).join(", ");
  return (
    <div className="grid gap-6">
      <Section
        title={t("keys")}
        aside={
          <ToolButton onClick={() => setDialog("key")}>
            <Plus size={14} aria-hidden="true" />
            {t("addKey")}
          </ToolButton>
        }
      >
        <PartList label={t("keys")}>
          {keys.map(({ name, columns, isPrimary }) => (
            <PartRow
              key={name}
              place={`constraint/${name}`}
              name={<span className="font-mono text-2">{columnsText(columns)}</span>}
              facts={`${t(isPrimary ? "primaryKey" : "unique")} · ${name}`}
              mark={markOf(name)}
            >
              <ConstraintActions name={name} />
            </PartRow>
          ))}
          {table.exclusions.map(({ name, definition }) => (
            <PartRow
              key={name}
              place={`constraint/${name}`}
              name={name}
              facts={<code className="font-mono">{definition}</code>}
            />
          ))}
          {draft.parts.map((part) =>
            part.kind === "primaryKey" || part.kind === "unique" ? (
              <PartRow
                key={part.id}
                place={`part/${part.id}`}
                name={<span className="font-mono text-2">{columnsText(part.columns)}</span>}
                facts={t(part.kind)}
                mark="added"
              >
                <NewPartActions id={part.id} />
              </PartRow>
            ) : null,
          )}
        </PartList>
        {keys.length === 0 && draft.parts.length === 0 && (
          <p className="text-ink-2">{t("noKeys")}</p>
        )}
      </Section>
      <Section
        title={t("foreignKeys")}
        aside={
          <ToolButton onClick={() => setDialog("foreignKey")}>
            <Plus size={14} aria-hidden="true" />
            {t("addForeignKey")}
          </ToolButton>
        }
      >
        <PartList label={t("foreignKeys")}>
          {table.foreignKeys.map((key) => (
            <PartRow
              key={key.name}
              place={`constraint/${key.name}`}
              name={
                <span className="font-mono text-2">
                  {columnsText(key.columns)} →{" "}
                  <AppLink
                    href={structurePath(key.targetSchema, "table", key.targetTable)}
                    className={linkClasses}
                  >
                    {`${key.targetSchema}.${key.targetTable}`}
                  </AppLink>{" "}
                  ({key.targetColumns.join(", ")})
                </span>
              }
              facts={`${t(`onDelete.${key.onDelete}`)} · ${key.name}`}
              mark={markOf(key.name)}
            >
              <ConstraintActions name={key.name} />
            </PartRow>
          ))}
          {draft.parts.map((part) =>
            part.kind === "foreignKey" ? (
              <PartRow
                key={part.id}
                place={`part/${part.id}`}
                name={
                  <span className="font-mono text-2">
                    {columnsText(part.columns)} → {part.targetSchema}.{part.targetTable} (
                    {part.targetColumns.join(", ")})
                  </span>
                }
                facts={t(`onDelete.${part.onDelete}`)}
                mark="added"
              >
                <NewPartActions id={part.id} />
              </PartRow>
            ) : null,
          )}
        </PartList>
      </Section>
      {table.referencedBy.length > 0 && (
        <Section title={t("referencedBy")}>
          <PartList label={t("referencedBy")}>
            {table.referencedBy.map((key) => (
              <PartRow
                key={`${key.schema} ${key.table} ${key.name}`}
                place=""
                name={
                  <AppLink
                    href={structurePath(key.schema, "table", key.table, "keys")}
                    className={`${linkClasses} font-mono text-2`}
                  >
                    {`${key.schema}.${key.table} (${key.columns.join(", ")})`}
                  </AppLink>
                }
                facts={`${key.targetColumns.join(", ")} · ${key.name}`}
              />
            ))}
          </PartList>
        </Section>
      )}
      {dialog === "key" && <KeyDialog onClose={() => setDialog(undefined)} />}
      {dialog === "foreignKey" && <ForeignKeyDialog onClose={() => setDialog(undefined)} />}
    </div>
  );
}

/** Adds a primary or unique key to the draft. */
function KeyDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations("tableDraft");
  const { table, draft, change } = useDraft();
  const primary = table?.primaryKey?.name;
  const hasPrimary =
    (primary !== undefined && !Object.hasOwn(draft.droppedConstraints, primary)) ||
    draft.parts.some(({ kind }) => kind === "primaryKey");
  const [kind, setKind] = useState<"primaryKey" | "unique">(hasPrimary ? "unique" : "primaryKey");
  const [columns, setColumns] = useState<readonly string[]>([]);
  return (
    <PartDialog
      title={t("addKey")}
      isComplete={columns.length > 0}
      onClose={onClose}
      onAdd={() => change((last) => addPart(last, { id: crypto.randomUUID(), kind, columns }))}
    >
      <Select
        label={t("kind")}
        value={kind}
        options={[
          { value: "unique", label: t("unique") },
          ...(hasPrimary ? [] : [{ value: "primaryKey" as const, label: t("primaryKey") }]),
        ]}
        onChange={setKind}
      />
      <ColumnsChoice label={t("columns")} chosen={columns} onChange={setColumns} />
    </PartDialog>
  );
}
