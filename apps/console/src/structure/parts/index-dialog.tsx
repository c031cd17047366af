import { useState } from "react";
import { useTranslations } from "use-intl";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Select } from "../../ui/select.tsx";
import { LineField } from "../columns/line-field.tsx";
import { useDraft } from "../draft/draft-context.ts";
import type { IndexMethod } from "../model/draft.ts";
import { addPart } from "../model/edit-draft.ts";
import { ColumnsChoice } from "./columns-choice.tsx";
import { PartDialog } from "./part-dialog.tsx";

const methods = ["btree", "hash", "gin", "gist", "spgist", "brin"] as const;

/** Adds an index to the draft. */
export function IndexDialog({ onClose }: { readonly onClose: () => void }) {
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
