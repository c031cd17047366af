import { useTranslations } from "use-intl";
import { branchTitle } from "../model/step-summary.ts";
import type { GraphLabel } from "./layout-graph.ts";

/** Returns the function that names a list of inner steps at its line. */
export function useLabelText(): (label: GraphLabel) => string {
  const t = useTranslations("workflowEditor");
  return ({ branch: { keys, title, equals } }) =>
    equals === undefined
      ? branchTitle(keys, title)
      : t("case", { value: JSON.stringify(equals.value) ?? "" });
}
