import { useTranslations } from "use-intl";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { removePart } from "../model/edit-draft.ts";

/** Takes a part that is being added out of the draft. */
export function NewPartActions({ id }: { readonly id: string }) {
  const t = useTranslations("tableDraft");
  const { change } = useDraft();
  return (
    <ToolButton onClick={() => change((last) => removePart(last, id))}>{t("remove")}</ToolButton>
  );
}
