import { useTranslations } from "use-intl";
import { Notice } from "../../ui/notice.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { walkSteps } from "../model/branches.ts";
import { isSameJson } from "../model/code-text.ts";
import { type Definition, idOf, type KindBranches } from "../model/definition.ts";

interface ForeignDraftProps {
  readonly own: Definition | undefined;
  readonly theirs: Definition;
  readonly kinds: readonly KindBranches[];
  readonly onTake: () => void;
  readonly onKeep: () => void;
}

/** Asks what happens with a draft that another administrator has saved meanwhile. */
export function ForeignDraft({ own, theirs, kinds, onTake, onKeep }: ForeignDraftProps) {
  const t = useTranslations("workflowEditor");
  const names = own === undefined ? [] : differingSteps(own, theirs, kinds);
  return (
    <Notice kind="danger">
      <div className="grid justify-items-start gap-2">
        <p>{t("foreign")}</p>
        {names.length > 0 && (
          <p className="wrap-anywhere">{t("foreignSteps", { names: names.join(", ") })}</p>
        )}
        <div className="flex flex-wrap gap-2">
          <ToolButton onClick={onTake}>{t("takeTheirs")}</ToolButton>
          <ToolButton onClick={onKeep}>{t("keepMine")}</ToolButton>
        </div>
      </div>
    </Notice>
  );
}

/** The ids of the steps that two definitions do not have in common, inner steps included in those around them. */
function differingSteps(
  one: Definition,
  other: Definition,
  kinds: readonly KindBranches[],
): string[] {
  const stepsOf = (definition: Definition) =>
    new Map([...walkSteps(definition, kinds)].map(({ step, key }) => [key, step]));
  const [first, second] = [stepsOf(one), stepsOf(other)];
  const keys = new Set([...first.keys(), ...second.keys()]);
  return [...keys]
    .filter((key) => !isSameJson(first.get(key), second.get(key)))
    .map((key) => idOf(first.get(key) ?? second.get(key)) || key);
}
