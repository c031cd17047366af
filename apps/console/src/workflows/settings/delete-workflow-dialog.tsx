import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useOpen } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { renew } from "../../shell/renew.ts";
import { useTask } from "../../shell/use-task.ts";
import { TextField } from "../../ui/text-field.tsx";
import { type Workflow, workflowListKey } from "../parts/workflow-queries.ts";

interface DeleteWorkflowDialogProps {
  readonly workflow: Workflow;
  readonly onClose: () => void;
}

/** Deletes a workflow with its history. Its slug is typed first, because nothing of it comes back. */
export function DeleteWorkflowDialog({ workflow, onClose }: DeleteWorkflowDialogProps) {
  const t = useTranslations("workflowSettings");
  const cache = useQueryClient();
  const open = useOpen();
  const [typed, setTyped] = useState("");
  const task = useTask(async () => {
    await client.admin.delete("/workflows/{id}", { path: { id: workflow.id } });
    await renew(cache, { queryKey: workflowListKey });
    open("/admin/workflows");
  }, []);
  return (
    <FormDialog
      title={t("deleteTitle", { name: workflow.name })}
      submit={t("delete")}
      task={task}
      isReady={typed === workflow.slug}
      onClose={onClose}
    >
      <p>{t("deleteText")}</p>
      {workflow.enabled && <p>{t("deleteEnabled")}</p>}
      <TextField
        label={t("typeSlug", { slug: workflow.slug })}
        name="confirm"
        autoComplete="off"
        value={typed}
        onChange={setTyped}
        isFirst
      />
    </FormDialog>
  );
}
