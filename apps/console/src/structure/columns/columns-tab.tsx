import { useState } from "react";
import { useTranslations } from "use-intl";
import { Plus } from "../../ui/icons.generated.ts";
import { TextField } from "../../ui/text-field.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { columnModels } from "../model/column-model.ts";
import { createColumn } from "../model/draft.ts";
import type { Table } from "../model/queries.ts";
import { ForeignKeyDialog } from "../parts/foreign-key-dialog.tsx";
import { ColumnRow } from "./column-row.tsx";

/** The columns of a table as a draft: marks show what is added, changed and dropped. */
export function ColumnsTab() {
  const t = useTranslations("tableDraft");
  const { table, isLocked, draft, change, faultsAt } = useDraft();
  const [opened, setOpened] = useState<string | undefined>();
  const [isReferring, setReferring] = useState(false);
  const columns = columnModels(table, draft);
  const add = () => {
    const column = createColumn();
    change((last) => ({ ...last, added: [...last.added, column] }));
  };
  return (
    <div className="grid gap-3">
      {table === null ? (
        <div className="max-w-90">
          <TextField
            label={t("tableName")}
            name="table"
            autoComplete="off"
            value={draft.name ?? ""}
            onChange={(name) => change((last) => ({ ...last, name }))}
            fault={faultsAt("table").find(({ member }) => member === "name")?.message}
            isFirst
          />
        </div>
      ) : (
        <TableFields table={table} />
      )}
      <div>
        <div
          aria-hidden="true"
          className="hidden gap-x-2 border-line border-b pb-1.5 text-2 text-ink-2 sm:grid sm:grid-cols-[1.5rem_minmax(0,3fr)_minmax(0,3fr)_5rem_minmax(0,3fr)_1.75rem]"
        >
          <span />
          <span>{t("name")}</span>
          <span>{t("type")}</span>
          <span>{t("required")}</span>
          <span>{t("details")}</span>
        </div>
        <ul aria-label={t("columns")}>
          {columns.map((column) => (
            <ColumnRow
              key={column.id}
              column={column}
              isOpen={opened === column.id}
              onToggle={() => setOpened(opened === column.id ? undefined : column.id)}
            />
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap gap-1">
        <ToolButton kind="bare" disabled={isLocked} onClick={add}>
          <Plus size={14} aria-hidden="true" />
          {t("addColumn")}
        </ToolButton>
        <ToolButton kind="bare" disabled={isLocked} onClick={() => setReferring(true)}>
          <Plus size={14} aria-hidden="true" />
          {t("addForeignKey")}
        </ToolButton>
      </div>
      {isReferring && <ForeignKeyDialog onClose={() => setReferring(false)} />}
    </div>
  );
}

/** The comment of a table; its name and comment as fields once they are changed. */
function TableFields({ table }: { readonly table: Table }) {
  const t = useTranslations("tableDraft");
  const { isLocked, draft, change, faultsAt } = useDraft();
  const [isOpen, setOpen] = useState(false);
  const isEdited = draft.name !== undefined || draft.comment !== undefined;
  const fault = faultsAt("table")[0]?.message;
  if (!isOpen && !isEdited) {
    return (
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-ink-2">
        {table.comment !== null && (
          <p dir="auto" className="min-w-0 wrap-anywhere">
            {table.comment}
          </p>
        )}
        <ToolButton
          kind="bare"
          disabled={isLocked}
          onClick={() => setOpen(true)}
          className="-ml-2.5"
        >
          {t("editTable")}
        </ToolButton>
      </div>
    );
  }
  return (
    <div className="grid gap-3 rounded-panel border border-line bg-surface p-4 sm:grid-cols-2">
      <TextField
        label={t("tableName")}
        name="table"
        autoComplete="off"
        value={draft.name ?? table.name}
        onChange={(name) => change((last) => ({ ...last, name }))}
        fault={fault}
        isFirst={isOpen}
      />
      <TextField
        label={t("comment")}
        name="comment"
        autoComplete="off"
        value={draft.comment ?? table.comment ?? ""}
        onChange={(comment) => change((last) => ({ ...last, comment }))}
      />
    </div>
  );
}
