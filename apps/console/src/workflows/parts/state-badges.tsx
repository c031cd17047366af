import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { StateBadge } from "../../ui/entries.tsx";
import type { RunSummary, Workflow } from "./workflow-queries.ts";

const looks: Readonly<Record<RunSummary["status"], string>> = {
  QUEUED: "bg-sunken text-ink-2",
  RUNNING: "bg-accent-soft text-accent",
  SUCCEEDED: "bg-ok-soft text-ok",
  FAILED: "bg-danger-soft text-danger",
  CANCELLED: "bg-warn-soft text-warn",
};

/** The status of a run in a word. */
export function RunStatus({ status }: { readonly status: RunSummary["status"] }) {
  const t = useTranslations("workflows.statuses");
  return (
    <span className={classes("rounded-full px-2 text-2 font-medium", looks[status])}>
      {t(status)}
    </span>
  );
}

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
