import { useState } from "react";
import { useTranslations } from "use-intl";
import { TextField } from "../../ui/text-field.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useDraft } from "../draft/draft-context.ts";
import type { Table } from "../model/queries.ts";

/** The comment of a table; its name and comment as fields once they are changed. */
export function TableFields({ table }: { readonly table: Table }) {
  const t = useTranslations("tableDraft");
  const { draft, change, faultsAt } = useDraft();
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
        <ToolButton kind="bare" onClick={() => setOpen(true)} className="-ml-2.5">
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
