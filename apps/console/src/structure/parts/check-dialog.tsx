import { useState } from "react";
import { useTranslations } from "use-intl";
import { LineField } from "../columns/line-field.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { addPart } from "../model/edit-draft.ts";
import { PartDialog } from "./part-dialog.tsx";

/** Adds a check to the draft. */
export function CheckDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations("tableDraft");
  const { change } = useDraft();
  const [check, setCheck] = useState("");
  const [checkMessage, setMessage] = useState("");
  return (
    <PartDialog
      title={t("addCheck")}
      isComplete={check.trim() !== ""}
      onClose={onClose}
      onAdd={() => {
        const part = { id: crypto.randomUUID(), kind: "check" as const, check, checkMessage };
        change((last) => addPart(last, part));
      }}
    >
      <LineField
        label={t("check")}
        hint={t("tableCheckHint")}
        value={check}
        onChange={setCheck}
        isCode
      />
      <LineField
        label={t("checkMessage")}
        hint={t("checkMessageHint")}
        value={checkMessage}
        onChange={setMessage}
      />
    </PartDialog>
  );
}
