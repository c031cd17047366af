import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { useTask } from "../../shell/use-task.ts";
import { Switch } from "../../ui/switch.tsx";
import { useWorkflowChange, type Workflow } from "./workflow-queries.ts";

/** Switches whether the published version starts. */
export function EnabledSwitch({ workflow }: { readonly workflow: Workflow }) {
  const t = useTranslations("workflows");
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
      <Switch
        label={t("enabled")}
        isOn={enabled}
        isDisabled={published === null}
        isBusy={task.isBusy}
        title={published === null ? t("notPublished") : undefined}
        onChange={task.run}
      />
    </div>
  );
}
