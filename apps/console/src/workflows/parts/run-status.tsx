import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import type { RunSummary } from "./workflow-queries.ts";

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
