import { useId } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { useTask } from "../../shell/use-task.ts";
import { classes } from "../../ui/classes.ts";
import { useWorkflowChange, type Workflow } from "./workflow-queries.ts";

/** Switches whether the published version starts. */
export function EnabledSwitch({ workflow }: { readonly workflow: Workflow }) {
  const t = useTranslations("workflows");
  const id = useId();
  const onChange = useWorkflowChange();
  const { enabled, published } = workflow;
  const task = useTask(async () => {
    const path = { id: workflow.id };
    const { data } = enabled
      ? await client.admin.post("/workflows/{id}/disable", { path })
      : await client.admin.post("/workflows/{id}/enable", { path });
    await onChange(data);
  }, []);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {task.failure !== undefined && (
        <span role="alert" className="text-danger">
          {task.failure}
        </span>
      )}
      <button
        type="button"
        role="switch"
        aria-checked={enabled}
        aria-labelledby={id}
        disabled={published === null}
        title={published === null ? t("notPublished") : undefined}
        onClick={task.run}
        className={classes(
          "flex h-6 w-10 items-center rounded-full border p-0.5 transition-colors duration-100 disabled:opacity-50",
          enabled ? "justify-end border-accent bg-accent" : "border-line-input bg-sunken",
          task.isBusy && "opacity-60",
        )}
      >
        <span className={classes("size-4 rounded-full", enabled ? "bg-accent-ink" : "bg-ink-3")} />
      </button>
      <span id={id}>{t("enabled")}</span>
    </div>
  );
}
