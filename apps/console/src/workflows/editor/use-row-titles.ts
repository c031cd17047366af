import { useTranslations } from "use-intl";
import { kindOf } from "../model/definition.ts";
import type { OutlineRow } from "../model/outline.ts";
import { branchTitle } from "../model/step-summary.ts";
import { type StepKinds, triggerKinds } from "../parts/kinds-query.ts";

/** Returns the title of a row's kind or list. */
export function useRowTitles(kinds: StepKinds): (row: OutlineRow) => string {
  const triggerTitle = useTriggerTitle(kinds);
  const byKind = new Map(kinds.steps.map(({ kind, title }) => [kind, title]));
  return (row) => {
    switch (row.type) {
      case "trigger":
        return triggerTitle(row.kind);
      case "step":
        return byKind.get(kindOf(row.step)) ?? kindOf(row.step);
      case "branch":
        return branchTitle(row.keys, row.title);
      case "add":
        return "";
    }
  };
}

/** Returns the title of a kind of trigger in the person's language; an unknown one has that of the service. */
function useTriggerTitle(kinds: StepKinds): (kind: string) => string {
  const t = useTranslations("workflows.triggers");
  return (kind) => {
    const known = triggerKinds.find((one) => one === kind);
    if (known !== undefined) return t(known);
    return kinds.triggers.find((one) => one.kind === kind)?.title ?? kind;
  };
}
