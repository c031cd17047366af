import { useState } from "react";
import { useTranslations } from "use-intl";
import { Select } from "../../ui/select.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { addPart } from "../model/edit-draft.ts";
import { ColumnsChoice } from "./columns-choice.tsx";
import { PartDialog } from "./part-dialog.tsx";

/** Adds a primary or unique key to the draft. */
export function KeyDialog({ onClose }: { readonly onClose: () => void }) {
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
