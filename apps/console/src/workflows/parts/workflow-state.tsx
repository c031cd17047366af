import { useTranslations } from "use-intl";
import { StateBadge } from "../../ui/entries.tsx";
import type { Workflow } from "./workflow-queries.ts";

/** Whether a workflow starts: a draft, enabled, disabled, and whether something is in its way. */
export function WorkflowState({
  workflow,
}: {
  readonly workflow: Pick<Workflow, "enabled" | "published" | "problem">;
}) {
  const t = useTranslations("workflows.states");
  const { enabled, published, problem } = workflow;
  return (
    <span className="flex flex-wrap gap-1.5">
      {published === null ? (
        <StateBadge look="plain">{t("draft")}</StateBadge>
      ) : (
        <StateBadge look={enabled ? "ok" : "plain"}>
          {t(enabled ? "enabled" : "disabled")}
        </StateBadge>
      )}
      {problem !== null && <StateBadge look="warn">{t("problem")}</StateBadge>}
    </span>
  );
}
