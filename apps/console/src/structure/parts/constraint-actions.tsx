import { useTranslations } from "use-intl";
import { Checkbox } from "../../ui/checkbox.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { dropConstraint } from "../model/edit-draft.ts";
import { valueAt } from "../model/value-at.ts";

/** Drops a constraint in the draft, or keeps it after all. */
export function ConstraintActions({ name }: { readonly name: string }) {
  const t = useTranslations("tableDraft");
  const { draft, change, faultsAt } = useDraft();
  const isCascade = valueAt(draft.droppedConstraints, name);
  const drop = (value: boolean | undefined) => change((last) => dropConstraint(last, name, value));
  if (isCascade === undefined) {
    return (
      <ToolButton kind="danger" aria-label={t("dropNamed", { name })} onClick={() => drop(false)}>
        {t("drop")}
      </ToolButton>
    );
  }
  const isNeeded = isCascade || faultsAt(`constraint/${name}`).length > 0;
  return (
    <>
      {isNeeded && <Checkbox label={t("cascade")} isChecked={isCascade} onChange={drop} />}
      <ToolButton aria-label={t("keepNamed", { name })} onClick={() => drop(undefined)}>
        {t("keep")}
      </ToolButton>
    </>
  );
}
